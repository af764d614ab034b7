import ClientDriver
import Glibc
import RunModel
import StorageModel

/// The command line: finds the command, runs it, ends with its exit code.
@main
enum Squall {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        SignalMask.open()
        let words = Array(CommandLine.arguments.dropFirst())
        // Here, for there are no other threads yet.
        if words.first == "run" { FileRights.giveUp() }
        exit(run(words).rawValue)
    }

    private static func run(_ words: [String]) -> ExitCode {
        guard let first = words.first else {
            Terminal.error(Help.overview)
            return .usage
        }
        switch first {
        case "--version", "version":
            Terminal.print("squall \(Version.tool)")
            return .asPlanned
        case "--help", "-h", "help":
            return help(for: words.dropFirst().first)
        default: break
        }
        guard let command = CommandSpec.all.first(where: { $0.name == first }) else {
            let hint = Spelling.nearest(to: first, among: CommandSpec.all.map(\.name))
            return usageError("unknown command '\(first)'", hint: hint)
        }
        do throws(UsageError) {
            let arguments = try ArgumentParser(command).parse(Array(words.dropFirst()))
            if arguments.wantsHelp {
                Terminal.print(Help.text(of: command))
                return .asPlanned
            }
            return try perform(command, arguments)
        } catch {
            if error.isAboutScenario {
                if !error.message.isEmpty { Terminal.error("squall: \(error.message)") }
                return .invalidScenario
            }
            return usageError(error.message, hint: error.hint, command: command.name)
        }
    }

    private static func perform(
        _ command: CommandSpec, _ arguments: ParsedArguments
    ) throws(UsageError) -> ExitCode {
        switch command.kind {
        case .run: try RunCommand(arguments).perform()
        case .check: try CheckCommand(arguments).perform()
        case .list: try ListCommand(arguments).perform()
        case .serve: try ServeCommand(arguments).perform()
        case .faults: try FaultsCommand(arguments).perform()
        }
    }

    private static func help(for name: String?) -> ExitCode {
        guard let name else {
            Terminal.print(Help.overview)
            return .asPlanned
        }
        guard let command = CommandSpec.all.first(where: { $0.name == name }) else {
            let hint = Spelling.nearest(to: name, among: CommandSpec.all.map(\.name))
            return usageError("unknown command '\(name)'", hint: hint)
        }
        Terminal.print(Help.text(of: command))
        return .asPlanned
    }

    private static func usageError(
        _ message: String, hint: String?, command: String? = nil
    ) -> ExitCode {
        Terminal.error("squall: \(message)" + (hint.map { "; did you mean '\($0)'?" } ?? ""))
        Terminal.error("Try 'squall \(command.map { $0 + " " } ?? "")--help'.")
        return .usage
    }
}
