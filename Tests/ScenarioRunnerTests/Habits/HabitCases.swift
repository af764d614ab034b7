import Scenario

// Every value of every trait that is not documented.
extension HabitCase {
    static let all = events + endings + observers + wire + shapes + names

    private static let events: [HabitCase] = [
        HabitCase(
            .startEvent, "none", in: "upload/data-in-one-request",
            documented: ["resume never came"], reference: .fails(["resume"])),
        HabitCase(
            .startEvent, "zero-progress", in: "upload/data-in-one-request",
            documented: ["resume never came"], reference: .fails(["resume"])),
        HabitCase(
            .closingProgress, "success", in: "upload/file-in-chunks",
            documented: ["progress"], reference: .fails(["progress"])),
        HabitCase(
            .closingProgress, "success-and-failure", in: "errmap/status-to-code[case=2]",
            documented: ["progress"], reference: .fails(["progress never came"])),
        HabitCase(
            .progressEvents, "none", in: "upload/file-in-chunks",
            documented: ["progress@256KiB never came"], reference: .fails(["progress"])),
        HabitCase(
            .progressUnit, "sent", in: "progress/not-before-it-is-kept",
            documented: ["progress"],
            reference: .passes(why: "acknowledged bytes are sent ones too")),
        HabitCase(
            .progressTotal, "object-and-metadata", in: "upload/file-in-chunks",
            documented: ["progress"], reference: .fails(["progress"])),
        HabitCase(
            .pauseEvent, "at-call",
            in: """
                backend: {objects: {films/short.mp4: {size: 1MiB, seed: 1}}}
                steps:
                  - {download: films/short.mp4, as: down, to: file}
                  - {pause: down, when: "wire download#1 response-body 300000"}
                  - {resume: down, when: down pause}
                expect:
                  down: {events: [resume, progress+, pause@300000, resume, progress+, success]}
                """,
            documented: ["pause"],
            reference: .passes(why: "the durable offset is the most that may be told")),
        HabitCase(
            .memoryPause, "untold",
            in: """
                backend: {objects: {images/stars.jpg: {size: 1MiB, seed: 43}}}
                steps:
                  - {download: images/stars.jpg, as: down, to: memory, maxSize: 2MiB}
                  - {pause: down, when: down progress >= 50%}
                  - {cancel: down, when: down progress >= 50%, after: 5s}
                expect:
                  down: {events: [resume, progress+, pause, failure(cancelled)]}
                """,
            documented: ["pause never came"], reference: .fails(["pause"])),
    ]

    private static let endings: [HabitCase] = [
        HabitCase(
            .cancelWhilePaused, "ignored", in: "cancel/paused-download",
            documented: ["failure(cancelled)"], reference: .fails(["failure(cancelled)"])),
        HabitCase(
            .cancelCommand, "not-sent", in: "cancel/running-upload",
            documented: ["upload.cancel", "open upload sessions: 1"],
            reference: .fails(["upload.cancel", "open upload sessions: 0"])),
        HabitCase(
            .exhausted, "last-error", in: "retry/limit-reached",
            documented: ["unknown"], reference: .fails(["retryLimitExceeded"])),
        HabitCase(
            .checksum, "unchecked", in: "integrity/wrong-checksum",
            documented: ["success"], reference: .fails(["nonMatchingChecksum"])),
    ]

    private static let midway = """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: docs/plan.pdf, as: up, data: {size: 1MiB, seed: 1}}
          - {observe: up, as: midway, when: up progress}
          - {observe: up, as: afterwards, when: up end}
        expect:
          up: {events: [resume, progress x4, success]}
          midway: {events: [progress x3, success]}
          afterwards: {events: [success]}
        """

    private static let cancelled = """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: docs/plan.pdf, as: up, data: {size: 1MiB, seed: 1}}
          - {observe: up, as: failures, events: [failure]}
          - {cancel: up, when: up progress >= 512KiB}
          - {observe: up, as: afterwards, when: up end}
        expect:
          up: {events: [resume, progress x2, failure(cancelled)]}
          failures: {events: [failure(cancelled)]}
          afterwards: {events: [failure(cancelled)]}
        """

    private static let observers: [HabitCase] = [
        HabitCase(
            .cancelledEvent, "own", in: cancelled,
            documented: ["failures: no event came at all: failure(cancelled)"],
            reference: .fails(["failures: failure(cancelled)"])),
        HabitCase(
            .lateObserver, "replay", in: midway, documented: ["midway: progress"],
            reference: .fails(["midway: progress"])),
        HabitCase(
            .lateObserver, "replay-but-cancel", in: midway, documented: ["midway: progress"],
            reference: .fails(["midway: progress"])),
        HabitCase(
            .lateObserver, "replay-but-cancel", in: cancelled,
            documented: ["afterwards: no event came at all: failure(cancelled)"],
            reference: .fails(["afterwards: failure(cancelled)"])),
        HabitCase(
            .lateObserver, "nothing", in: "observer/after-the-end[case=1]",
            documented: ["late: no event came at all: success"],
            reference: .fails(["late: success"])),
    ]

