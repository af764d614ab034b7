import FaultEngine
import Foundation
import MockServer
import Scenario
import ScenarioRunner
import StorageModel

extension CommandLineParts {
    /// The same options with the seed said.
    fileprivate static func repeatingServe(_ arguments: ParsedArguments, seed: UInt64) -> String {
        var words = ["squall", "serve"]
        for (name, values) in arguments.options.sorted(by: { $0.key < $1.key })
        where name != "--seed" && name != "--control-token" {
            words += values.isEmpty ? [name] : values.flatMap { [name, $0] }
        }
        return shell(words + ["--seed", String(seed)])
    }
}

/// What `squall serve` was asked for, checked.
struct ServeOptions {
    var host = "127.0.0.1"
    var port: UInt16 = 9199
    var settings = BackendSettings()
    var faults: [FaultRule] = []
    /// The scenario that is served, if one is.
    var scenario: PlannedScenario?
    /// Judges the scenario that is served.
    var judge: ServedJudge?
    var seed: UInt64 = 1
    /// The command line that makes the same draws again.
    var repeating = ""
    /// Stop after so long without a request; nil: only when told to.
    var untilIdle: Duration?
    var journalPath: String?
    /// Records that are kept in memory.
    var journalLimit = 100_000
    var limits = ServerLimits()
    /// Whether answers say which faults have fired.
    var explains = false
    /// Whether every connection is one through TLS.
    var usesTLS = false
    /// Of the control API; nil: there is none.
    var controlPort: UInt16?
    /// What whoever uses the control API must say; nil: nothing.
    var controlToken: String?
    /// Where the files that the steps upload are written.
    var sourcesPath: String?

    /// - Throws: `UsageError`, also for a fault or a scenario that cannot be served.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        host = Self.withoutBrackets(arguments.value("--host") ?? host)
        if !Self.isLoopback(host), !arguments.has("--allow-remote") {
            throw UsageError(
                "\(host) is not a loopback address; whoever reaches it may use the server: "
                    + "add --allow-remote if that is meant")
        }
        port = try arguments.number("--port", in: 0...UInt16.max) ?? port
        seed = try arguments.number("--seed", in: 0...UInt64.max) ?? seed
        journalPath = arguments.value("--journal")
        limits = try LimitOptions.read(arguments)
        journalLimit = try arguments.number("--journal-limit", in: 1...10_000_000) ?? journalLimit
        explains = arguments.has("--explain")
        usesTLS = arguments.has("--tls")
        if let text = arguments.value("--until-idle") {
            guard let idle = ScalarText.duration(text), idle > .zero else {
                throw UsageError("--until-idle takes a duration like 10s, not '\(text)'")
            }
            untilIdle = idle
        }
        try takeControl(arguments)
        repeating = CommandLineParts.repeatingServe(arguments, seed: seed)
        settings.bucket = nil
        settings.tokens = nil
        if let path = arguments.value("--scenario") { try take(scenario: path) }
        if let path = arguments.value("--sources") { try write(sources: path) }
        try take(faults: arguments.values("--fault"))
        for text in arguments.values("--data") { try take(data: text) }
    }

    private mutating func takeControl(_ arguments: ParsedArguments) throws(UsageError) {
        controlPort = try arguments.number("--control-port", in: 0...UInt16.max)
        let variable = ProcessInfo.processInfo.environment["SQUALL_CONTROL_TOKEN"]
        controlToken =
            arguments.value("--control-token") ?? variable.flatMap { $0.isEmpty ? nil : $0 }
        if controlPort == nil, arguments.has("--control-token") {
            throw UsageError("--control-token wants a --control-port")
        }
        let isSayable = controlToken?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true
        if controlPort != nil, !isSayable {
            throw UsageError("the control token has a character that no header may have")
        }
    }

    /// As in a URL: `[::1]` is `::1`.
    private static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private mutating func take(scenario path: String) throws(UsageError) {
        let plan = ScenarioLoader().planForServing(path, throughTLS: usesTLS)
        for diagnostic in plan.diagnostics { Terminal.error(diagnostic.text) }
        guard plan.isValid, let planned = plan.planned.first, planned.notYetSupported.isEmpty
        else {
            throw UsageError("\(path) cannot be served", isAboutScenario: true)
        }
        let judge = ServedJudge(planned)
        settings = judge.settings
        self.judge = judge
        faults = planned.scenario.faults
        scenario = planned
    }

    private mutating func write(sources path: String) throws(UsageError) {
        guard let judge else { throw UsageError("--sources wants a --scenario with steps") }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            try judge.writeSources(to: path)
        } catch {
            throw UsageError("cannot write what the steps upload: \(error)")
        }
        sourcesPath = path
    }

    private mutating func take(faults texts: [String]) throws(UsageError) {
        let loader = ScenarioLoader()
        for text in texts {
            let read = loader.fault(text, position: faults.count + 1)
            for diagnostic in read.diagnostics { Terminal.error(diagnostic.text) }
            guard let rule = read.rule, read.diagnostics.allSatisfy({ $0.severity == .warning })
            else {
                throw UsageError("--fault \"\(text)\" is no fault that can be carried out")
            }
            if let obstacle = rule.obstacle(throughTLS: usesTLS) {
                throw UsageError("--fault \"\(text)\": \(obstacle)")
            }
            faults.append(rule)
        }
    }

    private mutating func take(data text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw UsageError("--data takes FILE=OBJECT, not '\(text)'")
        }
        let file = String(parts[0])
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw UsageError("--data: \(file) cannot be read")
        }
        settings.objects.append(
            BackendSettings.GivenObject(
                path: String(parts[1]), content: Content(.file(path: file))))
    }
}
