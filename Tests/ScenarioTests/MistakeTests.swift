import Scenario
import StorageModel
import Testing

/// A mistake in a scenario file, and what is said of it.
struct Mistake: Sendable, CustomTestStringConvertible {
    let what: String
    let text: String
    /// Each with line and column; what was probably meant stands behind `|`.
    let messages: [String]

    var testDescription: String { what }

    init(_ what: String, _ text: String, _ messages: String...) {
        self.what = what
        self.text = text
        self.messages = messages
    }

    /// Behind a title and a source, in the lines 1 and 2.
    init(_ what: String, body: String, _ messages: String...) {
        self.what = what
        text = "title: T\nsource: [D1]\n" + body
        self.messages = messages
    }
}

/// What somebody who does the mistake for the first time is told: the place, what is wrong, and what
/// would be right.
@Suite("Mistakes in scenario files")
struct MistakeTests {
    @Test(
        "Each mistake is told at its place, with what would be right",
        arguments: Mistake.inTheFile + Mistake.inFaults + Mistake.inSteps)
    func isTold(mistake: Mistake) {
        #expect(Reading(mistake.text).messages == mistake.messages)
    }

    @Test("There are at least 60 kinds, none of them twice")
    func enough() {
        let all = Mistake.inTheFile + Mistake.inFaults + Mistake.inSteps
        #expect(all.count >= 60)
        #expect(Set(all.map(\.what)).count == all.count)
        #expect(Set(all.map(\.text)).count == all.count)
    }
}

