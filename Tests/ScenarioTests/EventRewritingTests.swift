import Scenario
import StorageModel
import Testing

@Suite("Events rewritten for a profile")
struct EventRewritingTests {
    @Test(
        "Without a start event the first resume is gone, and no other",
        arguments: [
            ("[resume, progress+, success]", "[progress+, success]"),
            ("[resume?, progress+, success]", "[progress+, success]"),
            ("[resume x2, success]", "[resume, success]"),
            ("[resume+, success]", "[resume*, success]"),
            ("[resume*, success]", "[resume*, success]"),
            ("[progress*, resume, success]", "[{any: [[progress+, resume], []]}, success]"),
            (
                "[resume, progress, pause, resume, progress+, success]",
                "[progress, pause, resume, progress+, success]"
            ),
            (
                "[{any: [[resume, success], [failure(unknown)]]}]",
                "[{any: [[success], [failure(unknown)]]}]"
            ),
            (
                "[{sequence: [resume, progress, pause], times: 3}, success]",
                "[progress, pause, {sequence: [resume, progress, pause], times: 2}, success]"
            ),
            (
                "[{sequence: [resume, pause], times: 0..1}, progress, success]",
                "[pause?, progress, success]"
            ),
            ("[{quiet: 3s}, resume, success]", "[{quiet: 3s}, success]"),
            ("[failure(unknown)]", "[failure(unknown)]"),
        ])
    func startNone(before: String, after: String) {
        let rewriting = Rewriting("start-event: none", Bodies.upload(before))
        #expect(rewriting["up.events"] == after)
        #expect(rewriting.skipReason == nil)
    }

