import Mutants
import StorageModel

/// What the command line asks for.
struct Options {
    var paths: [String] = []
    var filters: [Glob] = []
    var mutants: [Glob] = []
    var jobs = 2
    var seed: UInt64 = 1
    var drawn = 30
    var depth = Search.Depth.quick
    var page: String?
    var json: String?
    var updates = false
    var lists = false

    /// Where the lists lie, from the root of the repository.
    static let folder = "Conformance/mutants"

    static let usage = """
        usage: squall-mutants [OPTIONS] [SCENARIOS...]

        Runs scenarios (all of `scenarios` unless some are named) in virtual time against wrong
        clients, each the reference client with one mistake, and says which of them are caught, by
        what, which rules that covers, and which scenarios no mistake turns red. To be run in the root
        of the repository.

          --all             every scenario against every mutant; without it what is known is run
                            again and only what is missing is looked for
          --first           each mutant until it is caught, and no tables
          --mutant GLOB     only these mutants
          --filter GLOB     only these scenarios
          --jobs N          mutants at once (2)
          --seed S          of the scenarios and of the drawn mutants (1)
          --drawn N         so many mutants are drawn by chance (30)
          --list            the mutants, and nothing is run
          --page FILE       holds a page against what is found; with --update it is written
          --json FILE       everything that was found, as JSON
          --update          writes anew what is known of mutants and scenarios, from --all

        The last line is `N of M mutants caught`; the exit code is 0 when every mutant is caught or
        shown to be no mistake, every rule is covered or has its reason, every scenario is red for some
        mutant or has its reason, and Squall broke nowhere. 1: not so; 2: the command line or a file
        makes no sense.
        """

    struct Mistake: Error { let text: String }

    /// - Throws: `Mistake` with the sentence to print.
    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--all": depth = .whole
            case "--first": depth = .first
            case "--update": updates = true
            case "--list": lists = true
            case "--mutant": mutants.append(Glob(try Self.text(name, &rest)))
            case "--filter": filters.append(Glob(try Self.text(name, &rest)))
            case "--page": page = try Self.text(name, &rest)
            case "--json": json = try Self.text(name, &rest)
            case "--jobs": jobs = max(1, try Self.number(name, &rest))
            case "--seed": seed = UInt64(try Self.number(name, &rest))
            case "--drawn": drawn = try Self.number(name, &rest)
            default:
                guard !name.hasPrefix("-") else {
                    throw Mistake(text: "there is no option '\(name)'")
                }
                paths.append(name)
            }
        }
        if updates, depth != .whole {
            throw Mistake(text: "--update wants --all: only that knows everything")
        }
    }

    /// True where a part of it all is run, about which the lists say nothing.
    var isPartial: Bool { !paths.isEmpty || !filters.isEmpty || !mutants.isEmpty }

    private static func text(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> String {
        guard let text = rest.popFirst() else { throw Mistake(text: "'\(name)' wants a value") }
        return text
    }

    private static func number(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> Int {
        guard let text = rest.popFirst(), let number = Int(text), number >= 0 else {
            throw Mistake(text: "'\(name)' wants a number, 0 or more")
        }
        return number
    }
}
