import Glibc
import Scenario
import ScenarioRunner
import StorageModel

/// What `squall run` was asked for, checked.
struct RunOptions {
    enum Report: Hashable {
        case console
        case junit(path: String)
        case json(path: String)
    }

    var seed: UInt64 = 1
    var jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// On the wall clock: always for a child process.
    var isRealTime = false
    /// Factor for every duration on the wall clock; nil: as the client's capabilities say.
    var timeScale: Double?
    /// Whether passed scenarios are judged once more with falsified evidence: always for a child.
    var isControlled = false
    /// How often the whole run is repeated.
    var runs = 1
    /// Of wall time: what does not fit is not run; nil: as long as it takes.
    var budget: Duration?
    /// The folder for the logs of the client, one for each scenario; nil: none is kept.
    var clientLogs: String?
    /// Records that each scenario's server keeps.
    var journalLimit = 100_000
    var reports: [Report] = []
    /// Whether a patch of the expectations of failed scenarios is printed; reports then go beside it.
    var proposesUpdate = false
    /// Where the lines to and from the client are kept; nil: nowhere.
    var transcripts: TranscriptFolder?
    /// The client under test; without it and without a file: the reference client in this process.
    var command: [String]?
    /// The port at which the client dials in, which `command` opens.
    var dialIn: UInt16?
    /// The path of the client's file.
    var clientFile: String?
    /// Name or file of the client's profile; nil: `documented`, or what the client's file says.
    var profile: String?
    var selection = Planning.Selection()

    /// - Throws: `UsageError` for the first value that is out of range.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        seed = try arguments.number("--seed", in: 0...UInt64.max) ?? seed
        jobs = try arguments.number("--jobs", in: 1...64) ?? jobs
        runs = try arguments.number("--repeat", in: 1...100_000) ?? runs
        journalLimit = try arguments.number("--journal-limit", in: 1...10_000_000) ?? journalLimit
        command = arguments.childCommand
        clientFile = arguments.value("--client")
        dialIn = try arguments.number("--dial-in", in: 0...65535)
        if clientFile != nil, dialIn != nil {
            throw UsageError("--client and --dial-in name a client each: the file has 'dial-in'")
        }
        if clientFile != nil, command != nil {
            throw UsageError(
                "--client and '--' name a client each: the command belongs into the client file, as "
                    + "'command: \(CommandLineParts.shell(arguments.childCommand ?? []))'")
        }
        let isOutside = command != nil || clientFile != nil || dialIn != nil
        isRealTime = arguments.has("--real-time") || isOutside
        isControlled = arguments.has("--controls") || isOutside
        profile = arguments.value("--profile")
        clientLogs = arguments.value("--client-logs")
        if let text = arguments.value("--budget") {
            guard let budget = ScalarText.duration(text), budget > .zero else {
                throw UsageError("--budget takes a duration like 5m, not '\(text)'")
            }
            self.budget = budget
        }
        proposesUpdate = arguments.has("--update")
        if proposesUpdate, runs > 1 { throw UsageError("--update goes with one run") }
        selection = try Planning.Selection(arguments)
        transcripts = try TranscriptFolder(arguments)
        if let text = arguments.value("--time-scale") {
            guard isRealTime else {
                throw UsageError(
                    "--time-scale goes with --real-time, with --client or with a command")
            }
            guard let scale = Double(text), ClientFile.timeScales.contains(scale) else {
                throw UsageError("--time-scale takes a factor from 0.01 to 10, not '\(text)'")
            }
            timeScale = scale
        }
        for text in arguments.values("--report") { reports.append(try Self.report(text)) }
        if reports.isEmpty { reports = [.console] }
    }

    /// What repeats a scenario of this run.
    func commandLine(paths: [String]) -> CommandLineParts {
        var parts = CommandLineParts(paths: paths)
        parts.isRealTime = isRealTime
        parts.timeScale = timeScale
        parts.client = command
        parts.dialIn = dialIn
        parts.clientFile = clientFile
        parts.profile = profile
        return parts
    }

    private static func report(_ text: String) throws(UsageError) -> Report {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.count > 1 ? String(parts[1]) : nil
        switch (parts[0], path) {
        case ("console", nil): return .console
        case ("junit", let path?) where !path.isEmpty: return .junit(path: path)
        case ("json", let path?) where !path.isEmpty: return .json(path: path)
        case ("junit", _), ("json", _): throw UsageError("--report \(parts[0]) needs =FILE")
        default:
            throw UsageError(
                "unknown report '\(parts[0])'",
                hint: Spelling.nearest(
                    to: String(parts[0]), among: ["console", "junit", "json"]))
        }
    }
}

extension TranscriptFolder {
    /// Nil without `--transcript`.
    fileprivate convenience init?(_ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.value("--transcript") else { return nil }
        guard arguments.childCommand != nil || arguments.has("--client") else {
            throw UsageError("--transcript goes with a client that speaks lines: -- COMMAND")
        }
        do {
            try self.init(path: path)
        } catch {
            throw UsageError("--transcript: no folder can be made at \(path)")
        }
    }
}
