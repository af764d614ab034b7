import EventMatching
import FaultEngine
import Scenario
import StorageModel
import Testing

@Suite("Expectations")
struct ExpectationTests {
    private static let start = """
        backend: {objects: {o: {text: x}}}
        steps:
          - {upload: a, as: up, data: {size: 5, seed: 1}}
          - {download: o, as: down, to: file}
          - {url: o, as: link}
          - {list: "", as: page}
          - {fetch: link, as: got}
          - {snapshot: up, as: shot}
          - {get-metadata: o, as: meta}
          - {observe: up, as: late}
          - {repeat: 3, do: [{upload: c, as: many, data: {text: x}}]}
        expect:

        """

    private func read(_ text: String) -> Scenario.Expectation? {
        let reading = Reading(body: Self.start + text.indented)
        #expect(reading.messages == [])
        return reading.scenario?.expect
    }

    @Test("What a task must come to is read")
    func tasks() {
        let task = read(
            """
            up:
              events: [resume, progress+, {any: [[success], ["failure(unknown|cancelled)"]]}, {quiet: 3s}]
              error: {allow: [unknown, cancelled], underlying: {status: 403, transport: reset, body: {contains: x}}, message: present}
              progress: {total: 1MiB, last: 5, first: "> 0", count: 1.., falls: 0, fraction: 1}
              metadata: {contentType: image/png, size: 1MiB, custom: {k: absent}}
              time: {end: 10s..12s, pause#2: {since: time 3s, is: "<= 500ms"}}
              completion: once
            """)?.tasks.first
        #expect(task?.events?.value.count == 4)
        #expect(task?.error?.value.codes == .allowed([.unknown, .cancelled]))
        #expect(task?.error?.value.transport == .reset)
        #expect(task?.error?.value.message == .present)
        #expect(task?.progress?.value.count?.description == "1..")
        #expect(task?.metadata?.value.fields == ["contentType": .equals("image/png")])
        #expect(task?.metadata?.value.custom == ["k": .absent])
        #expect(task?.times.map(\.value.ordinal) == [1, 2])
        #expect(task?.times.last?.value.since == .time(.seconds(3)))
        #expect(task?.completion?.value == .once)
        #expect(task?.events?.place.line == 16)
    }

    @Test("No error and an unknown total are read")
    func special() {
        let task = read("down: {error: none, progress: {total: unknown}}")?.tasks.first
        #expect(task?.error?.value.codes == ErrorTest.Codes.none)
        #expect(task?.progress?.value.total == .unknown)
    }

    @Test(
        "Local bytes are told by object, content, size or a word",
        arguments: [
            ("{same-as: o}", ContentExpectation.sameAs(.object(ObjectAddress(path: "o")))),
            ("{same-as: up}", .sameAs(.task("up"))), ("absent", .absent), ("unchanged", .unchanged),
            ("{text: x}", .content(Content(.bytes([0x78])))),
            ("{size: 5, seed: 2}", .content(Content(.synthetic(size: 5, seed: 2)))),
            ("{any: [absent, {text: x}]}", .any([.absent, .content(Content(.bytes([0x78])))])),
        ])
    func local(text: String, wanted: ContentExpectation) {
        #expect(read("down: {local: \(text)}")?.tasks.first?.local?.value == wanted)
    }

    @Test("Objects at rest are read")
    func stored() {
        let stored = read(
            """
            stored:
              a: {same-as: up, generations: 1, metadata: {contentType: x}}
              gs://other/b: absent
              c: {any: [absent, {size: 5}]}
              d: {versions: [{text: x}, absent]}
            """)?.stored
        #expect(stored?.map(\.object.description) == ["a", "gs://other/b", "c", "d"])
        guard case .present(let object)? = stored?.first?.test else {
            Issue.record("no object")
            return
        }
        #expect(object.content == .sameAs(.task("up")))
        #expect(object.generations?.description == "1")
        #expect(stored?[1].test == .absent)
        #expect(stored?[1].place.line == 17)
    }

    @Test(
        "Requests are the whole log, a part, or parts",
        arguments: [
            ("requests: [upload.start, \"upload.chunk+ status=200\"]", 1),
            ("requests: {of: a, after: step late, are: []}", 1),
            ("requests: [{after: up end, are: [download]}, {before: time 5s, are: []}]", 2),
            ("requests: []", 1),
            ("requests: [{sequence: [\"upload.query+\"], times: 1..}, {any: [[list], []]}]", 1),
        ])
    func requests(text: String, parts: Int) {
        #expect(read(text)?.requests?.count == parts)
    }

    @Test("Tests on exchanges are read")
    func exchanges() {
        let test = read(
            """
            exchanges:
              - {match: "upload.body#2..", where: {path: a, status: 409}, after: time 1s, before: time 2s, any: true,
                 header: {A: absent}, query: {q: x}, json: {j: present}, status: 200..299, offset: 0, length: 5,
                 declared: 5, uploaded: ..12MiB, downloaded: 0, count: 4, gap: ">= 30s", growth: "> 1.5",
                 overlap: false, connections: 1}
            """)?.exchanges.first?.value
        #expect(test?.selector.ordinal == .range(from: 2, through: nil))
        #expect(test?.whereStatus?.description == "409")
        #expect(test?.quantifier == .any)
        #expect(test?.headers == ["A": .absent])
        #expect(test?.growth?.description == "> 1.5")
        #expect(test?.overlap == false)
    }

