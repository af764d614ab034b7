import FaultEngine
import Scenario
import StorageModel
import Testing

@Suite("Faults in files")
struct FaultTests {
    private func rule(_ fault: String) -> FaultRule? {
        let reading = Reading(body: "backend: {tokens: {bob: {}}}\nfaults:\n  - " + fault)
        #expect(reading.plan.isValid, "\(reading.messages)")
        return reading.scenario?.faults.first
    }

    @Test(
        "Each action has its value",
        arguments: [
            ("{respond: 503}", FaultAction.respond(.init(status: 503))),
            ("{respond: {preset: gateway-page}}", .respond(.init(preset: .gatewayPage))),
            ("{delay: 2s}", .delay(.fixed(.seconds(2)))),
            ("{delay: {uniform: [1s, 3s]}}", .delay(.uniform(.seconds(1), .seconds(3)))),
            (
                "{delay: {normal: {mean: 2s, deviation: 1s}}}",
                .delay(.normal(mean: .seconds(2), deviation: .seconds(1)))
            ),
            (
                "{delay: {lognormal: {median: 2s, sigma: 0.5, max: 9s}}}",
                .delay(.logNormal(median: .seconds(2), sigma: 0.5, maximum: .seconds(9)))
            ),
            ("{delay: {list: [1s, 0s]}}", .delay(.list([.seconds(1), .zero]))),
            ("{hash: wrong}", .hash(.wrong)),
            ("{range: ignore}", .range(.ignore)),
            ("{range: {shift: -100}}", .range(.shift(by: -100))),
            ("{range: {longer: 1KiB}}", .range(.longer(by: 1024))),
            ("{length: 1000}", .length(.exactly(1000))),
            ("{length: \"+1\"}", .length(.off(by: 1))),
            ("{length: -1}", .length(.off(by: -1))),
            ("{length: none}", .length(.none)),
            ("{framing: bad-chunk-size}", .framing(.badChunkSize)),
            ("{raw: {text: x}}", .raw([0x78])),
            ("{raw: {base64: eA==}}", .raw([0x78])),
            (
                "{interim: [100, {status: 103}]}",
                .interim([.init(status: 100), .init(status: 103)])
            ),
            ("{continue: twice}", .expectContinue(.twice)),
            ("{continue: {delay: 2s}}", .expectContinue(.delay(.seconds(2)))),
            ("{throttle: 512KiB/s}", .throttle(rate: 524_288)),
            ("{slice: {size: 100, gap: 10ms}}", .slice(size: 100, gap: .milliseconds(10))),
            ("{session: expire}", .backend(.session(.expire))),
            ("{session: {lock: 3s}}", .backend(.session(.lock(.seconds(3))))),
            ("{session: {lose: 256KiB}}", .backend(.session(.lose(262_144)))),
            ("{session: {claim: 1MiB}}", .backend(.session(.claim(1 << 20)))),
            ("{object: {delete: a/b}}", .backend(.object(.delete(path: "a/b")))),
            ("{object: {touch: a}}", .backend(.object(.touch(path: "a")))),
            (
                "{object: {replace: a, with: {text: x}}}",
                .backend(.object(.replace(path: "a", with: Content(.bytes([0x78])))))
            ),
            ("{token: {expire: bob}}", .backend(.token(.expire(name: "bob")))),
            (
                "{server: {restart: keep, down: 2s}}",
                .backend(.server(.restart(keepsSessions: true, down: .seconds(2))))
            ),
            (
                "{server: {restart: forget}}",
                .backend(.server(.restart(keepsSessions: false, down: .zero)))
            ),
            ("{server: {skew: 1h}}", .backend(.server(.skew(.seconds(3600))))),
            ("{server: {full: true}}", .backend(.server(.full(true)))),
            ("{redirect: self}", .redirect(.toItself)),
            ("{redirect: {times: 30}}", .redirect(.times(30))),
            ("{redirect: /x}", .redirect(.target("/x"))),
            (
                "{redirect: {target: self, status: 308}}",
                .redirect(Redirection(.toItself, status: 308))
            ),
            ("{keep-alive: close-at-next}", .keepAlive(.closeAtNext)),
            ("{keep-alive: {close-after: 0s}}", .keepAlive(.close(after: .zero))),
            (
                "{keep-alive: {max-age: 120s, then: reset}}",
                .keepAlive(.maxAge(.seconds(120), then: .reset))
            ),
        ])
    func actions(text: String, action: FaultAction) {
        #expect(rule("{match: download, do: \(text)}")?.actions == [action])
    }

