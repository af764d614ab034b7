import FaultEngine
import Scenario
import StorageModel
import Testing

@Suite("Steps")
struct StepTests {
    private static let start = """
        backend: {tokens: {bob: {}}, objects: {o: {text: x}}}
        client: {instances: {second: {bucket: other}}}
        steps:
          - {upload: a, as: up, data: {size: 5, seed: 1}}
          - {download: o, as: down, to: memory, maxSize: 1MiB}
          - {url: o, as: link}
          - {list: "", as: page}
          - {observe: up, as: late}

        """

    private func step(_ text: String) -> Step? {
        let reading = Reading(body: Self.start + "  - " + text)
        #expect(reading.messages.filter { !$0.contains("warning") } == [])
        return reading.scenario?.steps.last
    }

    private func described(_ text: String) -> String {
        step(text).map { String(describing: $0.verb) } ?? "none"
    }

    @Test(
        "Every verb is read",
        arguments: [
            ("{upload: b, file: {size: 5, zeros: true}}", "upload"),
            ("{upload: b, file: x.png}", "upload"),
            (
                "{upload: b, stream: {size: 5, seed: 1, rewind: false, gaps: [{at: 2, for: 3s}]}}",
                "upload"
            ),
            ("{download: b, to: file, existing: {text: x}, destination: read-only}", "download"),
            ("{pause: up}", "pause"), ("{resume: up}", "resume"), ("{cancel: up}", "cancel"),
            ("{snapshot: up, as: s}", "snapshot"),
            ("{observe: up, events: [failure], as: l2}", "observe"),
            ("{unobserve: late}", "unobserve"),
            ("{unobserve: {task: up, events: [progress]}}", "unobserve"),
            ("{unobserve: {task: up}}", "unobserve"), ("{get-metadata: o}", "get-metadata"),
            ("{update-metadata: o, set: {contentType: x, custom: {k: null}}}", "update-metadata"),
            ("{delete: o}", "delete"), ("{url: o}", "url"),
            ("{list: a/, maxResults: 5, page: page}", "list"), ("{list-all: a/}", "list-all"),
            ("{fetch: link}", "fetch"), ("{reference: {path: a}, as: r}", "reference"),
            ("{reference: {url: \"gs://b/a\"}}", "reference"),
            ("{local: {create: x, content: {text: y}}}", "local"),
            ("{local: {delete: down}}", "local"), ("{local: {truncate: down, size: 5}}", "local"),
            ("{local: {grow: down, by: 5}}", "local"), ("{local: {forbid: down}}", "local"),
            ("{local: {directory: d}}", "local"), ("{local: {link: l, to: nowhere}}", "local"),
            ("{local: {purge: up}}", "local"), ("{token: {use: bob}}", "token"),
            ("{token: {sign-out: true}}", "token"), ("{token: {expire: bob}}", "token"),
            ("{backend: {session: expire}}", "backend"),
            ("{backend: {link: {state: down, how: blackhole, keep: true}}}", "backend"),
            ("{release: up}", "release"), ("{wait: 5s}", "wait"), ("{wait: up end}", "wait"),
            ("{burst: [{pause: up}, {resume: up}]}", "burst"),
            ("{parallel: [{pause: up}, {cancel: up}]}", "parallel"),
            ("{repeat: 3, do: [{pause: up}], gaps: [10ms, 20ms]}", "repeat"),
        ])
    func verbs(text: String, name: String) {
        #expect(step(text)?.verb.name == name)
    }

    @Test("The keys of every step are read")
    func commonKeys() {
        let step = step(
            "{pause: up, as: p, when: up progress, after: 2s, inside: true, in: second}")
        #expect(step?.name == "p")
        #expect(step?.after == .seconds(2))
        #expect(step?.isInside == true)
        #expect(step?.instance == "second")
        #expect(step?.place.line == 11)
        #expect(step?.place.column == 5)
    }

