import StorageModel
import Testing

@testable import EventMatching

@Suite("Invariants over events and exchanges")
struct InvariantChecksTests {
    static func violations(
        _ task: TaskRecord, _ exchanges: [ExchangeRecord] = []
    ) -> [String] {
        InvariantChecks(task, exchanges: exchanges).violations().map {
            "\($0.invariant.rawValue): \($0.sentence)"
        }
    }

    static let good: [TaskRecord] = [
        Samples.task("resume", "progress:100", "progress:1000", "success:1000"),
        Samples.task(
            "resume", "progress:5", "pause:5", "resume:5", "progress:1000", "success:1000"),
        Samples.task("failure:unknown"), Samples.task("resume", "pause", "failure:cancelled"),
        Samples.task("resume", "progress:100", "pause:100"),
        Samples.task("pause", "resume", "success:1000"),
    ]

    @Test("Hold for honest tasks", arguments: good.indices)
    func hold(index: Int) { #expect(Self.violations(Self.good[index]) == []) }

    struct Bad: Sendable, CustomTestStringConvertible {
        let events: String
        let wanted: [String]
        var testDescription: String { events }

        init(_ events: String, _ wanted: String...) {
            self.events = events
            self.wanted = wanted
        }
    }

    @Test(
        "Each is violated by the client that breaks it, and says how",
        arguments: [
            Bad(
                "resume success:1000 success:1000",
                "one-terminal: the terminal event came twice: success at 1s and success at 2s"),
            Bad(
                "resume success:1000 success:1000 success:1000",
                "one-terminal: the terminal event came 3 times: success at 1s and success at 2s"),
            Bad(
                "resume success:1000 failure:unknown",
                "one-terminal: two terminal events came: success at 1s and failure(unknown) at 2s"),
            Bad(
                "resume progress:5",
                "one-terminal: it never ended: the last event was progress at 1s"),
            Bad("", "one-terminal: no event came at all, not even a terminal one"),
            Bad(
                "resume success:1000 progress:1000",
                "nothing-after: progress 1000 bytes of 1000 bytes at 2s came after the end: "
                    + "success had come at 1s",
                "progress-monotone-not"),
            Bad(
                "resume progress:1001 success:1001",
                "progress-bounds: progress at 1s told 1001 bytes of 1000 bytes"),
            Bad(
                "resume progress:-5 success:1000",
                "progress-bounds: progress at 1s told -5 bytes of 1000 bytes"),
            Bad(
                "resume progress:500 progress:400 success:1000",
                "progress-monotone: progress went down from 500 bytes at 1s to 400 bytes at 2s, "
                    + "and no answer had told less"),
            Bad(
                "resume progress:500 success:0",
                "progress-monotone: success went down from 500 bytes at 1s to 0 bytes at 2s, "
                    + "and no answer had told less"),
            Bad(
                "resume pause progress:300 resume success:1000",
                "quiet-while-paused: progress went on to 300 bytes at 2s after pause at 1s, "
                    + "without a resume between them"),
            Bad(
                "resume pause success:1000",
                "quiet-while-paused: success came at 2s while paused since 1s"),
            Bad(
                "resume pause pause resume success:1000",
                "alternation: pause came twice, at 1s and at 2s, without a resume between them"),
            Bad(
                "resume resume success:1000",
                "alternation: resume came twice, at 0s and at 1s, without a pause between them"),
        ])
    func areViolated(bad: Bad) {
        let task = Samples.task(list: bad.events.split(separator: " ").map(String.init))
        #expect(Self.violations(task) == bad.wanted.filter { !$0.hasSuffix("-not") })
    }

    @Test("A task whose process was ended, or that has no recorder, needs no terminal event")
    func excusesCutOffTasks() {
        var task = Samples.task("resume", "progress:5")
        task.isCutOff = true
        #expect(Self.violations(task) == [])
        task = Samples.task()
        task.hasRecorder = false
        #expect(Self.violations(task) == [])
    }

    @Test("The completion comes once, in agreement, and not uninvited")
    func checksCompletions() {
        let good = Samples.task("resume", "failure:cancelled")
        func problem(_ change: (inout TaskRecord) -> Void) -> [String] {
            var task = good
            change(&task)
            return Self.violations(task)
        }
        #expect(
            problem { $0.completions = [] } == [
                "completion: the completion was never called, although failure(cancelled) came at 1s"
            ])
        #expect(
            problem {
                $0.completions.append(
                    .init(error: ClientError(code: .cancelled), time: .seconds(3)))
            }
                == ["completion: the completion was called 2 times: at 1s and at 3s"])
        #expect(
            problem { $0.completions[0].error = nil } == [
                "completion: the completion said success, the terminal event failure(cancelled)"
            ])
        #expect(
            problem { $0.completions[0].error = ClientError(code: .unknown) } == [
                "completion: the completion said failure(unknown), the terminal event "
                    + "failure(cancelled)"
            ])
        #expect(
            problem { $0.hasCompletion = false } == [
                "completion: a completion was called that nobody gave"
            ])
        #expect(
            problem {
                $0.hasCompletion = false
                $0.completions = []
            } == [])
        #expect(
            problem { $0.events = Samples.events("resume", "pause") } == [
                "completion: the completion said failure(cancelled) at 1s, but no terminal event came"
            ])
        var success = Samples.task("resume", "success:1000")
        success.completions[0].error = ClientError(code: .unknown)
        #expect(Self.violations(success).count == 1)
    }

    @Test("A changed total is told with both events, an unknown one is none")
    func checksTotals() {
        var task = Samples.task("resume", "progress:5", "success:900")
        task.events[0].total = nil
        #expect(Self.violations(task) == [])
        task.events[2].total = 900
        #expect(
            Self.violations(task) == [
                "progress-total: the total changed from 1000 bytes (progress at 1s) to 900 bytes "
                    + "(success at 2s)"
            ])
    }

    @Test(
        "Progress may go down where an answer told less or the transfer began again",
        arguments: [
            ("upload.query start=1200 end=1400 reported=400", true),
            ("upload.query start=1200 end=1400 reported=500", false),
            ("upload.query start=1200 end=1400", false),
            ("upload.query start=1200 end=1400 status=503", false),
            ("upload.chunk start=1200 end=1400 reported=400", true),
            ("upload.chunk start=1200 end=1400", false),
            ("upload.start start=1200 end=1400", true),
            ("upload.start start=1200 end=1400 status=503", false),
            ("upload.query start=100 end=200 reported=400", false),
            ("upload.query start=2500 end=2600 reported=400", false),
            ("download start=1200 end=1400 offset=0", true), ("download start=1200 end=1400", true),
            ("download start=1200 end=1400 offset=500 status=206", false),
            ("download start=1200 end=1400 offset=300 status=206", true),
            // The range was ignored: the whole object comes once more.
            ("download start=1200 end=1400 offset=500 status=200", true),
            ("download start=1200 end=1400 offset=500 status=503", false),
            ("metadata.get start=1200 end=1400", false),
        ])
    func excusesFalls(exchange: String, isExcused: Bool) {
        let task = Samples.task("resume", "progress:500", "progress:400", "success:1000")
        #expect(Self.violations(task, Samples.log(exchange)).isEmpty == isExcused)
    }

    @Test("After a cancelled failure no request with object bytes begins")
    func checksSilence() {
        var task = Samples.task("resume", "failure:cancelled")
        let late = Samples.log("upload.chunk start=1500")
        #expect(
            Self.violations(task, late) == [
                "silent-after-cancel: upload.chunk (request 1) began at 1.5s, after the cancelled "
                    + "failure at 1s"
            ])
        #expect(Self.violations(task, Samples.log("upload.chunk start=900")) == [])
        #expect(Self.violations(task, Samples.log("upload.cancel start=1500")) == [])
        // At one and the same moment the count of heads decides.
        task.events[1].headsBefore = 0
        #expect(Self.violations(task, Samples.log("upload.chunk start=1000")).count == 1)
        task.events[1].headsBefore = 1
        #expect(Self.violations(task, Samples.log("upload.chunk start=1000")) == [])
        task.events[1].error = ClientError(code: .unknown)
        task.completions[0].error = ClientError(code: .unknown)
        #expect(Self.violations(task, late) == [])
    }

    @Test(
        "Where heads were counted, a request whose answer came before the first event excuses nothing",
        arguments: [
            // An answer that came before another request; the newest request; one that came later.
            (["upload.start start=1000", "upload.chunk start=1000"], [2, 2], false),
            (["upload.chunk start=1000", "upload.start start=1000"], [2, 2], true),
            (["upload.chunk start=1000", "upload.start start=1000"], [1, 2], true),
            (["upload.chunk start=1000", "upload.start start=1000"], [1, 1], false),
            // A first download that is under way, a second one.
            (["download start=1000 offset=0"], [1, 1], false),
            (["download start=1000 offset=0", "download start=1000 offset=0"], [1, 2], true),
        ])
    func countsHeads(exchanges: [String], heads: [Int], isExcused: Bool) {
        var task = Samples.task("resume", "progress:500", "progress:400", "success:1000")
        for index in task.events.indices { task.events[index].time = .seconds(1) }
        task.events[1].headsBefore = heads[0]
        task.events[2].headsBefore = heads[1]
        task.events[3].headsBefore = heads[1]
        #expect(Self.violations(task, Samples.log(exchanges)).isEmpty == isExcused)
    }

    @Test("On the wall clock a request that was under way and given up is no new beginning")
    func sparesRequestsUnderWay() {
        let task = Samples.task("resume", "failure:cancelled")
        var log = Samples.log("upload.chunk start=1020")
        func isSpared(_ grace: Duration) -> Bool {
            InvariantChecks(task, exchanges: log, grace: grace).violations().isEmpty
        }
        log[0].ending = .clientLeft
        #expect(isSpared(.milliseconds(50)))
        #expect(!isSpared(.milliseconds(20)))
        #expect(!isSpared(.zero))
        log[0].ending = .complete
        #expect(!isSpared(.milliseconds(50)))
    }

    @Test("Heads are counted as they arrive, not as they are let in")
    func countsArrivals() {
        var task = Samples.task("resume", "failure:cancelled")
        task.events[1].headsBefore = 5
        var log = Samples.log("upload.chunk start=1000")
        log[0].arrival = 6
        #expect(Self.violations(task, log).count == 1)
        log[0].arrival = 5
        #expect(Self.violations(task, log).isEmpty)
    }

    @Test("A complaint is a violation unless it is expected, and an expected one must come")
    func checksComplaints() {
        var log = Samples.log("upload.chunk")
        log[0].complaints = [Complaint(.offsetMismatch, sentence: "offset 5 is not 0")]
        #expect(
            InvariantChecks.complaints(in: log).map(\.sentence) == [
                "the server complains about upload.chunk (request 1), offset-mismatch: offset 5 is "
                    + "not 0"
            ])
        #expect(InvariantChecks.complaints(in: log, expected: .names(["offset-mismatch"])).isEmpty)
        #expect(
            InvariantChecks.complaints(in: [], expected: .names(["offset-mismatch"])).map(
                \.sentence)
                == ["the complaint 'offset-mismatch' was expected and never came"])
    }

    @Test("One that is switched off is not looked at")
    func switchesOff() {
        let task = Samples.task("resume", "success:1000", "success:1000")
        #expect(InvariantChecks(task, exchanges: []).violations(except: [.oneTerminal]).isEmpty)
    }

    @Test("A task's exchanges are those of its object and direction, until the next task's")
    func picksExchanges() {
        var log = Samples.log(
            "upload.start", "download", "upload.chunk path=b.bin", "upload.chunk", "upload.start")
        log[4].start = .seconds(10)
        let task = Samples.task("resume")
        let all = InvariantChecks.exchanges(of: task, in: log)
        #expect(all.map(\.ordinal) == [1, 4, 5])
        let some = InvariantChecks.exchanges(of: task, before: .seconds(10), in: log)
        #expect(some.map(\.ordinal) == [1, 4])
    }
}