extension Mistake {
    static let inTheFile: [Mistake] = [
        Mistake(
            "a key of the file is misspelled",
            body: "expects: {}",
            "3:1: unknown key 'expects' | expect"),
        Mistake(
            "a key of a block is misspelled",
            body: "backend: {granularty: 256KiB}",
            "3:11: unknown key 'granularty' | granularity"),
        Mistake(
            "a key is not known and nothing is near",
            body: "backend: {colour: red}",
            "3:11: unknown key 'colour': bucket, granularity, access, plan, tokens, objects, latency, bandwidth, connections, link, resumable, keep, settings"
        ),
        Mistake(
            "a key is there twice",
            body: "title: U",
            "3:1: duplicate key 'title', given before in line 1"),
        Mistake(
            "the title is missing",
            "source: [D1]\nsteps: []",
            "1:1: a scenario needs 'title'"),
        Mistake(
            "the title is empty",
            "title: \"\"\nsource: [D1]",
            "1:8: the title is empty"),
        Mistake(
            "a file is a list",
            "- title: T",
            "1:1: a scenario is a mapping, not a list"),
        Mistake(
            "a file is empty",
            "",
            "1:1: the file is empty"),
        Mistake(
            "no rule is cited",
            "title: T",
            "1:8: a scenario of the level 'must' cites at least one published rule: source: [D17]"),
        Mistake(
            "a rule does not exist",
            "title: T\nsource: [D30]",
            "2:10: there is no rule 'D30': the rules are D1 to D29, W1 to W42 and R1 to R22"),
        Mistake(
            "robustness alone is to bind",
            "title: T\nsource: [R1]",
            "2:10: a scenario that cites robustness rules alone is at most 'should': add level: should, or the published rule (D or W) that it is about"
        ),
        Mistake(
            "a tab indents",
            body: "backend:\n\tlatency: 1s",
            "4:1: a tab is not allowed here; indent with spaces"),
        Mistake(
            "a value begins with a comparison",
            body: "expect: {sessions: {open: >= 1}}",
            "3:27: a value that starts with '>' must be quoted | \">= 1\""),
        Mistake(
            "a star is not quoted",
            body: "faults: [{match: *, at: request-head, do: silence}]",
            "3:18: a value that starts with '*' must be quoted | \"*\""),
        Mistake(
            "a matrix value is not quoted in flow style",
            body: "matrix: {n1: [1]}\nclient: {connections: ${n1}}",
            "4:23: a value with '${...}' inside '{ }' or '[ ]' must be quoted | \"${n1}\""),
        Mistake(
            "a bracket is never closed",
            body: "faults: [{match: download",
            "3:10: the '{' opened here is never closed by '}', or a ',' is missing before line 4, column 1"
        ),
        Mistake(
            "a second document follows",
            body: "---\ntitle: U",
            "3:1: a file holds one document: here begins a second one"),
        Mistake(
            "a tag stands before a value",
            body: "about: !!str x",
            "3:8: tags are not allowed"),
        Mistake(
            "a size has the wrong unit",
            body: "backend: {granularity: 256KB}",
            "3:24: '256KB' is no size: whole numbers, as 1000, 256KiB, 1MiB, 3GiB or 5TiB | 256KiB"),
        Mistake(
            "a duration has no unit",
            body: "backend: {latency: 300}",
            "3:20: '300' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"),
        Mistake(
            "a duration has a unit of its own",
            body: "backend: {latency: 3sec}",
            "3:20: '3sec' is no duration, which is written as 300ms, 1.5s, 10m, 1h or 8d"),
        Mistake(
            "a rate is no rate",
            body: "backend: {bandwidth: {up: 4MiB}}",
            "3:27: '4MiB' is no rate, which is written as 512KiB/s | 4MiB/s"),
        Mistake(
            "a percentage has no sign",
            body: "faults: [{match: download, chance: 30, do: {respond: 503}}]",
            "3:36: '30' is no percentage from 0% to 100% | 30%"),
        Mistake(
            "a number is no number",
            body: "exchanges: many",
            "3:12: 'many' is no whole number"),
        Mistake(
            "a number is out of range",
            body: "repeat: 0",
            "3:9: 0 is out of range: at least 1"),
        Mistake(
            "a truth value is a word",
            body: "smoke: yes",
            "3:8: 'yes' is neither true nor false | true"),
        Mistake(
            "a name has capitals",
            body: "steps: [{upload: a, as: Up, data: {size: 1, seed: 1}}]",
            "3:25: 'Up' is no name: a small letter, then small letters, digits and '-'"),
        Mistake(
            "a name is reserved",
            body: "steps: [{upload: a, as: wire, data: {size: 1, seed: 1}}]",
            "3:25: the name 'wire' is reserved: triggers or 'expect' have it as a word"),
        Mistake(
            "a name is given twice",
            body:
                "steps:\n  - {upload: a, as: up, data: {size: 1, seed: 1}}\n  - {upload: b, as: up, data: {size: 1, seed: 1}}",
            "5:21: the name 'up' is given twice, first in line 4, column 21"),
        Mistake(
            "a level is no level",
            body: "level: shoud",
            "3:8: unknown level 'shoud' | should"),
        Mistake(
            "a list stands where one value belongs",
            body: "about: [a, b]",
            "3:8: a single value belongs here, not a list"),
        Mistake(
            "a single value stands where a list belongs",
            body: "steps: upload",
            "3:8: a list belongs here, not a single value"),
        Mistake(
            "content has no seed",
            body: "steps: [{upload: a, data: {size: 1MiB}}]",
            "3:27: content of 1048576 bytes needs 'seed' or 'zeros: true'"),
        Mistake(
            "content has two kinds",
            body: "steps: [{upload: a, data: {size: 1, seed: 1, text: x}}]",
            "3:46: content has only one of 'size', 'text', 'base64', 'file'"),
        Mistake(
            "a file beside the scenario is not there",
            body: "steps: [{upload: a, data: {file: photo.jpg}}]",
            "3:34: there is no file 'photo.jpg' beside the scenario"),
        Mistake(
            "base64 is none",
            body: "steps: [{upload: a, data: {base64: \"%%\"}}]",
            "3:36: the text is not base64"),
    ]

