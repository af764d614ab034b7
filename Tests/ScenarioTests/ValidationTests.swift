import Scenario
import StorageModel
import Testing

@Suite("What must fit together")
struct ValidationTests {
    @Test(
        "A 'must' cites a published rule",
        arguments: [
            (
                "title: T",
                [
                    "1:8: a scenario of the level 'must' cites at least one published rule: source: [D17]"
                ]
            ),
            (
                "title: T\nsource: [B072, RFC 9110]",
                [
                    "2:10: a scenario of the level 'must' cites at least one published rule: source: [D17]"
                ]
            ),
            (
                "title: T\nsource: [D30]",
                ["2:10: there is no rule 'D30': the rules are \(RuleBook.ranges)"]
            ),
            (
                "title: T\nsource: [W99, R1]",
                ["2:10: there is no rule 'W99': the rules are \(RuleBook.ranges)"]
            ),
            (
                "title: T\nsource: [R1, B072]",
                [
                    "2:10: a scenario that cites robustness rules alone is at most 'should': "
                        + "add level: should, or the published rule (D or W) that it is about"
                ]
            ),
            ("title: T\nsource: [R1]\nlevel: should", []),
            ("title: T\nsource: [R1, W3]", []),
            ("title: T\nsource: [W3]", []), ("title: T\nlevel: should", []),
        ] as [(String, [String])])
    func rules(text: String, messages: [String]) {
        #expect(Reading(text).messages == messages)
    }

    @Test(
        "A place beyond the end of every body is impossible",
        arguments: [
            (
                "upload.body, at: request-body 2MiB",
                "steps: [{upload: a, data: {size: 1MiB, seed: 1}}]",
                ["3:10: 2MiB lies beyond the end: the largest upload that fits has 1MiB"]
            ),
            (
                "upload.body, at: request-body 1MiB",
                "steps: [{upload: a, data: {size: 1MiB, seed: 1}}]", []
            ),
            (
                "upload.body, at: request-body 2MiB",
                "steps: [{upload: a, file: {size: 3MiB, seed: 1}}]", []
            ),
            (
                "download, at: response-body object 2KiB",
                "backend: {objects: {a: {size: 1KiB, seed: 1}}}\nsteps: [{download: a, to: file}]",
                ["3:10: 2KiB lies beyond the end: the largest download that fits has 1KiB"]
            ),
        ] as [(String, String, [String])])
    func offsets(fault: String, rest: String, messages: [String]) {
        let body = "faults: [{match: \(fault), do: {disconnect: reset}}]\n" + rest
        #expect(Reading(body: body).messages == messages)
    }