    private static let wire: [HabitCase] = [
        HabitCase(
            .retries, "{statuses: [503]}",
            in: "retry/one-unavailable[match=upload.chunk#2,status=500]",
            documented: ["failure(unknown"], reference: .fails(["success"])),
        HabitCase(
            .retries, "{transport: []}", in: "midstream/broken-at-a-byte[how=reset,at=500000]",
            documented: ["failure(unknown"], reference: .fails(["success"])),
        HabitCase(
            .retries, "{statuses: [], transport: []}", in: "retry/connection-answered-unasked",
            documented: ["failure(unknown"], reference: .fails(["success"])),
        HabitCase(
            .retries, "{statuses: [429]}",
            in: """
                backend: {objects: {notes/a.txt: {size: 1KiB, seed: 1}}}
                faults: ["metadata.get#1: respond 503"]
                steps: [{get-metadata: notes/a.txt, as: got}]
                expect: {got: {size: 1KiB}}
                """,
            documented: ["unknown"], reference: .fails(["got"])),
        HabitCase(
            .retries, "{waits: {first: 2500ms, factor: 2, longest: 150s}}",
            in: """
                backend: {objects: {films/short.mp4: {size: 100KiB, seed: 1}}}
                faults: ["download#1..3: respond 503"]
                steps: [{download: films/short.mp4, as: down, to: file}]
                expect: {down: {events: [resume, progress+, success], time: {end: 7s..9s}}}
                """,
            documented: ["9s"],
            reference: .passes(why: "the profile names the longest waits that are borne"),
            waitScale: 2),
        HabitCase(
            .afterBreak, "resend", in: "partial/dropped-chunk[match=upload.chunk#3]",
            documented: ["none of upload.query came"],
            reference: .fails(["1 of upload.query came"])),
        HabitCase(
            .queryFailure, "fatal",
            in: """
                client: {chunkSize: 256KiB}
                faults:
                  - {match: "upload.chunk#2", do: {headers: {remove: [X-Goog-Upload-Size-Received]}}}
                  - {match: "upload.query#1", do: {respond: 503}}
                steps:
                  - {upload: docs/plan.pdf, as: up, data: {size: 1MiB, seed: 1}}
                expect:
                  up: {events: [resume, progress x4, success]}
                """,
            documented: ["failure(unknown"], reference: .fails(["success"])),
        HabitCase(
            .refusedWhileActive, "retry", in: "session/refused-while-active[status=412]",
            documented: ["none of upload.query came"],
            reference: .fails(["1 of upload.query came"])),
        HabitCase(
            .refusedWhileActive, "fail", in: "session/refused-while-active[status=409]",
            documented: ["failure(unknown"], reference: .fails(["success"])),
        HabitCase(
            .refusedToken, "final", in: "auth/renewed-once",
            documented: ["failure(unauthenticated"], reference: .fails(["success"])),
        HabitCase(
            .refusedToken, "final",
            in: """
                backend:
                  tokens: {good: {}}
                  objects: {images/stars.jpg: {size: 10KiB, seed: 7}}
                client: {token: {script: [{give: good}]}}
                faults:
                  - {match: "download#1", do: {respond: 401}}
                steps:
                  - {download: images/stars.jpg, as: down, to: file}
                expect:
                  down: {events: [resume, progress+, success]}
                """,
            documented: ["failure(unauthenticated"], reference: .fails(["success"])),
        HabitCase(
            .downloadResume, "after-pause",
            in: """
                backend: {objects: {films/short.mp4: {size: 1MiB, seed: 1}}}
                faults:
                  - {match: "download#1", at: response-body 500000, do: {disconnect: reset}}
                steps:
                  - {download: films/short.mp4, as: down, to: file}
                expect:
                  down: {events: [resume, progress+, success], progress: {falls: 0}}
                  requests: [download offset=0, download offset=500000]
                """,
            documented: ["progress fell", "download"], reference: .fails(["download"])),
        HabitCase(
            .downloadResume, "restart",
            in: """
                backend: {objects: {films/short.mp4: {size: 1MiB, seed: 1}}}
                faults:
                  - {match: "download#1", at: response-body 500000, do: {disconnect: reset}}
                steps:
                  - {download: films/short.mp4, as: down, to: file}
                expect:
                  down: {events: [resume, progress+, success], progress: {falls: 0}}
                  requests: [download offset=0, download offset=500000]
                """,
            documented: ["progress fell", "download"], reference: .fails(["download"])),
        HabitCase(
            .downloadResume, "restart", in: "midstream/three-times",
            documented: ["progress fell"],
            reference: .passes(why: "how often it may begin anew is a bound")),
    ]

    private static let shapes: [HabitCase] = [
        HabitCase(
            .smallUpload, "{multipart-to: 256KiB}", in: "upload/url-afterwards",
            documented: ["upload.multipart"], reference: .fails(["upload.start"])),
        HabitCase(
            .smallUpload, "media", in: "upload/data-in-one-request",
            documented: ["upload.media"], reference: .fails(["upload.start"])),
        HabitCase(
            .chunks, "whole", in: "upload/file-in-chunks",
            documented: ["progress@256KiB"], reference: .fails(["progress"])),
        HabitCase(
            .chunks, "{fixed: 512KiB}", in: "upload/file-in-chunks",
            documented: ["progress@256KiB"], reference: .fails(["progress"])),
        HabitCase(
            .chunks, "{doubling: 256KiB..32MiB}", in: "upload/file-in-chunks",
            documented: ["progress@512KiB"], reference: .fails(["progress"])),
    ]

    private static let names: [HabitCase] = [
        HabitCase(
            .errorNames, "{objectNotFound: unknown}", in: "errmap/status-to-code[case=3]",
            documented: ["unknown"], reference: .fails(["objectNotFound"])),
        HabitCase(
            .errorNames, "{uploads: {quotaExceeded: [unknown, other]}}",
            in: "errmap/upload-refused[match=upload.start,case=1]",
            documented: ["other"], reference: .fails(["quotaExceeded"])),
        HabitCase(
            .errorNames, "{downloads: {unauthorized: other}}",
            in: "errmap/status-to-code[case=2]",
            documented: ["other"], reference: .fails(["unauthorized"])),
        HabitCase(
            .errorNames, "{operations: {objectNotFound: unknown}}", in: "metadata/missing-object",
            documented: ["unknown"], reference: .fails(["objectNotFound"])),
    ]
}
