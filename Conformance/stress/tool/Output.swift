import EventLoop
import Glibc
import Stress

/// What is printed, and the two numbers of the last line.
struct Output {
    private(set) var passed = 0
    private(set) var failed = 0
    private let start = EventLoop.monotonic()
    let isQuiet: Bool

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    func say(_ text: String) {
        guard !isQuiet else { return }
        print(text)
        fflush(nil)
    }

    mutating func check(_ name: String, _ isGood: Bool, _ detail: String) {
        if isGood { passed += 1 } else { failed += 1 }
        say("\(isGood ? "ok" : "FAILED"): \(name): \(detail)")
    }

    mutating func count(good: Int) { passed += good }

    /// One finding with its tape and the command that plays it again.
    mutating func tell(_ finding: StressFinding, _ replay: String) {
        failed += 1
        say("FAILED: \(finding.place)")
        for violation in finding.violations.prefix(8) { say("  \(violation)") }
        for line in finding.tape { say("    | \(line)") }
        say("  again: squall-stress \(replay)")
    }

    var seconds: String {
        let milliseconds = (EventLoop.monotonic() - start) / 1_000_000
        let tenths = (milliseconds % 1000) / 100
        return "\(milliseconds / 1000).\(tenths) s"
    }

    static func list(_ counts: [String: Int]) -> String {
        counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
