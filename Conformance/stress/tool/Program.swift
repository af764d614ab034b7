import EventLoop
import Stress

/// The parts one after the other.
struct Program {
    private let options: Options
    private let seed: UInt64
    var output: Output

    init(_ options: Options) {
        self.options = options
        var random = SystemRandomNumberGenerator()
        // Short enough to be typed.
        seed = options.seed ?? UInt64(random.next() as UInt32)
        output = Output(isQuiet: options.isJSON)
    }

    mutating func run() throws {
        output.say("seed \(seed)")
        if options.checksItself { try checkItself() }
        if options.transitions > 0 { try scripted() }
        if options.transfers > 0 || options.batch != nil { try transfers() }
        if options.cancels > 0 { try cancels() }
        output.say("\(output.passed) passed, \(output.failed) failed")
    }

    private mutating func checkItself() throws {
        for probe in SelfCheck.scripted {
            let noticed = try probe.run(seed: seed)
            output.check(
                "notices when \(probe.name)", !noticed.isDisjoint(with: probe.expected),
                Self.list(noticed))
        }
        for (mischief, expected) in SelfCheck.transfers {
            let noticed = try SelfCheck.run(mischief, seed: seed)
            output.check(
                "notices when \(mischief.rawValue)", !noticed.isDisjoint(with: expected),
                Self.list(noticed))
        }
    }

    private static func list(_ rules: Set<Violation.Rule>) -> String {
        rules.map(\.rawValue).sorted().joined(separator: ", ")
    }

    private mutating func scripted() throws {
        var settings = ScriptedStress.Settings(
            seed: seed, transitions: options.transitions, limit: .seconds(options.seconds))
        settings.isOneThread = options.isOneThread
        if let round = options.round {
            settings.firstRound = round
            settings.repeats = options.times
        }
        let report = try ScriptedStress.run(settings)
        output.count(good: report.goodRounds)
        output.say(
            "scripted: \(report.transitions) transitions of \(report.rounds) tasks, "
                + "\(report.calls) calls \(options.isOneThread ? "on one thread" : "from 3 threads")"
                + " and inside callbacks, \(output.seconds)")
        output.say("  ends: \(Output.list(report.ends))")
        if options.isOneThread { output.say("  digest: \(String(report.digest, radix: 16))") }
        for finding in report.findings {
            let thread = options.isOneThread ? " --one-thread" : ""
            let round = finding.number.map { "\($0)" } ?? "0"
            output.tell(finding, "--seed \(seed) --round \(round) --times 2000\(thread)")
        }
        if options.round == nil, report.transitions < options.transitions {
            output.check("enough transitions", false, "\(report.transitions)")
        }
    }

    private mutating func transfers() throws {
        var settings = TransferStress.Settings(
            seed: seed, transfers: options.transfers, limit: .seconds(options.seconds))
        settings.batch = options.batch
        settings.times = options.times
        let report = try TransferStress.run(settings)
        output.count(good: report.good)
        output.say(
            "transfers: \(report.transfers), \(report.virtual) of them in virtual time, "
                + "\(report.events) events, \(report.pauses) pauses, \(report.exchanges) "
                + "exchanges, \(report.faultsFired) faults fired, \(output.seconds)")
        output.say("  ends: \(Output.list(report.ends))")
        output.say("  digest of virtual time: \(String(report.digest, radix: 16))")
        let (early, late) = report.memory
        output.say("  private memory: \(early >> 20) MiB early, \(late >> 20) MiB at the end")
        for finding in report.findings {
            let batch = finding.number.map { "\($0)" } ?? "0"
            output.tell(finding, "--seed \(seed) --batch \(batch) --times 200")
        }
        if options.batch == nil, report.transfers < options.transfers {
            output.check("enough transfers", false, "\(report.transfers)")
        }
    }

    private mutating func cancels() throws {
        let settings = CancelStress.Settings(
            seed: seed, cancels: options.cancels, limit: .seconds(options.seconds))
        let report = try CancelStress.run(settings)
        output.count(good: report.good)
        let figures = [
            ("p50", report.latency(at: 0.5)), ("p99", report.latency(at: 0.99)),
            ("max", report.latency(at: 1)),
        ]
        if options.isJSON {
            let fields = figures.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
            print(
                "{\"cancels\": \(report.cancels), \"late\": \(report.late), "
                    + "\"violations\": \(report.findings.count), \(fields)}")
        }
        output.say(
            "cancels: \(report.cancels), \(report.late) of them too late, \(output.seconds)")
        output.say("  ends: \(Output.list(report.ends))")
        for (kind, duration) in report.durations.sorted(by: { $0.key < $1.key }) {
            output.say("  \(kind): \(Int(duration)) ms without a cancel")
        }
        let text = figures.map { "\($0.0) \(Double(Int($0.1 * 1000)) / 1000) ms" }
        output.say("  from the call to the failure: \(text.joined(separator: ", "))")
        for finding in report.findings {
            output.tell(finding, "--seed \(seed) --transitions 0 --transfers 0 --cancels 2800")
        }
        if report.cancels < options.cancels {
            output.check("enough cancels", false, "\(report.cancels)")
        }
    }
}