    @Test("An upload has its source, metadata, precondition and recording")
    func uploads() {
        let step = step(
            "{upload: gs://other/b, stream: {size: 5, seed: 1, rewind: false, gaps: [{at: 2, for: 3s}]},"
                + " metadata: {contentType: x, custom: {k: v}}, if: {generation: 0},"
                + " observers: none, completion: none}")
        guard case .upload(let upload)? = step?.verb, case .stream(let stream) = upload.source
        else {
            Issue.record("no upload from a stream")
            return
        }
        #expect(upload.object == ObjectAddress(bucket: "other", path: "b"))
        #expect(stream.content == Content(.synthetic(size: 5, seed: 1)))
        #expect(!stream.canRewind)
        #expect(stream.gaps == [StreamSource.Gap(at: 2, duration: .seconds(3))])
        #expect(upload.metadata.fields == ["contentType": "x"])
        #expect(upload.metadata.custom == ["k": "v"])
        #expect(upload.ifGeneration == 0)
        #expect(!upload.recording.hasObservers && !upload.recording.hasCompletion)
    }

    @Test("A change of metadata sets and removes")
    func metadataChanges() {
        guard
            case .updateMetadata(_, let change)? = step(
                "{update-metadata: o, set: {contentType: null, cacheControl: x, custom: {k: null, l: v}}}"
            )?.verb
        else {
            Issue.record("no change")
            return
        }
        #expect(change.fields == ["contentType": nil, "cacheControl": "x"])
        #expect(change.custom == ["k": nil, "l": "v"])
        #expect(!change.removesAllCustom)
    }

    @Test("Rounds count in names of objects and in content")
    func rounds() {
        guard
            case .repeat(let repetition)? = step(
                "{repeat: 3, do: [{upload: \"b/${n}\", as: r, data: {size: \"${n}KiB\", seed: \"${n}\"}}],"
                    + " gaps: [10ms, 20ms]}")?.verb,
            case .upload(let upload) = repetition.steps(ofRound: 3)[0].verb
        else {
            Issue.record("no repetition of uploads")
            return
        }
        #expect(upload.object.path == "b/3")
        #expect(upload.source == .data(Content(.synthetic(size: 3072, seed: 3))))
        #expect(repetition.gap(afterRound: 1) == .milliseconds(10))
        #expect(repetition.gap(afterRound: 3) == .milliseconds(10))
    }