    static let inFaults: [Mistake] = [
        Mistake(
            "an operation is misspelled",
            body: "faults: [\"upload.chnk: respond 503\"]",
            "3:11: unknown operation 'upload.chnk' | upload.chunk"),
        Mistake(
            "an ordinal is wrong",
            body: "faults: [{match: \"download#0\", do: {respond: 503}}]",
            "3:27: '#0' is no ordinal: #2, #1..4, #2.., #every 3 or #last"),
        Mistake(
            "a phase is misspelled",
            body: "faults: [{match: download, at: response-boddy 1KiB, do: {disconnect: reset}}]",
            "3:32: unknown phase 'response-boddy' | response-body"),
        Mistake(
            "a phase lacks its place",
            body: "faults: [{match: download, at: response-body, do: {disconnect: reset}}]",
            "3:45: the phase 'response-body' needs a place: 100KiB, 50%, end, end-1, object 1MiB"),
        Mistake(
            "an action lacks its phase",
            body: "faults: [{match: download, do: {disconnect: reset}}]",
            "3:32: the action 'disconnect' needs 'at': request-body 100KiB, response-head and the like"
        ),
        Mistake(
            "an action is misspelled",
            body: "faults: [{match: download, do: {droop: chunk}}]",
            "3:33: unknown action 'droop' | drop"),
        Mistake(
            "an action lacks its value",
            body: "faults: [{match: download, do: respond}]",
            "3:32: the action 'respond' needs a value: {respond: ...}"),
        Mistake(
            "two actions share a mapping",
            body: "faults: [{match: download, do: {delay: 1s, respond: 503}}]",
            "3:44: one action a mapping: several stand in a list, as [{delay: 1s}, {respond: 503}]"),
        Mistake(
            "a fault does nothing",
            body: "faults: [{match: download}]",
            "3:10: a fault needs 'do' or 'commit'"),
        Mistake(
            "a fault lacks its operation",
            body: "faults: [{do: {respond: 503}}]",
            "3:10: a fault needs 'match'"),
        Mistake(
            "a preset stands where a status belongs",
            body: "faults: [{match: download, do: {respond: unavailable}}]",
            "3:42: a preset is written {preset: unavailable} | {preset: unavailable}"),
        Mistake(
            "a place lies beyond the body",
            body:
                "faults: [{match: upload.body, at: request-body 2MiB, do: {disconnect: reset}}]\nsteps: [{upload: a, data: {size: 1MiB, seed: 1}}]",
            "3:10: 2MiB lies beyond the end: the largest upload that fits has 1MiB"),
        Mistake(
            "a one-line fault has no colon",
            body: "faults: [\"download respond 404\"]",
            "3:10: a fault in one line is MATCH [path=GLOB] [@ AT]: ACTION [VALUE], ..."),
    ]