    @Test(
        "Faults of TLS are those of connections",
        arguments: [
            ("expired", TLSFault.expired), ("wrong-name", .wrongName), ("untrusted", .untrusted),
            ("fail-handshake", .failHandshake), ("slow-handshake", .slowHandshake(.seconds(2))),
            ("{slow-handshake: 5s}", .slowHandshake(.seconds(5))),
            ("no-close-notify", .noCloseNotify),
        ])
    func tls(text: String, fault: TLSFault) {
        let rule = rule("{match: connect, do: {tls: \(text)}}")
        #expect(rule?.actions == [.tls(fault)] && rule?.phase == .connect)
    }

    @Test(
        "Actions that need a place are read with one",
        arguments: [
            ("{hold: gate g}", FaultAction.hold(until: .gate(name: "g"), atMost: nil)),
            (
                "{hold: {until: time 2s, at-most: 5s}}",
                .hold(until: .time(.seconds(2)), atMost: .seconds(5))
            ),
            ("{stall: forever}", .stall(nil)),
            ("{stall: 3s}", .stall(.seconds(3))),
            ("{disconnect: half}", .disconnect(.half)),
            ("silence", .silence),
            ("{corrupt: {flip: 1}}", .corrupt(.flip(1))),
            ("{corrupt: {insert: 10}}", .corrupt(.insert(10))),
            ("{refuse: 2s}", .refuse(for: .seconds(2), .refuse)),
            ("{refuse: {for: 2s, how: blackhole}}", .refuse(for: .seconds(2), .blackhole)),
        ])
    func placedActions(text: String, action: FaultAction) {
        let rule = rule("{match: download, at: response-body 5, do: \(text)}")
        #expect(rule?.actions == [action])
        #expect(rule?.phase == .responseBody(.bytes(5)))
    }

    @Test(
        "Phases and places are read",
        arguments: [
            ("request-head", FaultPhase.requestHead), ("before-commit", .beforeCommit),
            ("after-commit", .afterCommit), ("response-head", .responseHead),
            ("response-end", .responseEnd), ("request-body 100KiB", .requestBody(.bytes(102_400))),
            ("request-body 50%", .requestBody(.percent(50))),
            ("request-body end", .requestBody(.beforeEnd(0))),
            ("request-body end-1", .requestBody(.beforeEnd(1))),
            ("request-body object 1MiB", .requestBody(.object(1 << 20))),
            ("idle 150ms", .idle(.milliseconds(150))), ("elapsed 2s", .elapsed(.seconds(2))),
            ("unread 2s", .unread(.seconds(2))),
        ])
    func phases(text: String, phase: FaultPhase) {
        let rule = rule("{match: upload.body, at: \(text), do: {disconnect: reset}}")
        #expect(rule?.phase == phase)
    }

    @Test(
        "An action without 'at' takes its default phase",
        arguments: [
            ("download", "{respond: 404}", FaultPhase.beforeCommit),
            ("upload.body", "{drop: chunk}", .beforeCommit),
            ("upload.body", "{drop: answer}", .afterCommit),
            ("download", "{throttle: 1KiB/s}", .responseHead),
            ("upload.body", "{throttle: 1KiB/s}", .requestHead),
            ("connect", "{disconnect: reset}", .connect),
            ("download", "[{headers: {remove: [ETag]}}, {disconnect: close}]", .responseHead),
        ])
    func defaultPhases(match: String, action: String, phase: FaultPhase) {
        #expect(rule("{match: \(match), do: \(action)}")?.phase == phase)
    }

    @Test(
        "Ordinals are read, and say how often a fault fires",
        arguments: [
            ("", OrdinalPattern.all, nil), ("#2", .exactly(2), 1),
            ("#1..4", .range(from: 1, through: 4), nil),
            ("#2..", .range(from: 2, through: nil), nil),
            ("#every 3", .every(3), nil), ("#last", .last, 1),
        ] as [(String, OrdinalPattern, Int?)])
    func ordinals(text: String, ordinal: OrdinalPattern, times: Int?) {
        let rule = rule("{match: \"download\(text)\", do: {respond: 404}}")
        #expect(rule?.selector.ordinal == ordinal)
        #expect(rule?.times == times)
    }