    @Test(
        "Each mistake is told at its place",
        arguments: [
            ("{uplod: a}", "11:6: unknown verb 'uplod' | upload"),
            ("{as: x}", "11:5: a step needs a verb: upload, download, pause and the like"),
            ("[a]", "11:5: a step is a mapping with a verb, not a list"),
            ("{pause: up, resume: up}", "11:17: a step has one verb, this one has two"),
            ("{upload: b}", "11:5: 'upload' needs one of 'data', 'file', 'stream'"),
            (
                "{upload: b, data: {text: x}, file: {text: x}}",
                "11:34: 'upload' has only one of 'data', 'file', 'stream'"
            ),
            ("{upload: b, data: {text: x}, dta: 1}", "11:34: unknown key 'dta' | data"),
            (
                "{upload: b, data: {size: 5}}",
                "11:23: content of 5 bytes needs 'seed' or 'zeros: true'"
            ),
            ("{upload: b, data: {text: x, seed: 1}}", "11:33: 'seed' goes with 'size' alone"),
            (
                "{upload: b, data: {size: 5, seed: 1, zeros: true}}",
                "11:33: content has 'seed' or 'zeros', not both"
            ),
            (
                "{upload: b, data: {file: nothing.png}}",
                "11:30: there is no file 'nothing.png' beside the scenario"
            ),
            (
                "{upload: b, stream: {size: 5, seed: 1, gaps: [{at: 6, for: 1s}]}}",
                "11:56: a gap at 6 lies beyond the 5 of this stream"
            ),
            (
                "{upload: \"gs:///a\", data: {text: x}}",
                "11:14: 'gs:///a' names no bucket: gs://BUCKET/path"
            ),
            ("{download: o, to: memory}", "11:5: 'download' needs 'maxSize'"),
            ("{download: o, to: disk}", "11:23: unknown destination 'disk': memory, file"),
            (
                "{download: o, to: file, maxSize: 5}",
                "11:29: 'maxSize' goes with 'to: memory' alone"
            ),
            (
                "{download: o, to: memory, maxSize: 5, existing: {text: x}}",
                "11:43: 'existing' goes with 'to: file' alone"
            ),
            ("{pause: upp}", "11:13: unknown task 'upp' | up"),
            ("{pause: late}", "11:13: unknown task 'late': down, up"),
            (
                "{pause: up, inside: true}",
                "11:17: 'inside' needs a 'when' that names one event of a task"
            ),
            (
                "{pause: up, inside: true, when: up end}",
                "11:17: 'inside' needs a 'when' that names one event of a task"
            ),
            (
                "{resume: up, through: snapshot}",
                "11:18: 'through: snapshot' needs 'inside: true', where there is a snapshot"
            ),
            ("{observe: up}", "11:5: 'observe' needs a name: as: late"),
            ("{unobserve: up}", "11:17: unknown observer 'up': late"),
            ("{fetch: page}", "11:13: 'page' is no result of 'url': link"),
            ("{list: \"\", page: link}", "11:22: 'link' is no result of 'list': page"),
            (
                "{wait: 5}",
                "11:12: '5' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"
            ),
            ("{pause: up, in: secnd}", "11:21: unknown instance 'secnd' | second"),
            ("{token: {use: eve}}", "11:19: unknown token 'eve': bob"),
            ("{token: {sign-out: false}}", "11:24: only 'true' belongs here"),
            ("{backend: {sesion: expire}}", "11:16: unknown key 'sesion' | session"),
            (
                "{local: {create: ../x, content: {text: a}}}",
                "11:22: '../x' is no local file: a letter or digit, then letters, digits, '.', '_', '-'"
            ),
            ("{local: {delete: down, by: 5}}", "11:28: 'by' goes with 'grow' alone"),
            ("{burst: []}", "11:13: a list of steps must not be empty"),
            ("{repeat: 3}", "11:5: 'repeat' needs 'do'"),
            (
                "{repeat: 0, do: [{pause: up}]}",
                "11:14: 0 is out of range: at least 1 and at most 10000"
            ),
            (
                "{pause: up, as: up}",
                "11:21: the name 'up' is given twice, first in line 6, column 21"
            ),
            (
                "{pause: up, as: stored}",
                "11:21: the name 'stored' is reserved: triggers or 'expect' have it as a word"
            ),
            (
                "{pause: up, as: Up}",
                "11:21: 'Up' is no name: a small letter, then small letters, digits and '-'"
            ),
        ])
    func refusals(text: String, message: String) {
        let reading = Reading(body: Self.start + "  - " + text)
        #expect(reading.messages.filter { !$0.contains("warning") } == [message])
    }

    @Test("Repetitions that make too many different steps are refused")
    func tooManySteps() {
        let body = """
            steps:
              - repeat: 10000
                do: [{repeat: 10000, do: [{upload: "${n}", data: {text: "${n}"}}]}]
            """
        let messages = Reading(body: body).messages
        #expect(messages == ["5:31: all rounds together are more than 20000 steps"])
    }

    @Test("Local files that no step makes are warned of")
    func unknownFiles() {
        #expect(
            Reading(body: "steps: [{upload: a, file: x.png}]").messages == [
                "3:9: warning: no step makes the local file 'x.png'"
            ])
    }

    @Test(
        "Reading an object whose upload may be under way is warned of",
        arguments: [
            ("{download: a, to: file}", true), ("{get-metadata: a, when: up progress}", true),
            ("{download: a, to: file, when: up success}", false),
            ("{download: b, to: file}", false),
        ])
    func earlyReads(step: String, isWarned: Bool) {
        let messages = Reading(
            body: "steps:\n  - {upload: a, as: up, data: {text: x}}\n  - \(step)"
        ).messages
        #expect(
            messages
                == (isWarned
                    ? ["5:5: warning: the upload 'up' may not be over when this step reads 'a'"]
                    : []))
    }
}