    @Test("A progress of no bytes stands in for the start, and does not count as progress")
    func startZero() {
        let rewriting = Rewriting(
            "start-event: zero-progress",
            Bodies.upload(
                "[resume, progress x4, success]",
                more: ", progress: {count: 4}, time: {resume: \"< 1s\", progress: \"< 2s\"}"))
        #expect(
            rewriting.changes == [
                "up.events: [progress@0 x1..2, progress x4, success]",
                "up.progress: {count: 4, without: the zero of the start}",
                "up.time: {progress: < 1s, progress@> 0: < 2s}",
            ])
    }

    @Test("The time of the start event goes with it, and later ones move up")
    func startTimes() {
        let rewriting = Rewriting(
            "start-event: none",
            Bodies.upload(
                "[resume, pause, resume, success]",
                more: ", time: {resume: \"< 1s\", \"resume#2\": \"< 9s\"}"))
        #expect(rewriting["up.time"] == "{resume: < 9s}")
    }

    private func waits(for trigger: String) -> String {
        """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
          - {pause: up, when: \(trigger)}
          - {resume: up, when: up pause}
        expect:
          up: {events: [resume, progress*, pause, resume, progress+, success]}
        """
    }

    @Test("A step that waits for the start event leaves the scenario out where there is none")
    func startWaited() {
        let rewriting = Rewriting("start-event: none", waits(for: "up resume"))
        #expect(
            rewriting.skipReason
                == "profile mine, start-event: a step or fault waits for the start event of 'up', "
                + "which this client does not tell")
        #expect(rewriting["up.events"] == rewriting.original["up.events"])
    }

    @Test("Triggers on the start and on progress mean the same moment of another client")
    func startTriggers() {
        let zero = "start-event: zero-progress"
        #expect(Rewriting(zero, waits(for: "up resume"))["steps[2].when"] == "up progress")
        #expect(Rewriting(zero, waits(for: "\"up resume#2\""))["steps[2].when"] == "up resume")
        #expect(
            Rewriting(zero, waits(for: "\"up progress#2\""))["steps[2].when"]
                == "up progress#2 > 0")
        #expect(
            Rewriting(zero, waits(for: "up progress >= 512KiB"))["steps[2].when"]
                == "up progress >= 512KiB")
        #expect(
            Rewriting(zero, waits(for: "up progress < 512KiB")).skipReason
                == "profile mine, start-event: 'up progress < 512KiB' would fit the start event too"
        )
    }

    @Test(
        "The last progress is told once more before a success",
        arguments: [
            ("[resume, progress+, success]", "[resume, progress+, progress, success]"),
            (
                "[resume, {any: [[success], [failure]]}]",
                "[resume, {any: [[progress, success], [failure]]}]"
            ),
            (
                "[resume, progress*, success?]",
                "[resume, progress*, {sequence: [progress, success], times: 0..1}]"
            ),
            ("[resume, failure(unknown)]", "[resume, failure(unknown)]"),
        ])
    func closingSuccess(before: String, after: String) {
        #expect(Rewriting("closing-progress: success", Bodies.upload(before))["up.events"] == after)
    }

    @Test(
        "The last progress is told once more before every end but a cancel and a failed start",
        arguments: [
            ("[resume, progress+, success]", "[resume, progress+, progress, success]"),
            ("[resume, failure(unknown)]", "[resume, progress, failure(unknown)]"),
            ("[resume, failure]", "[resume, progress, failure]"),
            ("[resume, progress, failure(cancelled)]", "[resume, progress, failure(cancelled)]"),
            ("[failure(unknown)]", "[failure(unknown)]"),
            (
                "[resume, failure(cancelled|unknown)]",
                "[resume, {any: [[progress, failure(unknown)], [failure(cancelled)]]}]"
            ),
        ])
    func closingBoth(before: String, after: String) {
        let rewriting = Rewriting(
            "closing-progress: success-and-failure", Bodies.upload(before))
        #expect(rewriting["up.events"] == after)
    }

    @Test("The code of the error says whether a failure without a code is a cancel")
    func closingByError() {
        let cancelled = Rewriting(
            "closing-progress: success-and-failure",
            Bodies.upload("[resume, failure]", more: ", error: {code: cancelled}"))
        #expect(cancelled["up.events"] == "[resume, failure]")
        let other = Rewriting(
            "closing-progress: success-and-failure",
            Bodies.upload("[resume, failure]", more: ", error: {code: unauthorized}"))
        #expect(other["up.events"] == "[resume, progress, failure]")
    }

    @Test("The progress before the end does not count as progress")
    func closingCount() {
        let rewriting = Rewriting(
            "closing-progress: success",
            Bodies.upload("[resume, progress x4, success]", more: ", progress: {count: 4}"))
        #expect(rewriting["up.progress"] == "{count: 4, without: the one right before a success}")
    }

    @Test(
        "Without progress events patterns and tests of progress drop out, bytes of others too",
        arguments: [
            ("[resume, progress+, success]", "[resume, success]"),
            (
                "[resume, progress x2, pause@512KiB, resume, progress@1MiB, success]",
                "[resume, pause, resume, success]"
            ),
            (
                "[resume, {sequence: [progress, pause, resume], times: 3}, success]",
                "[resume, {sequence: [pause, resume], times: 3}, success]"
            ),
            (
                "[resume, {any: [[progress, success], [success], [failure]]}]",
                "[resume, {any: [[success], [failure]]}]"
            ),
            ("[resume, {sequence: [progress], times: 2}, success]", "[resume, success]"),
        ])
    func noProgress(before: String, after: String) {
        let rewriting = Rewriting(
            "progress-events: none",
            Bodies.upload(
                before, more: ", progress: {last: 1MiB}, time: {progress: \"< 1s\", end: \"< 9s\"}")
        )
        #expect(rewriting["up.events"] == after)
        #expect(rewriting["up.progress"] == nil)
        #expect(rewriting["up.time"] == "{end: < 9s}")
    }

    @Test("What waits for progress leaves the scenario out where there is none")
    func progressWaited() {
        let step = Rewriting("progress-events: none", waits(for: "up progress >= 256KiB"))
        #expect(
            step.skipReason
                == "profile mine, progress-events: a step or fault waits for progress of 'up', "
                + "which this client does not tell")
        let fault = Rewriting(
            "progress-events: none",
            """
            faults: [{match: upload.finalize, at: request-head, do: {hold: up progress}}]
            """ + "\n" + Bodies.upload("[resume, progress+, success]"))
        #expect(fault.skipReason == step.skipReason)
        let test = Rewriting(
            "progress-events: none",
            Bodies.upload(
                "[resume, progress+, success]",
                more: ", time: {end: {since: up progress, is: \"< 9s\"}}"))
        #expect(
            test.skipReason
                == "profile mine, progress-events: a test counts from progress of 'up', which this "
                + "client does not tell")
        #expect(Rewriting("progress-events: none", waits(for: "up resume")).skipReason == nil)
    }

    @Test("Code names of errors are those of the client, by what they end")
    func errorNames() {
        let body = """
            steps:
              - {upload: a.bin, as: up, data: {size: 10, seed: 1}}
              - {download: b.bin, as: down, to: memory, maxSize: 10}
              - {get-metadata: b.bin, as: got}
            expect:
              up: {events: [resume, "failure(objectNotFound|unknown)"], error: {code: objectNotFound}}
              down: {events: [resume, failure(objectNotFound)], error: {allow: [objectNotFound, unauthorized]}}
              got: {error: {code: objectNotFound}}
            """
        let rewriting = Rewriting(
            "error-names: {objectNotFound: [other, unknown], uploads: {objectNotFound: unknown}}",
            body)
        #expect(
            rewriting.changes == [
                "down.error: {allow: [other, unknown, unauthorized]}",
                "down.events: [resume, failure(other|unknown)]",
                "got.error: {allow: [other, unknown]}",
                "up.error: {code: unknown}",
                "up.events: [resume, failure(unknown)]",
            ])
    }

    @Test("A documented client is expected to do what the file says")
    func documented() {
        let rewriting = Rewriting(
            "", Bodies.upload("[resume, progress x4, success]", more: ", progress: {count: 4}"))
        #expect(rewriting.changes.isEmpty)
        #expect(rewriting.planned.rewrites.isEmpty)
        #expect(rewriting.expected == rewriting.original)
    }

    @Test("Every change says which trait made it, from what and to what")
    func rewrites() {
        let rewriting = Rewriting(
            "start-event: none, closing-progress: success",
            Bodies.upload("[resume, progress+, success]"))
        #expect(
            rewriting.planned.rewrites.map(\.text) == [
                "closing-progress: success changed up.events: [resume, progress+, success] -> "
                    + "[resume, progress+, progress, success]",
                "start-event: none changed up.events: [resume, progress+, progress, success] -> "
                    + "[progress+, progress, success]",
            ])
    }
}
