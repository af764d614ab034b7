import Scenario
import StorageModel
import Testing

@Suite("What is expected of requests, rewritten for a profile")
struct WireRewritingTests {
    private func left(_ trait: String, _ reason: String) -> String {
        "profile mine, \(trait): \(reason)"
    }

    // MARK: Cancel

    private func cancel(_ events: String, when: String = "up progress", more: String = "") -> String
    {
        """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
          - {pause: up, when: up progress}
          - {cancel: up, when: \(when)}
        expect:
          up: {events: \(events), error: {code: cancelled}}
          stored: {a.bin: absent}
        \(more)
        """
    }

    @Test("A client that does not tell the server of a cancel leaves its session open")
    func cancelCommand() {
        let body = cancel(
            "[resume, progress, failure(cancelled)]",
            more: """
                  sessions: {open: 0}
                  requests: [upload.start, upload.chunk, upload.cancel]
                  exchanges: [{match: upload.cancel, count: 1, header: {Authorization: present}}]
                """)
        #expect(
            Rewriting("cancel-command: not-sent", body).changes == [
                "exchanges[1]: {match: upload.cancel, count: 0}",
                "requests: [upload.start, upload.chunk]",
                "sessions: {open: 1}",
            ])
    }

    @Test("Whether a cancelled upload had a session must be told where sessions are counted")
    func cancelledEarly() {
        let body = cancel(
            "[resume, progress*, failure(cancelled)]", more: "  sessions: {open: 0}")
        #expect(
            Rewriting("cancel-command: not-sent", body).skipReason
                == left(
                    "cancel-command",
                    "the session of an upload that is cancelled stays open, and how many there are "
                        + "then is not told"))
    }

    @Test("A fault on the cancel command leaves the scenario out where it is not sent")
    func cancelFault() {
        let body =
            "faults: [{match: upload.cancel, do: {respond: 503}}]\n"
            + cancel("[resume, progress, failure(cancelled)]")
        #expect(
            Rewriting("cancel-command: not-sent", body).skipReason
                == left(
                    "cancel-command",
                    "the fault 'upload.cancel: respond 503' waits for a request that "
                        + "this client does not make"))
    }

    @Test("A cancel that is ignored leaves the task paused, without an error and a completion")
    func cancelWhilePaused() {
        let body = cancel(
            "[resume, progress, pause, failure(cancelled)]", when: "up pause",
            more: """
                  sessions: {open: 0}
                  exchanges: [{match: upload.cancel, count: 1}]
                """)
        let rewriting = Rewriting("cancel-while-paused: ignored", body)
        #expect(
            rewriting.changes == [
                "exchanges[1]: {match: upload.cancel, count: 0}",
                "sessions: {open: 1}",
                "up.error: not tested",
                "up.events: [resume, progress, pause]",
            ])
        let both = Rewriting("cancel-while-paused: ignored, cancel-command: not-sent", body)
        #expect(both["sessions"] == "{open: 1}")
    }

    @Test("A running task is cancelled all the same")
    func cancelWhileRunning() {
        let body = cancel("[resume, progress, pause, resume, progress+, failure(cancelled)]")
        let rewriting = Rewriting("cancel-while-paused: ignored", body)
        #expect(rewriting.changes.isEmpty)
        #expect(rewriting.skipReason == nil)
    }

    @Test("Where it is not told whether the task is paused, the scenario is left out")
    func cancelWhoKnows() {
        let reason = left(
            "cancel-while-paused", "whether 'up' is paused when it is cancelled is not told")
        for events in [
            "[resume, progress*, pause?, failure(cancelled)]",
            "[resume, pause, progress*, failure(cancelled)]",
            "[resume, {any: [[pause, failure(cancelled)], [failure(cancelled)]]}]",
        ] {
            let rewriting = Rewriting("cancel-while-paused: ignored", cancel(events))
            #expect(rewriting.skipReason == reason)
        }
    }

    @Test("A step that waits for the end of a task that stays paused leaves the scenario out")
    func cancelWaited() {
        let body = """
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {pause: up, when: up progress}
              - {cancel: up, when: up pause}
              - {resume: up, when: up failure}
            expect:
              up: {events: [resume, progress, pause, failure(cancelled)]}
            """
        #expect(
            Rewriting("cancel-while-paused: ignored", body).skipReason
                == left(
                    "cancel-while-paused",
                    "a step waits for the end of 'up', whose cancel this client ignores while it is "
                        + "paused"))
    }

    // MARK: Pause

    @Test("A pause at the call tells at most what a pause at rest does, and not later")
    func pauseAtCall() {
        let body = Bodies.upload(
            "[resume, progress x2, pause@512KiB, pause@>=1KiB, pause@<1MiB, resume, success]",
            more: ", time: {pause: 1s..2s, \"pause#2\": \">= 3s\", end: 1s..9s}")
        #expect(
            Rewriting("pause-event: at-call", body).changes == [
                "up.events: [resume, progress x2, pause@<= 512KiB, pause, pause@< 1MiB, resume, success]",
                "up.time: {pause: <= 2s, end: 1s..9s}",
            ])
    }

    // MARK: Units of progress

    @Test(
        "Sent bytes are told in any number of pieces, before each pause and end",
        arguments: [
            ("[resume, progress x4, success]", "[resume, progress+, success]"),
            ("[resume, progress@256KiB, progress@512KiB, success]", "[resume, progress+, success]"),
            ("[resume, failure(unauthorized)]", "[resume, progress*, failure(unauthorized)]"),
            (
                "[resume, pause, resume, progress+, success]",
                "[resume, progress*, pause, resume, progress+, success]"
            ),
            (
                "[resume, progress x2, pause@512KiB, resume, progress x2, success]",
                "[resume, progress+, pause@>= 512KiB, resume, progress+, success]"
            ),
            (
                "[resume, {sequence: [progress, pause, resume], times: 3}, progress, success]",
                "[resume, progress*, {sequence: [progress+, pause, resume, progress*], times: 3}, "
                    + "progress+, success]"
            ),
            ("[failure(unknown)]", "[failure(unknown)]"),
        ])
    func sentEvents(before: String, after: String) {
        #expect(Rewriting("progress-unit: sent", Bodies.upload(before))["up.events"] == after)
    }

    @Test("Tests of progress keep what holds for sent bytes too")
    func sentTests() {
        let body = Bodies.upload(
            "[resume, progress+, success]",
            more: ", progress: {count: 4, first: 256KiB, last: 1MiB, falls: 0, total: 1MiB}")
        #expect(
            Rewriting("progress-unit: sent", body)["up.progress"]
                == "{total: 1MiB, last: 1MiB, count: 1..}")
    }

    @Test("A download counts what has come, whatever the unit of uploads is")
    func sentDownload() {
        let rewriting = Rewriting(
            "progress-unit: sent, progress-total: object-and-metadata",
            Bodies.download("[resume, progress x16, success]", more: ", progress: {count: 16}"))
        #expect(rewriting.changes.isEmpty)
    }

    @Test("A step bound to acknowledged bytes leaves out a scenario that tests the requests")
    func sentTrigger() {
        let body = """
            client: {chunkSize: 256KiB}
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {pause: up, when: up progress >= 512KiB}
              - {resume: up, when: up pause}
            expect:
              up: {events: [resume, progress x2, pause, resume, progress x2, success]}

            """
        #expect(
            Rewriting("progress-unit: sent", body)["up.events"]
                == "[resume, progress+, pause, resume, progress+, success]")
        let tested = Rewriting(
            "progress-unit: sent", body + "  exchanges: [{match: upload.query, count: 1}]\n")
        #expect(
            tested.skipReason
                == left(
                    "progress-unit",
                    "a step or fault waits for 'up progress >= 512KiB', and the requests that are "
                        + "expected depend on what the server has by then: this client does not "
                        + "count acknowledged bytes"))
        let start = Rewriting(
            "progress-unit: sent", body + "  exchanges: [{match: upload.start, count: 1}]\n")
        #expect(start.skipReason == nil)
    }

    @Test("A snapshot of sent bytes shows at least those that its step waits for")
    func sentSnapshot() {
        let body = """
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {snapshot: up, as: midway, when: up progress >= 512KiB}
              - {snapshot: up, as: afterwards, when: up success}
            expect:
              midway: {completed: 512KiB, total: 1MiB}
              afterwards: {completed: 1MiB}
            """
        #expect(
            Rewriting("progress-unit: sent", body).changes == ["midway.completed: 512KiB.."])
    }

    @Test("Bytes of the metadata are taken off before anything is compared")
    func metadataBytes() throws {
        let body = """
            client: {chunkSize: 256KiB}
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {observe: up, as: other}
              - {snapshot: up, as: midway, when: up progress >= 512KiB}
            expect:
              up: {events: [resume, progress x4, success], progress: {total: 1MiB}}
              other: {events: [resume?, progress x4, success]}
              midway: {total: 1MiB}
            """
        let rewriting = Rewriting("progress-total: object-and-metadata", body)
        #expect(
            rewriting.changes == [
                "midway.bytes: with those of the metadata",
                "other.events: [resume?, progress@0*, progress x4, success]",
                "up.bytes: with those of the metadata",
                "up.events: [resume, progress@0*, progress x4, success]",
                "up.progress: {total: 1MiB, without: the zero of the start}",
            ])
        #expect(rewriting.planned.scenario.expect.observers.first?.countsMetadata == true)
    }
}
