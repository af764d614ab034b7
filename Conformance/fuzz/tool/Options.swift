/// What the command line asks for.
struct Options {
    var count = 20_000
    var first = 0
    var seed: UInt64?
    var jobs = 2
    var folders = ["scenarios", "Tests/ScenarioTests/Fixtures/cases"]
    var keep = ".build/fuzz"
    var checksItself = true
    /// A file to print instead of a run.
    var shown: Int?
    var asksHelp = false
    /// The file of the tally, in a worker.
    var tally: String?

    static let usage = """
        usage: squall-fuzz [OPTIONS]

        Loads scenario files that chance has changed, and writes out and loads again what they mean.

          --count N         files (20000)
          --seed S          of all that chance decides (a new one; it is printed)
          --first N         the number of the first file (0): a file is its number and the seed
          --jobs N          processes at once (2)
          --show N          prints the file with this number, and does nothing else
          --keep FOLDER     where files that failed are put (.build/fuzz)
          --no-self-check   leaves out the proof that a wrong writer, a crash and a hang are noticed

        Run it in the folder of the project. A file that ends the process or takes more than 10 s of CPU
        time is a finding like any other, and the run goes on behind it. The last line is
        `N passed, N failed`; the exit code is 0 when nothing failed, 1 when something did, 2 for a command
        line that makes no sense.
        """

    struct Mistake: Error { let text: String }

    /// - Throws: `Mistake` with the sentence to print.
    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--count": count = try Self.number(name, &rest)
            case "--first": first = try Self.number(name, &rest)
            case "--seed": seed = UInt64(try Self.number(name, &rest))
            case "--jobs": jobs = min(64, max(1, try Self.number(name, &rest)))
            case "--show": shown = try Self.number(name, &rest)
            case "--keep": keep = try Self.text(name, &rest)
            case "--worker": tally = try Self.text(name, &rest)
            case "--no-self-check": checksItself = false
            case "--help": asksHelp = true
            default: throw Mistake(text: "there is no option '\(name)'")
            }
        }
    }

    private static func text(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> String {
        guard let text = rest.popFirst() else { throw Mistake(text: "'\(name)' wants a value") }
        return text
    }

    private static func number(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> Int {
        guard let number = Int(try text(name, &rest)), number >= 0 else {
            throw Mistake(text: "'\(name)' wants a number, 0 or more")
        }
        return number
    }
}