    @Test(
        "Commits are read",
        arguments: [
            ("none", CommitAmount.none), ("all", .all), ("twice", .twice),
            ("64KiB", .bytes(65_536)),
            ("50%", .percent(50)), ("+4KiB", .more(4096)),
        ])
    func commits(text: String, commit: CommitAmount) {
        #expect(rule("{match: upload.body#1, commit: \(text)}")?.commit == commit)
    }

    @Test("The other keys are read")
    func otherKeys() {
        let rule = rule(
            """
            {name: cut, match: "*", per: run, times: 3, chance: 30%, may-miss: true,
             where: {path: "a/*", bucket: b, method: GET, target: "/v0/**", query: {k: absent},
                     header: {A: present, B: {contains: x}}, json: {a.b: {matches: "y*"}}, token: bob,
                     session: 2, connection: 3, reused: true, from: 1s, until: 2s, since: gate g},
             do: {respond: 404}}
            """.replacing("\n", with: "\n    "))
        var filters = ExchangeFilters()
        filters.path = Glob("a/*")
        filters.bucket = "b"
        filters.method = "GET"
        filters.target = Glob("/v0/**")
        filters.query = ["k": .absent]
        filters.headers = ["A": .present, "B": .contains("x")]
        filters.json = ["a.b": .matches(Glob("y*"))]
        filters.token = "bob"
        filters.session = 2
        filters.connection = 3
        filters.isReused = true
        filters.from = .seconds(1)
        filters.until = .seconds(2)
        filters.since = .gate(name: "g")
        #expect(rule?.selector.filters == filters)
        #expect(rule?.selector.per == .run)
        #expect(rule?.name == "cut")
        #expect(rule?.times == 3)
        #expect(rule?.chance == 0.3)
        #expect(rule?.mayMiss == true)
        #expect(rule?.position == 1)
    }

    @Test("Times 'always' overrides the default of a single ordinal")
    func always() {
        let rule = rule("{match: download#1, times: always, do: {respond: 404}}")
        #expect(rule?.times == nil)
    }

    @Test("The whole of a forced answer is read")
    func answers() {
        let rule = rule(
            """
            {match: upload.start, do: {respond: {status: 401, reason: No, version: "1.0",
             headers: {Connection: close, X: {size: 1KiB}}, retry-after: {date: 3s},
             body: {json: {a: 1, b: "1", c: [true, null], d: 1.5}}, upload-status: final}}}
            """.replacing("\n", with: "\n    "))
        var answer = ForcedResponse(status: 401)
        answer.reason = "No"
        answer.isHTTP10 = true
        answer.headers = [
            HeaderValue("Connection", .text("close")), HeaderValue("X", .filler(1024)),
        ]
        answer.retryAfter = .date(.seconds(3))
        answer.body = .json(
            .object([
                .init(name: "a", value: .number("1")), .init(name: "b", value: .string("1")),
                .init(name: "c", value: .array([.bool(true), .null])),
                .init(name: "d", value: .number("1.5")),
            ]))
        answer.uploadStatus = .final
        #expect(rule?.actions == [.respond(answer)])
    }

    @Test("Edits of headers and of JSON are read")
    func edits() {
        var headers = HeaderEdit()
        headers.set = [HeaderValue("ETag", .text("x"))]
        headers.remove = ["A"]
        headers.rename = [.init(from: "a", to: "b")]
        headers.duplicate = ["Content-Length"]
        var json = JSONEdit()
        json.set = [.init(path: "size", value: .number("12"))]
        json.remove = ["md5Hash"]
        json.truncate = 20
        json.replace = "text"
        let rule = rule(
            """
            {match: download, do: [{headers: {set: {ETag: x}, remove: [A], rename: {a: b},
             duplicate: [Content-Length]}}, {json: {set: {size: 12}, remove: [md5Hash], truncate: 20,
             replace: text}}]}
            """.replacing("\n", with: "\n    "))
        #expect(rule?.actions == [.headers(headers), .json(json)])
    }
}
