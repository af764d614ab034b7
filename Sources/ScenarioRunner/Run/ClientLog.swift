import ClientDriver
import Glibc
import RunModel
import Scenario
import StorageModel

/// What a client writes to its own log while a scenario runs.
enum ClientLog {
    /// As text; nil where there is nothing.
    static func text(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The file of a scenario below a folder, which is made: `pause/upload.log`; nil where it
    /// cannot be made, which is nobody's failure.
    static func path(of id: String, in folder: String) -> String? {
        let parts = ([folder] + id.split(separator: "/").map(String.init))
        var path = parts[0]
        for part in parts.dropFirst() {
            mkdir(path, 0o755)
            path += "/" + part
        }
        let file = path + ".log"
        unlink(file)
        return file
    }
}

extension ScenarioRun {
    var clientLog: String? {
        settings.clientLogs.flatMap { ClientLog.path(of: planned.id, in: $0) }
    }
}

extension ScenarioResult {
    /// Adds how the client misbehaved after the scenario was over.
    mutating func blame(_ misbehaviours: [ClientMisbehaviour]) {
        guard !misbehaviours.isEmpty else { return }
        failures += misbehaviours.map { Failure(.client, "after the scenario the client \($0)") }
        switch verdict {
        case .passed, .void, .skipped, .failed: verdict = .failed
        case .errored, .pending, .notRun, .expectedFailure, .unexpectedPass, .flaky: break
        }
    }
}
