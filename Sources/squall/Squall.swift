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
        if CommandSpec.named(by: words)?.command.drivesClients == true { FileRights.giveUp() }
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
            return help(for: Array(words.dropFirst()))
        default: break
        }
        guard let (command, rest) = CommandSpec.named(by: words) else {
            if words.dropFirst().first == "--help" { return help(for: [first]) }
            return unknown(words)
        }
        do throws(UsageError) {
            let arguments = try ArgumentParser(command).parse(rest)
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
        case .clientInit: try ClientInitCommand(arguments).perform()
        case .clientCheck: try ClientCheckCommand(arguments).perform()
        case .baselineUpdate: try BaselineCommand(arguments).perform()
        case .schema: try SchemaCommand(arguments).perform()
        case .rules: try RulesCommand(arguments).perform()
        case .new: try NewCommand(arguments).perform()
        case .drive: try DriveCommand(arguments).perform()
        }
    }

    private static func help(for words: [String]) -> ExitCode {
        guard let first = words.first else {
            Terminal.print(Help.overview)
            return .asPlanned
        }
        let family = CommandSpec.family(first)
        if let command = CommandSpec.named(by: words)?.command {
            Terminal.print(Help.text(of: command))
        } else if words.count == 1, !family.isEmpty {
            Terminal.print(family.map(Help.text).joined(separator: "\n\n"))
        } else {
            return unknown(words)
        }
        return .asPlanned
    }

    /// A command that there is not: one word, or a second word that does not go with the first.
    private static func unknown(_ words: [String]) -> ExitCode {
        let family = CommandSpec.family(words[0]).map(\.name)
        guard !family.isEmpty else {
            let hint = Spelling.nearest(to: words[0], among: CommandSpec.all.map(\.name))
            return usageError("unknown command '\(words[0])'", hint: hint)
        }
        guard words.count > 1, !words[1].hasPrefix("-") else {
            let all = family.map { "'\($0)'" }.joined(separator: " and ")
            return usageError("'\(words[0])' alone is no command; there are \(all)", hint: nil)
        }
        let name = words.prefix(2).joined(separator: " ")
        return usageError(
            "unknown command '\(name)'", hint: Spelling.nearest(to: name, among: family))
    }

    private static func usageError(
        _ message: String, hint: String?, command: String? = nil
    ) -> ExitCode {
        Terminal.error("squall: \(message)" + (hint.map { "; did you mean '\($0)'?" } ?? ""))
        Terminal.error("Try 'squall \(command.map { $0 + " " } ?? "")--help'.")
        return .usage
    }
}
