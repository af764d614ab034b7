import Scenario
import StorageModel
import Testing

@Suite("Scenarios written out and read again")
struct RoundTripTests {
    private static var suite: String { Fixtures.folder + "/../../../scenarios" }

    private static func failures(_ planned: [PlannedScenario]) -> [String] {
        planned.compactMap { row in
            RoundTrip.problem(with: row).map { "\(row.id): \($0)" }
        }
    }

    @Test("Every row of the suite means the same")
    func suite() {
        let plan = ScenarioLoader().plan([Self.suite])
        #expect(plan.isValid)
        #expect(plan.planned.count > 300)
        #expect(Self.failures(plan.planned) == [])
    }

    @Test("Every row of the field cases means the same")
    func fieldCases() {
        let plan = ScenarioLoader().plan([Fixtures.cases])
        #expect(plan.planned.count > 100)
        #expect(Self.failures(plan.planned) == [])
    }

    @Test("Every row of the fault table means the same")
    func faultTable() {
        var count = 0
        var failures: [String] = []
        for row in FaultTable.rows {
            let plan = FaultTable.plan(row)
            count += plan.planned.count
            failures += Self.failures(plan.planned)
        }
        #expect(count > 5_000)
        #expect(failures.prefix(5) == [])
    }

    @Test(
        "What a file seldom says means the same",
        arguments: [
            "symptom: 'no: really'\nabout: \" # \"\ntags: [nightly, a-b]\nsince: '1.2'",
            "exchanges: 5\nclock: virtual\ndeadline: 90m\nsettle: 0.0000005s\nrepeat: 3\nsmoke: true",
            "backend: {access: {rules: [{allow: [], path: '**', tokens: [], max-size: 5MiB}]}}",
            "backend: {tokens: {}, settings: {checksum-mismatch: ignore, offset-mismatch: append}}",
            "backend: {objects: {'a ${n}': {size: 5, seed: 1, copies: 12}, 'b: {': {text: \"\"}}}",
            "backend: {objects: {'${n}': {size: '${n}', seed: 1, custom: {k: '${n}'}, copies: 2000}}}",
            "backend: {objects: {a: {base64: AAEC}, b: {text: \"a\\r\\n\\x01\\u2028\"}}}",
            "faults: ['download#every 3 path=a b @ response-body 0.000001%: disconnect reset']",
            "faults: [{match: '*', do: {respond: {status: 503, body: {json: {a: '5', b: 5, c: null, "
                + "d: ['true', true]}}}}}]",
            "faults: [{match: upload.body, do: [{delay: {lognormal: {median: 1s, sigma: 1e-7, "
                + "max: 2d}}}, silence], at: request-body object 5, times: always, chance: 0.3%}]",
            "steps: [{repeat: 3, do: [{upload: 'a/${n}', as: up, data: {size: '${n}KiB', seed: 1}}], "
                + "gaps: [10ms]}]\nexpect: {up: {ends: {success: 3}}, 'up#2': {events: [success]}}",
            "steps: [{download: a, as: d, to: file, when: wire upload.body path=a b request-body 5}]",
            "steps: [{download: a, as: d, to: file}]\n"
                + "expect: {d: {time: {pause: 5s, pause#1: ..6s, end: {since: time 1.0005s, is: 4s..}}}}",
            "steps: [{update-metadata: a, as: m, set: {contentType: null, custom: {a: null, b: ~x}}}]",
            "steps: [{download: a, as: d, to: file}]\nexpect: {requests: [{of: a, are: [download]}]}\n"
                + "profiles: {p: {requests: {after: null, are: [download?]}, d: {error: null}, "
                + "stored: {a: null}, sessions: null, skip: no}}",
            "steps: [{download: a, as: 'null', to: file}, {pause: 'null'}, {wait: 'null end'}]\n"
                + "expect: {'null': {events: [resume]}}",
        ])
    func seldom(text: String) throws {
        let reading = Reading(body: text)
        let planned = try #require(reading.plan.planned.first, "\(reading.messages)")
        #expect(RoundTrip.problem(with: planned) == nil)
    }

    @Test("A writer that loses something is noticed")
    func broken() throws {
        let reading = Reading(body: "backend: {latency: 5ms}")
        let planned = try #require(reading.plan.planned.first)
        let problem = RoundTrip.problem(with: planned) { scenario in
            scenario.text().replacing("latency: 5ms", with: "latency: 6ms")
        }
        guard case .changed? = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        let refused = RoundTrip.problem(with: planned) { _ in "title: T\nsorce: x" }
        guard case .refused? = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
    }
}