    static let inSteps: [Mistake] = [
        Mistake(
            "a verb is misspelled",
            body: "steps: [{uplaod: a, data: {text: x}}]",
            "3:10: unknown verb 'uplaod' | upload"),
        Mistake(
            "a step has two verbs",
            body: "steps: [{upload: a, download: b, data: {text: x}}]",
            "3:21: a step has one verb, this one has two"),
        Mistake(
            "a task is not known",
            body: "steps:\n  - {upload: a, as: up, data: {text: x}}\n  - {pause: upp}",
            "5:13: unknown task 'upp' | up"),
        Mistake(
            "a trigger names an unknown task",
            body:
                "steps:\n  - {upload: a, as: up, data: {text: x}}\n  - {pause: up, when: ap progress}",
            "5:23: unknown task or result 'ap' | up"),
        Mistake(
            "a trigger names an unknown event",
            body:
                "steps:\n  - {upload: a, as: up, data: {text: x}}\n  - {pause: up, when: up progres}",
            "5:26: unknown event 'progres' | progress"),
        Mistake(
            "a download does not say where to",
            body: "steps: [{download: a, as: down}]",
            "3:9: 'download' needs 'to'"),
        Mistake(
            "a download into memory has no limit",
            body: "steps: [{download: a, to: memory}]",
            "3:9: 'download' needs 'maxSize'"),
        Mistake(
            "an observer has no name",
            body: "steps:\n  - {upload: a, as: up, data: {text: x}}\n  - {observe: up}",
            "5:5: 'observe' needs a name: as: late"),
        Mistake(
            "inside has no event",
            body: "steps:\n  - {upload: a, as: up, data: {text: x}}\n  - {pause: up, inside: true}",
            "5:17: 'inside' needs a 'when' that names one event of a task"),
        Mistake(
            "an instance is not known",
            body:
                "client: {instances: {second: {bucket: b}}}\nsteps: [{upload: a, in: secnd, data: {text: x}}]",
            "4:25: unknown instance 'secnd' | second"),
        Mistake(
            "an expectation names nobody",
            body:
                "steps: [{upload: a, as: up, data: {text: x}}]\nexpect: {upp: {events: [success]}}",
            "4:10: unknown task, observer, result or key 'upp' | up"),
        Mistake(
            "an event is misspelled",
            body:
                "steps: [{upload: a, as: up, data: {text: x}}]\nexpect: {up: {events: [resume, progres+]}}",
            "4:32: unknown event 'progres': resume, progress, pause, success, failure are known | progress"
        ),
        Mistake(
            "an error code is misspelled",
            body:
                "steps: [{upload: a, as: up, data: {text: x}}]\nexpect: {up: {error: {code: unauthorised}}}",
            "4:29: unknown error code 'unauthorised' | unauthorized"),
        Mistake(
            "a test of bytes is none",
            body:
                "steps: [{upload: a, as: up, data: {text: x}}]\nexpect: {up: {progress: {total: many}}}",
            "4:33: 'many' is no test of a size: 1MiB, \"< 1MiB\", 4KiB..8KiB, 4KiB.. or ..8KiB"),
        Mistake(
            "a local file is expected of an upload",
            body: "steps: [{upload: a, as: up, data: {text: x}}]\nexpect: {up: {local: absent}}",
            "4:22: 'local' is for downloads; 'up' is an upload"),
        Mistake(
            "a complaint is misspelled",
            body: "expect: {complaints: [offset-missmatch]}",
            "3:23: unknown complaint 'offset-missmatch' | offset-mismatch"),
        Mistake(
            "an invariant is switched off without a reason",
            body: "expect: {invariants: {except: [completion]}}",
            "3:22: 'invariants' needs 'why'"),
        Mistake(
            "the same as something that is not there",
            body:
                "steps: [{upload: a, as: up, data: {text: x}}]\nexpect: {stored: {a: {same-as: upp}}}",
            "4:32: unknown upload or given object 'upp' | up"),
        Mistake(
            "a request pattern has an unknown condition",
            body: "expect: {requests: [\"upload.chunk ofset=0\"]}",
            "3:35: unknown condition 'ofset': offset, length, status and path are known | offset"),
        Mistake(
            "a matrix value is not known",
            body:
                "matrix: {how: [reset]}\nfaults: [{match: download, at: request-head, do: {disconnect: \"${hwo}\"}}]",
            "4:63: unknown matrix value 'hwo' | how"),
        Mistake(
            "the matrix has an empty list",
            body: "matrix: {how: []}",
            "3:15: the matrix value 'how' has an empty list"),
        Mistake(
            "nothing is left of the matrix",
            body: "matrix: {how: [a]}\nmatrix-exclude: [{how: a}]",
            "3:9: the matrix has no row left"),
        Mistake(
            "a count stands where nothing counts",
            body: "about: \"${n}\"",
            "3:9: '${n}' counts only in 'repeat' and in objects with 'copies'"),
        Mistake(
            "expectations for 'documented' stand in a profile",
            body: "profiles: {documented: {skip: no}}",
            "3:12: 'expect' itself is written for the profile 'documented'"),
        Mistake(
            "a capability is misspelled",
            body: "needs: [chunksize]",
            "3:9: unknown capability 'chunksize' | chunk-size"),
        Mistake(
            "a token is not known",
            body: "backend: {tokens: {alice: {}}}\nclient: {token: alcie}",
            "4:17: unknown token 'alcie' | alice"),
        Mistake(
            "several mistakes are told in one run",
            "title: T\nsource: [D99]\nlevel: shoud\nbackend: {latency: 5, plan: sparc}\nsteps: [{pause: up}]",
            "2:10: there is no rule 'D99': the rules are D1 to D29, W1 to W42 and R1 to R22",
            "3:8: unknown level 'shoud' | should",
            "4:20: '5' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d",
            "4:29: unknown plan 'sparc' | spark",
            "5:17: unknown task 'up': there is none"),
    ]
}