    @Test("The other keys are read")
    func others() {
        let expectation = read(
            """
            late: {events: [failure]}
            page: {items: [a, b], prefixes: [c/], next: true, time: {end: ..2s}}
            link: {url: {contains: token}, error: none}
            got: {status: 200, content: {text: x}, header: {A: present}}
            shot: {status: running, completed: ">= 5", total: 5, metadata: {contentType: x}}
            meta: {size: 1, contentType: absent, custom: {k: v}}
            many: {ends: {success: 2, failure: 1}}
            sessions: {open: 0, started: 1, fed: 1}
            tokens: {asked: ..2}
            resources: {connections: ..1}
            complaints: [offset-mismatch]
            invariants: {except: [progress-monotone, stored-bytes], why: because}
            outcomes: [{up: {events: [success]}}, {stored: {a: absent}}]
            """)
        #expect(expectation?.observers.map(\.name) == ["late"])
        #expect(expectation?.results.map(\.name) == ["page", "link", "got", "shot", "meta"])
        #expect(expectation?.tasks.first?.ends?.success?.description == "2")
        #expect(expectation?.sessions?.fed?.description == "1")
        #expect(expectation?.tokensAsked?.value.description == "..2")
        #expect(expectation?.resources?.connections?.description == "..1")
        #expect(expectation?.complaints?.value == .names(["offset-mismatch"]))
        #expect(
            expectation?.invariants?.value
                == InvariantExceptions([.progressMonotone, .storedBytes], why: "because"))
        #expect(expectation?.outcomes.count == 2)
    }

    @Test(
        "Each mistake is told at its place",
        arguments: [
            (
                "up: {events: [resume, progres+]}",
                "15:25: unknown event 'progres': resume, progress, pause, success, failure are known | progress"
            ),
            ("up: {evnts: []}", "15:8: unknown key 'evnts' | events"),
            ("up: {error: {code: cancled}}", "15:22: unknown error code 'cancled' | cancelled"),
            (
                "up: {error: {code: unknown, allow: [unknown]}}",
                "15:31: an error has 'code' or 'allow', not both"
            ),
            ("up: {time: {ende: 5s}}", "15:15: unknown event 'ende' | end"),
            (
                "up: {time: {end: 5}}",
                "15:20: '5' is no test of a duration: 5s, \"< 5s\", 4s..8s, 4s.. or ..8s"
            ),
            ("up: {local: absent}", "15:15: 'local' is for downloads; 'up' is an upload"),
            ("up: {ends: {success: 1}}", "15:8: 'ends' counts under a name of 'repeat' alone"),
            ("upp: {events: []}", "15:3: unknown task, observer, result or key 'upp' | up"),
            ("link: {urll: x}", "15:10: unknown key 'urll' | url"),
            ("stored: {a: {same-as: upp}}", "15:25: unknown upload or given object 'upp' | up"),
            ("stored: {a: gone}", "15:15: 'gone' is no content: absent or a mapping"),
            ("down: {local: gone}", "15:17: 'gone' is no content: absent, unchanged or a mapping"),
            (
                "requests: [\"upload.chunk ofset=0\"]",
                "15:28: unknown condition 'ofset': offset, length, status and path are known | offset"
            ),
            (
                "exchanges: [{match: upload.body, growth: \"> x\"}]",
                "15:44: '> x' is no test of a number: 5, \">= 5\", 4..8, 4.. or ..8"
            ),
            ("complaints: some", "15:15: 'complaints' is none, or a list of names"),
            ("invariants: {except: [nope], why: x}", "15:25: unknown invariant 'nope'"),
            ("invariants: {except: []}", "15:15: 'invariants' needs 'why'"),
            ("outcomes: [{outcomes: []}]", "15:15: 'outcomes' do not stand inside each other"),
        ])
    func refusals(text: String, message: String) {
        #expect(Reading(body: Self.start + "  " + text).messages == [message])
    }

    @Test("A profile's block is read, with what it removes")
    func profiles() {
        let reading = Reading(
            body: Self.start
                + """
                  up: {events: [success]}
                profiles:
                  apple: {up: {events: [failure], metadata: null}, requests: null, skip: why}
                """)
        #expect(reading.messages == [])
        let block = reading.scenario?.profiles.first
        #expect(block?.name == "apple")
        #expect(block?.skip == "why")
        #expect(block?.removed == [["up", "metadata"], ["requests"]])
        #expect(block?.replaced.tasks.first?.events?.value.count == 1)
    }

    @Test(
        "Wrong profile blocks are refused",
        arguments: [
            ("{documented: {}}", "16:12: 'expect' itself is written for the profile 'documented'"),
            ("{apple: {upp: null}}", "16:20: unknown task, observer, result or key 'upp' | up"),
            ("{apple: {up: {evnts: []}}}", "16:25: unknown key 'evnts' | events"),
            ("{apple: x}", "16:19: a profile's block is a mapping, not a single value"),
        ])
    func wrongProfiles(text: String, message: String) {
        let body = Self.start + "  up: {events: [success]}\nprofiles: " + text
        #expect(Reading(body: body).messages == [message])
    }
}

extension String {
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(
            separator: "\n")
    }
}
