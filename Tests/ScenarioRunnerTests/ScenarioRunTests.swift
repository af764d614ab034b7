import RunModel
import ScenarioRunner
import StorageModel
import Testing

@Suite("Scenario runs")
struct ScenarioRunTests {
    static let simple = """
        title: An upload is stored as it was sent
        source: [D5]
        steps:
          - {upload: images/rivers.jpg, as: up, data: {size: 300KiB, seed: 11}}
        expect:
          up:
            events: [resume, progress+, success]
            metadata: {size: 300KiB}
          stored: {images/rivers.jpg: {same-as: up, generations: 1}}
        """

    @Test("An upload in one request passes")
    func upload() async throws {
        #expect(try await Harness.outcome(Self.simple) == ["passed"])
    }

    @Test("Faults, pauses and hours of virtual time pass in one scenario")
    func lifecycle() async throws {
        let outcome = try await Harness.outcome(
            """
            title: An upload goes on after a refusal, a break and a pause
            deadline: 3h
            source: [D14]
            client: {chunkSize: 256KiB}
            faults:
              - "upload.start#1: respond 503"
              - {match: upload.body#2, at: request-body 100KiB, do: {disconnect: reset}}
              - {match: upload.body#3, do: {delay: 40s}}
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 1MiB, seed: 11}}
              - {pause: up, when: up progress >= 512KiB}
              - {resume: up, when: up pause, after: 2h}
            expect:
              up:
                events: [resume, progress+, pause, resume, progress+, success]
                time: {end: 2h..3h}
              stored: {images/rivers.jpg: {same-as: up}}
            """)
        #expect(outcome == ["passed"])
    }

    @Test("Two hundred runs tell the same, event by event and request by request")
    func sameTwice() async throws {
        let text = """
            title: An upload and a download at once
            source: [D14]
            backend: {objects: {docs/a.bin: {size: 500KiB, seed: 3}}}
            client: {chunkSize: 256KiB}
            faults:
              - {match: upload.body#2, at: request-body 100KiB, do: {disconnect: reset}}
              - {match: download#1, at: response-body 100001, do: {disconnect: reset}}
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 1MiB, seed: 11}}
              - {download: docs/a.bin, as: down, to: file}
              - {pause: down, when: down progress >= 256KiB}
              - {resume: down, when: down pause, after: 3s}
            expect:
              down: {local: {same-as: docs/a.bin}}
            """
        var digests: Set<String> = []
        for _ in 0..<200 {
            let results = try await Harness.run(text)
            #expect(results.map(\.verdict) == [.passed])
            digests.insert(Harness.digest(results))
        }
        #expect(digests.count == 1)
    }

