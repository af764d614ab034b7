/// What the command line asks for.
struct Options {
    var transitions = 20_000
    var transfers = 400
    var cancels = 0
    var seed: UInt64?
    /// Seconds for each part.
    var seconds = 3_600
    var checksItself = true
    var isOneThread = false
    /// A round of the scripted part, alone.
    var round: Int?
    /// A batch of transfers, alone.
    var batch: Int?
    /// How often a round or a batch is played.
    var times = 1
    var isJSON = false

    static let usage = """
        usage: squall-stress [OPTIONS]

        Calls tasks of the client from three threads at once and from inside their callbacks, and holds
        what their observers see against the rules.

          --transitions N   events of tasks that a script drives (20000; 0: none)
          --transfers N     real uploads and downloads, with faults (400; 0: none)
          --cancels N       transfers at full speed that are cancelled at any instant (0)
          --seed S          of everything that chance decides (a new one; it is printed)
          --seconds S       after which each part begins nothing new (3600)
          --no-self-check   leaves out the proof that broken rules are noticed
          --one-thread      scripted tasks call by call on one thread: the same seed, the same calls
          --round N         only this scripted round, --times N times
          --batch N         only this batch of transfers, --times N times
          --json            the figures of the cancels as JSON

        The last line is `N passed, N failed`; the exit code is 0 when nothing failed, 1 when
        something did, 2 for a command line that makes no sense.
        """

    /// - Throws: `Mistake` with the sentence to print.
    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--transitions": transitions = try Self.number(name, &rest)
            case "--transfers": transfers = try Self.number(name, &rest)
            case "--cancels": cancels = try Self.number(name, &rest)
            case "--seconds": seconds = try Self.number(name, &rest)
            case "--round": round = try Self.number(name, &rest)
            case "--batch": batch = try Self.number(name, &rest)
            case "--times": times = max(1, try Self.number(name, &rest))
            case "--seed": seed = UInt64(try Self.number(name, &rest))
            case "--no-self-check": checksItself = false
            case "--one-thread": isOneThread = true
            case "--json": isJSON = true
            default: throw Mistake(text: "there is no option '\(name)'")
            }
        }
        if round != nil { transfers = 0 }
        if batch != nil { transitions = 0 }
        if round != nil || batch != nil {
            cancels = 0
            checksItself = false
        }
    }

    struct Mistake: Error { let text: String }

    private static func number(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> Int {
        guard let text = rest.popFirst(), let number = Int(text), number >= 0 else {
            throw Mistake(text: "'\(name)' wants a number, 0 or more")
        }
        return number
    }
}
