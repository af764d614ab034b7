import FaultEngine
import Scenario
import StorageModel

/// What `squall serve` prints when it listens: the address, and the lines to paste into an app.
struct ServeBanner {
    let host: String
    let port: UInt16
    /// Of the control API; nil: there is none.
    let controlPort: UInt16?
    let options: ServeOptions
    /// The file that clients have to trust; nil: plain HTTP.
    let authority: String?

    var text: String {
        let bucket = options.settings.bucket ?? "demo.appspot.com"
        let shown = host.contains(":") ? "[\(host)]" : host
        let base = (authority == nil ? "http" : "https") + "://\(shown):\(port)"
        var lines = [
            "squall serve: \(base)  (bucket: \(options.settings.bucket ?? "any"), "
                + "seed: \(options.seed))",
            "",
        ]
        lines += authority.map(linesToTrust) ?? emulatorLines
        let curl = "curl" + (authority.map { " --cacert '\($0)'" } ?? "")
        lines += [
            "  Python      storage.storage_bucket = \"\(base)/v0/b/\(bucket)\"",
            "  curl        \(curl) --data-binary @FILE '\(base)/v0/b/\(bucket)/o?name=OBJECT'",
            "              \(curl) '\(base)/v0/b/\(bucket)/o/OBJECT?alt=media'",
        ]
        if let controlPort {
            lines.append("  control     http://127.0.0.1:\(controlPort)/v1/health")
        }
        lines.append("")
        if let scenario = options.scenario { lines += instructions(scenario.id) }
        for (number, fault) in options.faults.enumerated() {
            lines.append("  fault \(number + 1): \(fault.text)")
        }
        lines.append(
            options.faults.isEmpty && options.scenario == nil
                ? "  no faults: add --fault to see how the app takes them" : "")
        lines += closedGates
        return lines.joined(separator: "\n")
    }

    private var emulatorLines: [String] {
        [
            "  Swift       Storage.storage().useEmulator(withHost: \"\(host)\", port: \(port))",
            "  Kotlin      Firebase.storage.useEmulator(\"\(host)\", \(port))",
            "  JavaScript  connectStorageEmulator(getStorage(), \"\(host)\", \(port))",
        ]
    }

    /// The emulator calls of the client libraries speak plain HTTP alone; what speaks HTTPS has to
    /// know the authority.
    private func linesToTrust(_ file: String) -> [String] {
        [
            "  CA file     \(file)", "  OpenSSL     export SSL_CERT_FILE='\(file)'",
            "  Node.js     export NODE_EXTRA_CA_CERTS='\(file)'",
            "  requests    export REQUESTS_CA_BUNDLE='\(file)'",
            "  Python ssl  ssl.create_default_context(cafile=\"\(file)\")",
        ]
    }

    /// Gates that stay closed: whoever comes to one waits for ever.
    private var closedGates: [String] {
        guard controlPort == nil else { return [] }
        return options.faults.enumerated().flatMap { number, fault in
            fault.gates.map { gate in
                "  fault \(number + 1) waits at the gate '\(gate)', and nothing can release it: "
                    + "add --control-port"
            }
        }
    }

    private func instructions(_ id: String) -> [String] {
        guard let scenario = options.scenario?.scenario else { return [] }
        let steps = scenario.steps.map {
            "    " + StepInstruction.text(of: $0, sources: options.sourcesPath)
        }
        let uploads = scenario.steps.contains { if case .upload = $0.verb { true } else { false } }
        let hint =
            uploads && options.sourcesPath == nil
            ? ["    (--sources FOLDER writes the files to upload, so that bytes can be compared)"]
            : []
        return ["  scenario \(id): \(scenario.title.value)", "  do this with your app:"] + steps
            + hint + [""]
    }
}

extension FaultRule {
    /// The gates that its exchanges wait at.
    fileprivate var gates: [String] {
        actions.flatMap { action -> [String] in
            guard case .hold(let trigger, nil) = action else { return [] }
            return trigger.gates
        }
    }
}
