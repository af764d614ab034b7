import ClientDriver
import Foundation
import Reporting
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// `squall client init`: asks a client what it can do, runs the smoke set, writes its client file.
struct ClientInitCommand {
    private let arguments: ParsedArguments
    private let options: RunOptions
    /// The file that is written.
    private let path: String
    /// As it will stand in the file.
    private let command: [String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let command = arguments.childCommand else {
            throw UsageError("'client init' needs the client's command: -- COMMAND ARGS...")
        }
        self.arguments = arguments
        var options = try RunOptions(arguments)
        options.selection.isSmoke = true
        path = arguments.value("-o") ?? "client.yaml"
        self.command = ClientFolder(of: path).moved(command)
        options.command = nil
        options.clientFile = path
        self.options = options
    }

    func perform() throws(UsageError) -> ExitCode {
        try checkPlace()
        do {
            return try make()
        } catch let error as UsageError {
            throw error
        } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
    }

    private func make() throws -> ExitCode {
        let unknown = try client(name: command[0])
        Interruption.watch()
        let introduction = try OwnLoop.run { await Introduction(unknown, isKnown: false) }
        guard let hello = introduction.hello else {
            let what = introduction.silence.map { "\($0)" } ?? "did not say who it is"
            Terminal.error("squall: the client \(what)")
            for line in introduction.lastLines { Terminal.error("  | \(line)") }
            return .red
        }
        let profileName = options.profile ?? hello.profile
        let profile = try ProfileChoice(profileName).profile
        let planning = FileRights.regained { Planning(arguments, options.selection) }
        guard planning.isValid else { return .invalidScenario }
        let offered = hello.capabilities.sorted().map(\.rawValue).joined(separator: ", ")
        Terminal.print("\(hello.name) \(hello.version) offers \(offered)")
        let conductor = RunConductor(
            RunPlan(options, try client(name: hello.name), profile, planning.planned),
            introduction)
        let report = try OwnLoop.run { await conductor.run() }
        guard !Interruption.hasCome else {
            Terminal.error("squall: interrupted: \(path) was not written")
            return .infrastructure
        }
        try write(text(hello, report, profileName))
        show(report)
        return .asPlanned
    }

    // MARK: Private parts

    /// Nothing is run for a file that could not be written.
    private func checkPlace() throws(UsageError) {
        let folder = ClientFolder(of: path).path
        let (hasFolder, isThere) = FileRights.regained {
            (access(folder + "/.", F_OK) == 0, access(path, F_OK) == 0)
        }
        guard hasFolder else { throw UsageError("there is no folder '\(folder)' for \(path)") }
        guard !isThere || arguments.has("--force") else {
            throw UsageError(
                "\(path) is there already: --force writes over it, -o FILE takes another name")
        }
    }

    /// The client, as the file that is to be written describes it.
    private func client(name: String) throws(UsageError) -> ClientUnderTest {
        let place = SourcePlace(file: path, line: 1, column: 1)
        var file = ClientFile(file: path, name: Placed(name, place))
        file.command = Placed(command, place)
        file.timeScale = options.timeScale
        if let mistake = ClientFileCheck(file).diagnostics.first {
            throw UsageError(mistake.message, hint: mistake.suggestion)
        }
        return ClientUnderTest(.file(file))
    }

    private func text(
        _ hello: ClientHello, _ report: RunReport, _ profile: String
    ) -> String {
        var text = ClientFileText(
            name: hello.name, version: hello.version, command: command,
            profile: ClientFolder(of: path).moved(profile: profile),
            suite: Installation.suiteVersion, capabilities: hello.capabilities)
        text.timeScale = options.timeScale
        text.failed = report.results.filter { $0.verdict == .failed }.map { result in
            ClientFileText.Failed(
                id: result.id, headline: result.failures.first?.line ?? "failed",
                failure: result.labels)
        }
        return text.text
    }

    private func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        let diagnostics = ClientFile.read(bytes, file: path).diagnostics
        if let first = diagnostics.first { throw first }
        try FileRights.regained {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        }
    }

    private func show(_ report: RunReport) {
        let red = report.results.filter { $0.verdict.isRed }
        for result in red {
            let first = result.failures.first.map { ": \($0.sentence)" } ?? ""
            Terminal.print("\(result.verdict.text.uppercased()) \(result.id)\(first)")
        }
        Terminal.write(ReportWriter.console.summary(report))
        let name = CommandLineParts.shell([path])
        let first =
            red.isEmpty
            ? "squall run --client \(name) --smoke"
            : "squall run --client \(name) --smoke --filter \(CommandLineParts.shell([red[0].id]))"
        Terminal.print(
            """

            wrote \(path)
            next:
              \(first)
              squall run --client \(name)
              squall client check \(name)     after each change of the file
            """)
    }
}