    @Test("What a client must be able to do is read from steps and expectations")
    func capabilities() {
        let scenario = Reading(
            body: """
                needs: [keep-alive]
                client: {maxUploadRetryTime: 5s}
                steps:
                  - {upload: a, as: up, data: {size: 5, seed: 1}}
                  - {pause: up, when: up progress, inside: true}
                  - {resume: up, when: wire upload.chunk#2 request-head}
                  - {local: {purge: up}}
                expect: {up: {error: {code: nonMatchingChecksum}}}
                """
        ).scenario
        #expect(
            scenario?.requiredCapabilities == [
                .keepAlive, .limits, .uploadData, .pause, .inside, .resume, .chunkSize,
                .localFaults, .checksums,
            ])
    }

    @Test(
        "Chunks in requests need a chunk size, requests of downloads do not",
        arguments: [
            ("upload.chunk offset=0", true), ("upload.finalize length=5", true),
            ("upload.chunk status=200", false), ("download offset=0", false),
        ])
    func chunks(pattern: String, needs: Bool) {
        let scenario = Reading(body: "expect: {requests: [\"\(pattern)\"]}").scenario
        #expect(scenario?.requiredCapabilities.contains(.chunkSize) == needs)
    }

    @Test("A task without observers tells no events")
    func silentTasks() {
        let body = """
            steps: [{upload: a, as: up, data: {text: x}, observers: none}]
            expect: {up: {events: [success]}}
            """
        #expect(
            Reading(body: body).messages == [
                "4:23: 'up' was started with 'observers: none', so it tells no events"
            ])
    }

    @Test("The backend's keys are read")
    func backend() {
        let reading = Reading(
            body: """
                backend:
                  bucket: b.example
                  granularity: 64KiB
                  access: signed-in
                  plan: blaze
                  tokens: {alice: {valid: 1h}, bob: {}}
                  objects:
                    "x/${n}": {size: "${n}KiB", seed: "${n}", copies: 3, contentType: t, custom: {k: v}}
                  latency: 10ms
                  bandwidth: {up: 4MiB/s, down: 1KiB/s}
                  link: [{at: 5s, state: down, how: blackhole, keep: true}, {at: 20s, state: up}]
                  resumable: {lifetime: 7d}
                  keep: verify
                  settings: {offset-mismatch: append, checksum-mismatch: ignore, session-in-use: 409, fresh-connections: true}
                """)
        #expect(reading.messages == [])
        let settings = reading.scenario?.backend.settings
        #expect(settings?.bucket == "b.example")
        #expect(settings?.granularity == 65_536)
        #expect(settings?.access == .signedIn)
        #expect(settings?.tokens?["alice"]?.valid == .seconds(3600))
        #expect(settings?.objects.map(\.path) == ["x/1", "x/2", "x/3"])
        #expect(settings?.objects.last?.content == Content(.synthetic(size: 3072, seed: 3)))
        #expect(settings?.objects.last?.custom == ["k": "v"])
        #expect(settings?.bandwidthDown == 1024)
        #expect(settings?.offsetMismatch == .append)
        #expect(settings?.checksumMismatchStatus == nil)
        #expect(settings?.sessionInUseStatus == 409)
        #expect(settings?.freshConnections == true)
        #expect(settings?.verifiesInsteadOfKeeping == true)
        #expect(reading.scenario?.backend.link.map(\.at) == [.seconds(5), .seconds(20)])
    }

    @Test("The client's keys are read")
    func client() {
        let reading = Reading(
            body: """
                backend: {tokens: {alice: {}}}
                client:
                  chunkSize: 256KiB
                  maxUploadRetryTime: 1s
                  maxDownloadRetryTime: 2s
                  maxOperationRetryTime: 0s
                  idleTimeout: 5s
                  connections: 4
                  token: {script: [{after: 2s, give: alice}, {fail: no network}]}
                  instances: {second: {bucket: other}}
                """)
        #expect(reading.messages == [])
        let client = reading.scenario?.client
        #expect(client?.chunkSize == 262_144)
        #expect(client?.maxOperationRetryTime == .zero)
        #expect(client?.tokens.map(\.answer) == [.give("alice"), .fail("no network")])
        #expect(client?.instances == ["second": "other"])
        #expect(reading.scenario?.backend.settings.otherBuckets == ["other"])
    }

    @Test(
        "Wrong backends and clients are refused at their place",
        arguments: [
            ("backend: {granularity: 0}", "3:24: 0 is out of range: at least 1"),
            ("backend: {access: closed}", "3:19: unknown access 'closed': open, signed-in, rules"),
            (
                "backend: {bandwidth: {up: 4MiB}}",
                "3:27: '4MiB' is no rate, which is written as 512KiB/s | 4MiB/s"
            ),
            (
                "backend: {objects: {a: {text: x, copies: 3}}}",
                "3:21: the path of an object with 'copies' needs '${n}'"
            ),
            ("backend: {objects: {\"\": {text: x}}}", "3:21: the root of a bucket is no object"),
            (
                "backend: {settings: {offset-mismatch: 200}}",
                "3:39: '200' is no status from 400 to 599, or append or overlap"
            ),
            (
                "backend: {link: [{at: 5s, state: up}, {at: 1s, state: up}]}",
                "3:17: the changes of the link stand in the order of their times: 1s comes after 5s"
            ),
            ("client: {token: eve}", "3:17: unknown token 'eve': there is none"),
            ("client: {chunkSize: 0}", "3:21: 0 is out of range: at least 1"),
            (
                "client: {maxUploadRetryTime: 10}",
                "3:30: '10' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"
            ),
        ])
    func wrongSettings(body: String, message: String) {
        #expect(Reading(body: body).messages == [message])
    }

    @Test("Access rules are read whole")
    func accessRules() {
        let reading = Reading(
            body: """
                backend:
                  access:
                    rules:
                      - {allow: [read], path: "public/**"}
                      - {allow: [read, write], path: "users/*/**", signed-in: true, max-size: 5MiB, content-type: "image/*"}
                """)
        #expect(reading.messages == [])
        var users = AccessRule([.read, .write], path: Glob("users/*/**"))
        users.needsSignIn = true
        users.maxSize = 5 << 20
        users.contentType = Glob("image/*")
        #expect(
            reading.scenario?.backend.settings.access
                == .rules([AccessRule([.read], path: Glob("public/**")), users]))
        let wrong = Reading(body: "backend: {access: {rules: [{allow: [reed], path: a}]}}")
        #expect(wrong.messages.count == 1)
    }

    @Test("The plan is blaze unless it is given")
    func plans() {
        #expect(Reading(body: "").scenario?.backend.settings.plan == .blaze)
        let spark = Reading(body: "backend: {plan: spark}")
        #expect(spark.messages == [])
        #expect(spark.scenario?.backend.settings.plan == .spark)
        #expect(Reading(body: "backend: {plan: flame}").messages.count == 1)
    }

    @Test(
        "What comes later is told, and nothing else",
        arguments: [
            ("client: {processes: [first]}", "several processes")
        ])
    func notYetSupported(body: String, what: String) {
        let plan = Reading(body: body).plan
        #expect(plan.diagnostics.map(\.message) == ["not yet supported: \(what)"])
        #expect(plan.planned.first?.notYetSupported.count == 1)
    }

    @Test("The rights of access rules may be single ones, and rules may be for some tokens")
    func fineRules() throws {
        let reading = Reading(
            body: """
                backend:
                  access:
                    rules:
                      - {allow: [get, create], path: "a/**", tokens: [alice, bob]}
                  settings: {overlapping-query: reset-body}
                """)
        #expect(reading.messages == [])
        var rule = AccessRule([.get, .create], path: Glob("a/**"))
        rule.tokens = ["alice", "bob"]
        let settings = try #require(reading.plan.planned.first).scenario.backend.settings
        #expect(settings.access == .rules([rule]))
        #expect(settings.overlappingQuery == .resetBody)
    }

    @Test(
        "Text of Security Rules gets an error that shows the form that is read",
        arguments: [
            "access: \"rules_version = '2'; service firebase.storage {}\"",
            "access:\n    rules: |\n      service firebase.storage {\n        match /b/x/o {}\n      }",
            "access: {rules: [\"allow read, write;\"]}",
        ])
    func securityRules(text: String) throws {
        let messages = Reading(body: "backend:\n  \(text)").messages
        #expect(messages.count == 1)
        let message = try #require(messages.first)
        #expect(message.contains("Security Rules are not read"))
        // What it shows can be read.
        let shown = try #require(message.split(separator: "YAML: ").last)
        #expect(Reading(body: "backend: {access: {\(shown)}}").messages == [])
    }

    @Test("A complaint that there is not is told with the one that was perhaps meant")
    func unknownComplaint() {
        #expect(
            Reading(body: "expect: {complaints: [offset-mismach]}").messages.first?.hasSuffix(
                "unknown complaint 'offset-mismach' | offset-mismatch") == true)
    }
}
