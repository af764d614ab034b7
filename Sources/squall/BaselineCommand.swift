import ClientDriver
import Foundation
import Reporting
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// `squall baseline update`: compares a client's lists with a run and prints the change that they
/// need as a diff.
struct BaselineCommand {
    private let arguments: ParsedArguments
    private let options: RunOptions
    private let clientFile: String
    private let reportFile: String?
    private let writes: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let clientFile = arguments.value("--client") else {
            throw UsageError("'baseline update' needs --client FILE")
        }
        self.clientFile = clientFile
        reportFile = arguments.value("--report")
        writes = arguments.has("--write")
        self.arguments = arguments.without(options: ["--report", "--write"])
        var options = try RunOptions(self.arguments)
        // Standard output is for the diff.
        options.reports = []
        self.options = options
        if reportFile != nil, !self.arguments.scenarioPaths.isEmpty {
            throw UsageError("--report is of a finished run, so there is no path to run")
        }
    }

    func perform() throws(UsageError) -> ExitCode {
        let plan = try RunPlan(arguments, options)
        guard let client = plan.client.file else { throw .alreadyTold }
        let before = try Self.bytes(of: clientFile)
        let results: [ScenarioResult]
        var hello: ClientHello?
        if let reportFile {
            results = try recorded(reportFile, client)
        } else {
            let run = try run(plan)
            guard let report = run.report else { return .infrastructure }
            hello = run.hello
            let problems = report.problems.filter { $0.kind == .missingCapability }
            for problem in problems { Terminal.error("squall: \(problem.sentence)") }
            guard problems.isEmpty else { return .red }
            results = report.results
        }
        let pairs = results.map { ($0.id, SuiteIDs.id(of: $0.id, file: $0.file)) }
        let lists = BoundLists(
            client, plan.profile, found: plan.found, planned: plan.scenarios, recorded: pairs)
        let proposal = BaselineProposal(lists.offered(hello), results: results)
        for remark in proposal.remarks { Terminal.error("squall: note: \(remark)") }
        guard !proposal.edit.isEmpty else {
            Terminal.error("squall: the lists of \(clientFile) say what is so")
            return .asPlanned
        }
        return try propose(proposal.edit, before)
    }

    // MARK: The run

    /// The report, nil where the machine broke, and what the client said of itself.
    private func run(
        _ plan: RunPlan
    ) throws(UsageError) -> (report: RunReport?, hello: ClientHello?) {
        guard !plan.scenarios.isEmpty else { throw UsageError("there is nothing to run") }
        Interruption.watch()
        do {
            return try OwnLoop.run {
                let introduction = await Introduction(plan.client)
                return (await RunConductor(plan, introduction).run(), introduction.hello)
            }
        } catch {
            Terminal.error("squall: \(error)")
            return (nil, nil)
        }
    }

    private func recorded(
        _ path: String, _ client: ClientFile
    ) throws(UsageError) -> [ScenarioResult] {
        let run: RecordedRun
        let bytes = try Self.bytes(of: path)
        do {
            run = try RecordedRun(json: Data(bytes))
        } catch {
            throw UsageError("\(path): \(error)")
        }
        guard run.client == client.name.value else {
            throw UsageError(
                "\(path) is of the client '\(run.client)', and \(clientFile) is that of "
                    + "'\(client.name.value)'")
        }
        if run.suiteVersion != Installation.suiteVersion {
            Terminal.error(
                "squall: note: the report is of suite \(run.suiteVersion), and this is "
                    + Installation.suiteVersion)
        }
        return run.results
    }

    // MARK: The change

    private func propose(_ edit: KnownListsEdit, _ before: [UInt8]) throws(UsageError) -> ExitCode {
        let script: LineScript
        do {
            script = try KnownListsFile.read(before, file: clientFile).script(edit)
        } catch {
            Terminal.error(error.text)
            throw .alreadyTold
        }
        let place = DiffPlace(clientFile)
        Terminal.write(String(decoding: UnifiedDiff.text(script, path: place.path), as: UTF8.self))
        guard writes else {
            if let folder = place.folder {
                Terminal.error("squall: the diff is for the folder \(folder)")
            }
            return .asPlanned
        }
        guard try Self.bytes(of: clientFile) == before else {
            throw UsageError("\(clientFile) was changed meanwhile, so nothing is written")
        }
        do {
            try Self.write(script.result, to: clientFile)
        } catch {
            Terminal.error("squall: \(clientFile) cannot be written: \(error)")
            return .infrastructure
        }
        if !edit.additions.isEmpty {
            Terminal.error("squall: fill in the blanks of \(clientFile): until then it is refused")
        }
        return .asPlanned
    }

    private static func bytes(of path: String) throws(UsageError) -> [UInt8] {
        do {
            return try FileRights.regained { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        } catch {
            throw UsageError("\(path) cannot be read")
        }
    }

    /// Puts the new text in the place of the old at once, with the same rights.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        try FileRights.regained {
            let url = URL(filePath: path).resolvingSymlinksInPath()
            let rights = try FileManager.default.attributesOfItem(atPath: url.path)[
                .posixPermissions]
            try Data(bytes).write(to: url, options: .atomic)
            if let rights {
                try FileManager.default.setAttributes(
                    [.posixPermissions: rights], ofItemAtPath: url.path)
            }
        }
    }
}

/// What a diff calls a file, and where it can be applied.
struct DiffPlace: Hashable {
    /// Relative, without `.` and `..`.
    let path: String
    /// The folder in which the diff applies; nil: the working directory.
    let folder: String?

    init(_ path: String) {
        let file = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath()
        let here = URL(filePath: FileManager.default.currentDirectoryPath)
            .standardizedFileURL.resolvingSymlinksInPath().path
        let prefix = here.hasSuffix("/") ? here : here + "/"
        if file.path.hasPrefix(prefix) {
            self.path = String(file.path.dropFirst(prefix.count))
            folder = nil
        } else {
            self.path = file.lastPathComponent
            folder = file.deletingLastPathComponent().path
        }
    }
}
