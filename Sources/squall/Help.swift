/// The help texts, made from the descriptions of the commands.
enum Help {
    static let overview: String = {
        let width = CommandSpec.all.map(\.name.count).max() ?? 0
        let commands = CommandSpec.all.map { command in
            "  squall " + command.name.padded(to: width + 2) + command.summary
        }
        return """
            squall: tests clients of cloud storage under faults at an exact byte

            \(commands.joined(separator: "\n"))

              squall COMMAND --help   options and an example
              squall --version        the version
            """
    }()

    static func text(of command: CommandSpec) -> String {
        let names = command.options.map { option in
            option.name + (option.argument.map { " " + $0 } ?? "")
        }
        let width = min(names.map(\.count).max() ?? 0, 34)
        let options = zip(names, command.options).map { name, option in
            name.count > width
                ? "  \(name)\n  \("".padded(to: width + 2))\(option.summary)"
                : "  " + name.padded(to: width + 2) + option.summary
        }
        let paths =
            command.takesPaths ? "\n\n\(command.operand)" : ""
        return """
            squall \(command.name): \(command.summary)

            usage: \(command.usage)\(paths)

            options:
            \(options.joined(separator: "\n"))

            examples:
            \(command.example.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
            """
    }
}

extension String {
    /// The text with spaces behind it, at least `width` characters long.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
