import Scenario
import StorageModel
import Testing

@Suite("What follows a fault, rewritten for a profile")
struct FaultRewritingTests {
    private func upload(
        _ fault: String, events: String = "[resume, progress x4, success]", more: String = "",
        client: String = "chunkSize: 256KiB"
    ) -> String {
        """
        client: {\(client)}
        faults: [\(fault)]
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
        expect:
          up: {events: \(events)}
          stored: {a.bin: {same-as: up, generations: 1}}
        \(more)
        """
    }

    private static let few = "retries: {statuses: [503], transport: [cut]}"

    // MARK: Tried again or not

    @Test("A status that is not tried again ends the upload at once, and nothing is stored")
    func statusNotRetried() {
        let body = upload(
            "{match: upload.chunk#3, do: {respond: 500}}",
            more: """
                  requests: [upload.start, "upload.chunk+", upload.query, "upload.chunk+", upload.finalize]
                  exchanges: [{match: upload.start, count: 1}, {match: metadata.get, count: 0}]
                  sessions: {started: 1}
                """)
        #expect(
            Rewriting(Self.few, body).changes == [
                "exchanges[1]: {match: metadata.get, count: 0}",
                "exchanges[2]: {match: upload.chunk, where: {path: a.bin}, count: 3}",
                "requests: not tested",
                "sessions: not tested",
                "stored.a.bin: absent",
                "up.error: {code: unknown, underlying: {status: 500}}",
                "up.events: [resume, progress x2, failure(unknown)]",
            ])
    }

    @Test("What a fault that fires from a time on lets pass before is not counted")
    func statusFromATimeOn() {
        let body = upload(
            "{match: upload.body, where: {from: 20m}, do: {respond: 500}}",
            more:
                "  exchanges: [{match: upload.body, count: 1..2}, {match: metadata.get, count: 0}]")
        #expect(
            Rewriting(Self.few, body).changes == [
                "exchanges[1]: {match: metadata.get, count: 0}",
                "exchanges[2]: not tested",
                "stored.a.bin: absent",
                "up.error: {code: unknown, underlying: {status: 500}}",
                "up.events: [resume, progress*, failure(unknown)]",
            ])
    }

    @Test("A refusal that may never come is left out where it spares a query")
    func refusalByChance() {
        let log =
            "  requests: [upload.start, \"upload.chunk+\", upload.query, \"upload.chunk+\", upload.finalize]"
        let fault = "match: upload.chunk#2, do: {respond: {status: 400, upload-status: active}}"
        let certain = Rewriting(
            "refused-while-active: retry", upload("{\(fault), commit: none}", more: log))
        #expect(certain.skipReason == nil)
        let vague = Rewriting(
            "refused-while-active: retry",
            upload("{\(fault), commit: none, may-miss: true}", more: log))
        #expect(vague.skipReason?.contains("spares a query, is left to chance") == true)
    }

    @Test("A status that is tried again changes nothing")
    func statusRetried() {
        let body = upload("{match: upload.chunk#3, do: {respond: 503}}")
        let rewriting = Rewriting(Self.few, body)
        #expect(rewriting.changes.isEmpty)
        #expect(rewriting.skipReason == nil)
    }

    @Test("What was stored before the answer said no stays stored")
    func statusAfterCommit() {
        let body = upload("{match: upload.finalize, at: after-commit, do: {respond: 500}}")
        #expect(
            Rewriting(Self.few, body).changes == [
                "exchanges[1]: {match: upload.finalize, where: {path: a.bin}, count: 1}",
                "up.error: {code: unknown, underlying: {status: 500}}",
                "up.events: [resume, progress*, failure(unknown)]",
            ])
    }

    @Test(
        "A fault that waits for what comes after a failure may miss, one that comes before may not")
    func laterFaults() {
        let faults = """
            {match: upload.start, do: {delay: 1s}}, {match: upload.chunk#2, do: {delay: 1s}},
              {match: upload.chunk#3, do: {respond: 500}}, {match: upload.chunk#4, do: {delay: 1s}},
              {match: upload.finalize, do: {delay: 1s}}, {match: download, do: {delay: 1s}},
              {match: upload.query, do: {delay: 1s}}
            """
        let rewriting = Rewriting(Self.few, upload(faults))
        #expect(rewriting.skipReason == nil)
        #expect(
            rewriting.changes.filter { $0.hasPrefix("faults") } == [
                "faults[4].may-miss: true", "faults[5].may-miss: true",
            ])
    }

    @Test("After a connection that breaks and is not made again no other fault can fire")
    func laterConnections() {
        let faults = """
            {match: connect#1, do: [{respond: 503}, {disconnect: close}]},
              {match: connect#2, do: {delay: 5s}}, {match: upload.start, do: {delay: 1s}}
            """
        let rewriting = Rewriting("retries: {statuses: [], transport: []}", upload(faults))
        #expect(
            rewriting.changes.filter { $0.hasPrefix("faults") } == [
                "faults[2].may-miss: true", "faults[3].may-miss: true",
            ])
    }

    @Test(
        "An answer that comes unasked is heard, or a break: where the client bears one of them alone it is left out",
        arguments: ["statuses: [429]", "transport: []"])
    func unaskedAnswers(_ retries: String) {
        let fault = "{match: connect#1, do: [{respond: 503}, {disconnect: close}]}"
        let rewriting = Rewriting("retries: {\(retries)}", upload(fault))
        #expect(rewriting.skipReason?.contains("or a break, is not told") == true)
        let bearing = Rewriting("retries: {statuses: [503]}", upload(fault))
        #expect(bearing.skipReason == nil)
        #expect(bearing.changes.isEmpty)
    }

    @Test(
        "A kept connection that ends is left out for a client that does not bear breaks",
        arguments: [
            "{match: upload.body#1, do: {keep-alive: close-at-next}}",
            "{match: upload.body#1, at: idle 5s, do: {disconnect: reset}}",
        ])
    func keptConnections(_ fault: String) {
        let body = upload(fault, events: "[resume, progress+, success]")
        #expect(
            Rewriting("retries: {transport: [cut, closed]}", body).skipReason?
                .contains("ends a kept connection") == true)
        #expect(Rewriting("retries: {statuses: []}", body).skipReason == nil)
    }

    @Test("A chunk whose answer is lost stores nothing, where the break ends the upload")
    func lostAnswerOfAChunk() {
        let body = upload("{match: upload.chunk#2, do: {drop: answer}}")
        let rewriting = Rewriting("retries: {transport: []}", body)
        #expect(rewriting["stored.a.bin"] == "absent")
        let last = upload("{match: upload.finalize, do: {drop: answer}}")
        #expect(
            Rewriting("retries: {transport: []}", last)["stored.a.bin"]
                != "absent")
    }

    @Test("A link that dies under a body is left out for a client that sends it again unasked")
    func deadLink() {
        let body = """
            backend: {link: [{at: 1s, state: down, how: blackhole, keep: false}]}
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
            expect:
              up: {events: [resume, progress+, success]}
            """
        #expect(
            Rewriting("after-break: resend", body).skipReason?.contains("the link goes down")
                == true)
    }

    @Test("A fault that another transfer can still meet is not excused")
    func laterFaultsOfOthers() {
        let body = """
            faults: [{match: upload.start#1, where: {path: a.bin}, do: {respond: 500}}, "connect#2: delay 1s"]
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {upload: b.bin, as: other, data: {size: 1MiB, seed: 1}}
            expect:
              up: {events: [resume, progress+, success]}
            """
        let rewriting = Rewriting(Self.few, body)
        #expect(rewriting["up.events"] == "[resume, failure(unknown)]")
        #expect(rewriting["faults[2].may-miss"] == nil)
    }

    @Test("A break that is not tried again ends a download at once")
    func breakNotRetried() {
        let body = Bodies.download(
            "[resume, progress+, success]",
            faults: "[{match: download#1, at: request-head, do: {disconnect: reset}}]",
            more:
                ", local: {same-as: a.bin}, progress: {last: 1MiB}, time: {end: 1s..9s, success: 5s}"
        )
        #expect(
            Rewriting(Self.few, body).changes == [
                "down.error: {code: unknown}",
                "down.events: [resume, failure(unknown)]",
                "down.local: not tested",
                "down.progress: not tested",
                "down.time: {end: <= 9s}",
                "exchanges[1]: {match: download, where: {path: a.bin}, count: 1}",
            ])
    }

    @Test("A step whose request is not tried again fails with the status underneath")
    func operationNotRetried() {
        let body = """
            faults: [{match: metadata.get, times: 1, do: {respond: 429}}]
            steps:
              - {get-metadata: a.bin, as: got}
            expect:
              got: {contentType: image/png, time: {end: 1s..5s}}
            """
        #expect(
            Rewriting(Self.few, body).changes == [
                "got.contentType: not tested",
                "got.error: {code: unknown, underlying: {status: 429}}",
                "got.time: {end: <= 5s}",
            ])
    }

    @Test(
        "What cannot be computed leaves the scenario out, with the reason",
        arguments: [
            (
                "{match: upload.start, do: {respond: 500}}, {match: upload.query, do: {delay: 1s}}",
                nil
            ),
            (
                "{match: upload.start#1, do: {respond: 500}}, {match: upload.query, do: {respond: 503}}",
                "the fault 'upload.start#1: respond 500' answers 500, which this client does not try "
                    + "again, and other faults come before or after it"
            ),
            (
                "{match: upload.start, chance: 50%, do: {respond: 500}}",
                "the fault 'upload.start: respond 500' answers 500, which this client "
                    + "does not try again, and whether it fires is left to chance"
            ),
            (
                "{match: upload.start, at: request-head, do: {stall: forever}}",
                "the fault 'upload.start @ request-head: stall forever' leaves an exchange without an "
                    + "end, and when this client gives it up is not told"
            ),
            (
                "{match: download, at: response-body 1, do: {disconnect: reset}}", nil
            ),
        ])
    func notComputed(faults: String, reason: String?) {
        let rewriting = Rewriting(Self.few, upload(faults))
        #expect(rewriting.skipReason == reason.map { "profile mine, retries: " + $0 })
    }

    @Test("A status that this client alone tries again leaves the scenario out")
    func retriesMore() {
        let body = upload(
            "{match: upload.start, do: {respond: 400}}", events: "[resume, failure]")
        #expect(
            Rewriting("retries: {statuses: [4xx, 5xx]}", body).skipReason
                == "profile mine, retries: the fault 'upload.start: respond 400' answers 400, which "
                + "this client tries again: how long is not told")
    }

    @Test("A pause, or a step that waits for the success, leaves it out")
    func waiters() {
        let waits = upload("{match: upload.start#1, do: {respond: 500}}").replacing(
            "expect:", with: "  - {get-metadata: a.bin, as: got, when: up success}\nexpect:")
        #expect(
            Rewriting(Self.few, waits).skipReason
                == "profile mine, retries: the fault 'upload.start#1: respond 500' answers 500, which "
                + "this client does not try again, and a step waits for what then no longer comes")
    }

    @Test("A link that is down and not tried again leaves the scenario out")
    func link() {
        let body = upload("").replacing(
            "client:",
            with: "backend: {link: [{at: 0s, state: down}, {at: 9s, state: up}]}\nclient:")
        #expect(
            Rewriting(Self.few, body).skipReason
                == "profile mine, retries: the link is down (refused), and this client does not try "
                + "that again: what then comes is not told")
        #expect(Rewriting("retries: {transport: [refused]}", body).skipReason == nil)
    }

    // MARK: Waits

    @Test("The upper bound of an end makes room for the client's own waits")
    func waits() {
        let body = upload(
            "{match: \"upload.start#1..3\", do: {respond: 503}}"
        ).replacing("success]}", with: "success], time: {end: 3s..10s, progress: \"< 9s\"}}")
        let waits = "waits: {first: 4s, factor: 2, longest: 10s}"
        #expect(
            Rewriting("retries: {\(waits)}", body)["up.time"]
                == "{end: <= 32s, progress: < 9s}")
        let limit = upload(
            "{match: \"*\", do: {respond: 503}}",
            events: "[resume, failure(retryLimitExceeded)]",
            client: "maxUploadRetryTime: 30s"
        ).replacing("Exceeded)]}", with: "Exceeded)], time: {end: 30s..45s}}")
        #expect(
            Rewriting("retries: {waits: {overrun: 2}}", limit)["up.time"] == "{end: <= 75s}")
    }

    @Test("On the wall clock a scenario has time for the client's own waits and 20 s more")
    func leastDeadline() {
        let body = upload("{match: \"upload.start#1..3\", do: {respond: 503}}")
        let patient = Rewriting("retries: {waits: {first: 4s, longest: 10s}}", body)
        #expect(patient.planned.leastDeadline(limitScale: 1) == .seconds(42))
        #expect(patient.planned.leastDeadline(limitScale: 0.01) == .seconds(26))
        let calm = Rewriting("start-event: none", upload(""))
        #expect(calm.planned.leastDeadline(limitScale: 1) == .seconds(20))
    }

    // MARK: After a break

    @Test("A body that is sent again unasked needs no query")
    func resend() {
        let body = upload(
            "{match: upload.chunk#2, do: {drop: chunk}}",
            more: """
                  requests: [upload.start, "upload.chunk x2", upload.query, "upload.chunk x2", upload.finalize]
                  exchanges: [{match: upload.query, count: 1}, {match: upload.body, count: 5}]
                """)
        #expect(
            Rewriting("after-break: resend", body).changes == [
                "exchanges[1]: {match: upload.query, count: 0}",
                "requests: [upload.start, upload.chunk x2, upload.chunk x2, upload.finalize]",
            ])
    }

    @Test(
        "A body of which the server may have kept a part leaves the scenario out",
        arguments: [
            ("at: request-body 200KiB, do: {disconnect: reset}", true),
            ("at: request-body 300KiB, do: {disconnect: reset}", false),
            ("at: request-body 300KiB, commit: none, do: {disconnect: reset}", true),
            ("at: request-body 1, commit: 1, do: {disconnect: reset}", false),
            ("at: request-head, do: {disconnect: close}", true),
            ("at: request-body 50%, do: {disconnect: close}", false),
            ("do: {drop: answer}", false),
            ("at: response-head, do: {disconnect: close}", false),
        ])
    func resendKept(fault: String, isExact: Bool) {
        let body = upload("{match: upload.body#1, \(fault)}", client: "chunkSize: 512KiB")
        let reason = Rewriting("after-break: resend", body).skipReason
        #expect((reason == nil) == isExact)
        if let reason {
            #expect(reason.hasPrefix("profile mine, after-break: the server may keep a part"))
        }
    }

    @Test("A query that fails ends the upload of a client that does not ask again")
    func queryFatal() {
        let body = upload(
            "{match: upload.query, do: {respond: 503}}", events: "[resume, progress+, success]")
        let rewriting = Rewriting("query-failure: fatal", body)
        #expect(rewriting["up.events"] == "[resume, progress*, failure(unknown)]")
        #expect(rewriting["up.error"] == "{code: unknown, underlying: {status: 503}}")
        #expect(
            rewriting["exchanges[1]"] == "{match: upload.query, where: {path: a.bin}, count: 1}")
        let other = upload("{match: upload.chunk#1, do: {respond: 503}}")
        #expect(Rewriting("query-failure: fatal", other).changes.isEmpty)
    }

    @Test("A refusal by an active session ends the upload, or is met without a query")
    func refused() {
        let body = upload(
            "{match: upload.chunk#2, do: {respond: {status: 412, upload-status: active}}}",
            more: "  exchanges: [{match: upload.query, count: 1}]")
        let fails = Rewriting("refused-while-active: fail", body)
        #expect(fails["up.events"] == "[resume, progress, failure(unknown)]")
        #expect(fails["up.error"] == "{code: unknown, underlying: {status: 412}}")
        let again = Rewriting("refused-while-active: retry", body)
        #expect(again.changes == ["exchanges[1]: {match: upload.query, count: 0}"])
        let final = upload(
            "{match: upload.chunk#2, do: {respond: {status: 412, upload-status: final}}}")
        #expect(Rewriting("refused-while-active: fail", final).changes.isEmpty)
        let denied = upload(
            "{match: upload.chunk#2, do: {respond: {status: 403, upload-status: active}}}")
        #expect(Rewriting("refused-while-active: fail", denied).changes.isEmpty)
    }

    // MARK: No try left

    @Test("Once no try is left the last error is told, and the end may come earlier")
    func exhausted() {
        let body = """
            steps:
              - {upload: a.bin, as: up, data: {size: 10, seed: 1}}
              - {get-metadata: a.bin, as: got}
            expect:
              up: {events: [resume, "failure(retryLimitExceeded|unauthorized)"], error: {code: retryLimitExceeded}, time: {end: 5s..9s, resume: 1s..}}
              got: {error: {allow: [retryLimitExceeded, unknown]}, time: {end: 5s..}}
            """
        #expect(
            Rewriting("exhausted: last-error", body).changes == [
                "got.error: {allow: [unknown]}",
                "got.time: not tested",
                "up.error: {code: unknown}",
                "up.events: [resume, failure(unknown|unauthorized)]",
                "up.time: {end: <= 9s, resume: 1s..}",
            ])
    }
}