    @Test("A wrong expectation fails, with the mistake named and its place")
    func wrongEvents() async throws {
        let text = Self.simple.replacing("progress+, success", with: "progress+, pause, success")
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.failed])
        let failure = try #require(results.first?.failures.first)
        #expect(failure.kind == .events)
        #expect(failure.subject == "up")
        #expect(failure.place?.line == 7)
        #expect(failure.difference != nil)
    }

    @Test("Wrong bytes at rest fail")
    func wrongBytes() async throws {
        let text = Self.simple.replacing("{same-as: up, ", with: "{size: 300KiB, seed: 12, ")
        #expect(
            try await Harness.outcome(text) == [
                "failed",
                "stored: images/rivers.jpg: the object differs from what the scenario gives at byte 0",
            ])
    }

    @Test("A fault that never fires makes a scenario void")
    func unfiredFault() async throws {
        let text = "faults: [\"download#1: respond 404\"]\n" + Self.simple
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.void])
        #expect(results[0].unfiredFaults.count == 1)
        #expect(results[0].failures.map(\.kind) == [.unfiredFault])
    }

    @Test("A fault that may miss does not")
    func mayMiss() async throws {
        let text =
            "faults: [{match: download#1, do: {respond: 404}, may-miss: true}]\n" + Self.simple
        #expect(try await Harness.outcome(text) == ["passed"])
    }

    private static let threeChunks = """
        title: Three chunks, three faults
        source: [D14]
        client: {chunkSize: 256KiB}
        faults:
          - {match: upload.chunk#2, at: request-body object 257KiB, do: {respond: 503}}
          - {match: upload.chunk#3, do: {respond: 503}}
          - {match: upload.chunk#9, do: {respond: 503}, may-miss: MISS}
        steps:
          - {upload: photos/lake.png, as: up, data: {size: 1MiB, seed: 161}}
        expect:
          up: {events: [resume, progress+, success]}
        """

    @Test(
        "A pending fault is named with its place, and the scenario is void unless it may miss (B159)"
    )
    func pendingFault() async throws {
        let results = try await Harness.run(Self.threeChunks.replacing("MISS", with: "false"))
        #expect(results.map(\.verdict) == [.void])
        let result = try #require(results.first)
        #expect(result.exchanges.flatMap(\.faults).map(\.rule) == [1, 2])
        #expect(result.unfiredFaults.map(\.place?.line) == [7])
        #expect(result.failures.map(\.place?.line) == [7])
        #expect(result.failures[0].sentence.contains("`upload.chunk#9` never came"))
        let outcome = try await Harness.outcome(
            Self.threeChunks.replacing("MISS", with: "true"))
        #expect(outcome == ["passed"])
    }

    @Test("A failure that shows a URL shows no download token")
    func secretURL() async throws {
        let outcome = try await Harness.outcome(
            """
            title: The URL is another
            source: [D14]
            backend: {objects: {a: {size: 10, seed: 1}}}
            steps: [{url: a, as: link}]
            expect: {link: {url: nothing}}
            """)
        #expect(outcome.count == 2)
        #expect(outcome.last?.contains("alt=media&token=present', 'nothing' expected") == true)
    }

    @Test("Nothing is judged by a journal that lost something")
    func truncatedJournal() async throws {
        var settings = RunSettings()
        settings.journalLimit = 1
        // An expectation that would fail, too.
        let text = Self.simple.replacing("generations: 1", with: "generations: 2")
        let outcome = try await Harness.outcome(text, settings: settings)
        #expect(outcome.first == "errored")
        #expect(
            outcome.dropFirst().map { $0.hasPrefix("infrastructure: the journal kept 1") } == [true]
        )
        settings.journalLimit = 100
        #expect(try await Harness.outcome(Self.simple, settings: settings) == ["passed"])
    }

    @Test("A step whose moment never comes makes a scenario void, and says what came instead")
    func missedStep() async throws {
        let text = Self.simple.replacing(
            "expect:", with: "  - {cancel: up, when: up progress >= 2MiB}\nexpect:")
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.void])
        let failure = try #require(results.first?.failures.first)
        #expect(
            failure.sentence
                == "the moment of the step 'cancel' never came: up progress >= 2MiB")
        #expect(failure.notes.first?.hasSuffix("progress@307200, success") == true)
    }

    @Test("A fault at the byte where a pause stopped the upload has fired")
    func faultBehindAStep() async throws {
        let outcome = try await Harness.outcome(
            """
            title: A pause while the body is held comes before the end
            source: [D14]
            faults:
              - {match: upload.body#1, at: request-body 64KiB, do: {hold: step go-on}}
            steps:
              - {upload: photos/lake.png, as: up, data: {size: 100KiB, seed: 161}}
              - {pause: up, when: wire upload.body#1 request-body 64KiB}
              - {resume: up, as: go-on, when: up pause}
            expect:
              up: {events: [resume, progress*, pause, resume, progress+, success]}
            """)
        #expect(outcome == ["passed"])
    }

    @Test("Connections that stay open are counted, tasks that stay alive are not yet")
    func resources() async throws {
        let open = Self.simple + "\n  resources: {connections: 0}"
        #expect(
            try await Harness.outcome(open) == [
                "failed", "resources: open connections: 1, 0 expected",
            ])
        let alive = Self.simple + "\n  resources: {tasks: 0}"
        #expect(try await Harness.outcome(alive).first == "skipped")
    }

    @Test("Failed outranks void")
    func failedOutranksVoid() async throws {
        let text =
            "faults: [\"download#1: respond 404\"]\n"
            + Self.simple.replacing("generations: 1", with: "generations: 2")
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.failed])
        #expect(results[0].failures.map(\.kind) == [.stored, .unfiredFault])
    }

    @Test("A wait that nothing can end is a deadlock, with both sides named")
    func deadlock() async throws {
        let text =
            "faults: [{match: upload.body#1, at: request-head, do: {stall: forever}}]\n"
            + "client: {idleTimeout: 10000h, maxUploadRetryTime: 10000h}\ndeadline: 20000h\n"
            + Self.simple.replacing(
                "expect:", with: "  - {release: up, when: up success}\nexpect:")
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.failed])
        let kinds = results[0].failures.map(\.kind)
        #expect(kinds.first == .deadlock || kinds.contains(.events))
    }

    @Test("A scenario that is not over by its deadline fails")
    func deadline() async throws {
        let text =
            "deadline: 20s\nfaults: [\"upload.start: respond 503\"]\n" + Self.simple
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.failed])
        let failure = try #require(results.first?.failures.first)
        #expect(failure.kind == .deadline)
        #expect(failure.sentence == "after 20s up has not ended")
        #expect(results[0].duration == .seconds(20))
    }

    @Test("More requests than the budget fail")
    func budget() async throws {
        let text = "exchanges: 5\nfaults: [\"upload.start: respond 503\"]\n" + Self.simple
        let results = try await Harness.run(text)
        #expect(results.map(\.verdict) == [.failed])
        #expect(results[0].failures.first?.kind == .budget)
        #expect(results[0].exchanges.count == 6)
    }

    @Test("Steps act on local files, tokens and the backend")
    func ownVerbs() async throws {
        let outcome = try await Harness.outcome(
            """
            title: A program looks after its files and its token
            source: [D5]
            backend: {access: signed-in, tokens: {alice: {}, bob: {}}}
            client: {token: alice}
            steps:
              - {local: {create: note.txt, content: {text: "hello"}}}
              - {upload: docs/note.txt, as: up, file: note.txt}
              - {wait: up success}
              - {token: {use: bob}}
              - {backend: {object: {replace: docs/note.txt, with: {text: "other"}}}}
              - {get-metadata: docs/note.txt, as: meta}
              - {download: docs/note.txt, as: down, to: file}
            expect:
              up: {events: [resume, progress+, success]}
              meta: {size: 5}
              down: {local: {text: "other"}}
              stored: {docs/note.txt: {versions: [{text: "hello"}, {text: "other"}]}}
              tokens: {asked: 2}
              exchanges: [{match: metadata.get, where: {token: bob}, count: 1}]
            """)
        #expect(outcome == ["passed"])
    }

    @Test("What is inside a repeat is done and judged round by round")
    func rounds() async throws {
        let outcome = try await Harness.outcome(
            """
            title: Every third upload is refused
            source: [D5]
            faults: [{match: "upload.start#every 3", per: run, do: {respond: {preset: permission-denied}}}]
            steps:
              - repeat: 9
                do:
                  - {upload: "docs/${n}.txt", as: up, data: {size: 1KiB, seed: 1}}
                  - {wait: up end}
            expect:
              up: {ends: {success: 6, failure: 3}}
              stored: {docs/1.txt: {same-as: up}, docs/3.txt: absent}
            """)
        #expect(outcome == ["passed"])
    }

    @Test("One of several outcomes is enough; without one, the nearest is told")
    func outcomes() async throws {
        let base = Self.simple.components(before: "expect:")
        let good =
            base + """
                expect:
                  outcomes:
                    - up: {events: [resume, failure]}
                    - up: {events: [resume, progress+, success]}
                """
        #expect(try await Harness.outcome(good) == ["passed"])
        let bad = good.replacing("progress+, success", with: "progress+, pause")
        let results = try await Harness.run(bad)
        #expect(results.map(\.verdict) == [.failed])
        #expect(results[0].failures.first?.notes.first?.hasPrefix("none of 2 outcomes") == true)
    }
}

extension String {
    /// Everything before the first place of `text`.
    func components(before text: String) -> String {
        split(separator: text, maxSplits: 1).first.map(String.init) ?? self
    }

    @Test("A fault that could not be carried out is an error of the scenario, and says so")
    func faultThatCannotBe() async throws {
        let results = try await Harness.run(
            """
            title: An object that is not there vanishes
            source: [D5]
            faults:
              - {match: upload.start#1, at: before-commit, do: {object: {delete: docs/none}}}
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 300KiB, seed: 11}}
            expect:
              up: {events: [resume, progress+, success]}
            """)
        #expect(results.map(\.verdict) == [.errored])
        let sentences = results.flatMap(\.failures).map(\.sentence)
        #expect(
            sentences.contains {
                $0.contains("could not be carried out: object 'docs/none'")
            }, "\(sentences)")
    }
}
