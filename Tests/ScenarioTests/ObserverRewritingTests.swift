import Scenario
import StorageModel
import Testing

@Suite("Observers and own blocks, rewritten for a profile")
struct ObserverRewritingTests {
    /// An upload with an observer that a step adds.
    private func observed(
        _ step: String, _ events: String, task: String = "[resume, progress x4, success]"
    ) -> String {
        """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
        \(step)
        expect:
          up: {events: \(task)}
          late: {events: \(events)}
        """
    }

    private static let midway = "  - {observe: up, as: late, when: up progress >= 512KiB}"
    private static let ended = "  - {observe: up, as: late, when: up end}"
    private static let started = "  - {observe: up, as: late}"
    private static let paused = """
          - {pause: up, when: up progress}
          - {observe: up, as: late, when: up pause}
        """

    @Test(
        "A late observer hears what the client tells of what was before",
        arguments: [
            ("nothing", ended, "[success]", "[]"),
            ("nothing", midway, "[progress+, success]", "[progress+, success]"),
            ("nothing", started, "[resume?, success]", "[resume?, success]"),
            ("replay", ended, "[success]", "[success]"),
            (
                "replay", midway, "[progress@768KiB, success]",
                "[{any: [[resume, progress?], [progress]]}, progress@768KiB, success]"
            ),
            ("replay", paused, "[resume, success]", "[pause, resume, success]"),
            ("replay", started, "[success]", "[resume?, progress?, success]"),
            ("replay-but-cancel", ended, "[success]", "[success]"),
            ("replay-but-cancel", ended, "[failure(cancelled)]", "[]"),
            ("replay-but-cancel", ended, "[failure(cancelled|unknown)]", "[failure(unknown)?]"),
        ])
    func late(value: String, step: String, before: String, after: String) {
        let rewriting = Rewriting("late-observer: \(value)", observed(step, before))
        #expect(rewriting["late.events"] == after)
        #expect(rewriting["up.events"] == "[resume, progress x4, success]")
        #expect(rewriting.skipReason == nil)
    }

    @Test("An observer of some events hears those alone again")
    func lateFilter() {
        func events(_ kinds: String) -> String? {
            Rewriting(
                "late-observer: replay",
                observed(
                    "  - {observe: up, as: late, events: [\(kinds)], when: up progress}",
                    "[success]")
            )["late.events"]
        }
        #expect(events("success") == "[success]")
        #expect(events("progress, success") == "[progress?, success]")
        #expect(events("resume, success") == "[resume?, success]")
    }

    @Test(
        "An observer whose moment is not told leaves the scenario out",
        arguments: [
            "  - {observe: up, as: late, when: time 5s}",
            "  - {observe: up, as: late, when: wire upload.finalize response-end}",
            "  - {wait: 2s}\n  - {observe: up, as: late}",
        ])
    func lateUnknown(step: String) {
        let rewriting = Rewriting("late-observer: replay", observed(step, "[success]"))
        #expect(
            rewriting.skipReason
                == "profile mine, late-observer: what 'up' is about when an observer is added to it "
                + "is not told")
    }

    @Test("A step after one that waited for the end comes after the end too")
    func lateByOrder() {
        let step = """
              - {get-metadata: a.bin, as: got, when: up success}
              - {observe: up, as: late}
            """
        let rewriting = Rewriting("late-observer: nothing", observed(step, "[success]"))
        #expect(rewriting["late.events"] == "[]")
    }

    @Test("An observer that is there from the start hears the start as the task does")
    func startObserver() {
        let zero = "start-event: zero-progress"
        let all = Rewriting(zero, observed(Self.started, "[resume?, progress x4, success]"))
        #expect(all["late.events"] == "[progress@0 x0..2, progress x4, success]")
        let none = Rewriting(
            "start-event: none", observed(Self.started, "[resume?, progress x4, success]"))
        #expect(none["late.events"] == "[progress x4, success]")
        let resumes = Rewriting(
            zero, observed("  - {observe: up, as: late, events: [resume]}", "[resume?]"))
        #expect(resumes["late.events"] == "[]")
        let progress = Rewriting(
            zero, observed("  - {observe: up, as: late, events: [progress]}", "[progress x4]"))
        #expect(progress["late.events"] == "[progress@0 x0..2, progress x4]")
        let midway = Rewriting(zero, observed(Self.paused, "[resume, success]"))
        #expect(midway["late.events"] == "[resume, success]")
    }

    @Test("The progress before the end is heard by who hears progress and is there")
    func closingObserver() {
        func events(_ step: String, _ before: String) -> String? {
            Rewriting("closing-progress: success", observed(step, before))["late.events"]
        }
        #expect(events(Self.midway, "[progress+, success]") == "[progress+, progress, success]")
        #expect(events(Self.ended, "[success]") == "[success]")
        let successes = "  - {observe: up, as: late, events: [success]}"
        #expect(events(successes, "[success]") == "[success]")
        let muted = """
              - {observe: up, as: late}
              - {unobserve: {task: up, events: [progress]}, when: up progress}
            """
        #expect(events(muted, "[resume?, progress, success]") == "[resume?, progress, success]")
    }

    @Test("An observer of failures alone does not hear a cancel that has its own event")
    func ownCancel() {
        func events(_ kinds: String, _ before: String) -> Rewriting {
            let step = """
                  - {observe: up, as: late, events: [\(kinds)]}
                  - {cancel: up, when: up progress}
                """
            return Rewriting("cancelled-event: own", observed(step, before))
        }
        #expect(events("failure", "[failure(cancelled)]")["late.events"] == "[]")
        #expect(
            events("resume, progress, pause, success, failure", "[failure(cancelled)]")[
                "late.events"]
                == "[failure(cancelled)]")
        #expect(
            events("failure", "[failure(cancelled|unknown)]")["late.events"]
                == "[failure(unknown)?]")
        #expect(
            events("failure", "[failure]").skipReason
                == "profile mine, cancelled-event: whether 'up' fails by its cancel is not told")
    }

    // MARK: The scenario's own blocks

    private func blocks(_ profiles: String, traits: String = "start-event: none") -> Rewriting {
        Rewriting(
            traits,
            """
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {get-metadata: a.bin, as: got, when: up success}
            expect:
              up: {events: [resume, progress+, success], error: none, metadata: {size: 1MiB}}
              got: {size: 1MiB, contentType: present}
              stored: {a.bin: {same-as: up}, b.bin: absent}
              requests: [upload.start, "upload.body+", metadata.get]
              sessions: {open: 0, started: 1}
            profiles: \(profiles)
            """)
    }

    @Test("A block is merged two levels deep, over what the traits made")
    func merged() {
        let rewriting = blocks(
            """
            {mine: {up: {events: [success], metadata: null}, got: {size: 2, contentType: null},
              stored: {b.bin: null, c.bin: absent}, requests: null, sessions: {open: 1}}}
            """)
        #expect(
            rewriting.changes == [
                "got.contentType: not tested", "got.size: 2", "requests: not tested",
                "sessions: {open: 1, started: 1}", "stored.b.bin: not tested",
                "stored.c.bin: absent", "up.events: [success]", "up.metadata: not tested",
            ])
        #expect(rewriting["up.error"] == "none")
        #expect(rewriting["stored.a.bin"] == "{same-as: up}")
        #expect(
            rewriting.planned.rewrites.filter { $0.subject == "up.events" }.map(\.cause)
                == ["start-event: none", "profiles.mine"])
    }

    @Test("The block of another profile changes nothing")
    func otherBlock() {
        let rewriting = blocks("{apple: {up: {events: [success]}, skip: it differs}}")
        #expect(rewriting.changes == ["up.events: [progress+, success]"])
        #expect(rewriting.skipReason == nil)
    }

    @Test("A block may leave the scenario out, and take back that it is left out")
    func skip() {
        #expect(
            blocks("{mine: {skip: it cannot be told}}").skipReason
                == "profile mine: it cannot be told")
        let loop = "retries: {statuses: [4xx]}"
        let faulty = """
            faults: [{match: upload.start#1, do: {respond: 400}}]
            steps: [{upload: a.bin, as: up, data: {size: 10, seed: 1}}]
            expect: {up: {events: [resume, failure]}}

            """
        #expect(Rewriting(loop, faulty).skipReason != nil)
        let back = Rewriting(
            loop + ", start-event: none",
            faulty + "profiles: {mine: {skip: null, up: {events: [progress+, success]}}}")
        #expect(back.skipReason == nil)
        #expect(back["up.events"] == "[progress+, success]")
    }

    @Test("A profile inherits the blocks of its base, and its own come after them")
    func inherited() throws {
        let body = """
            title: T
            source: [D1]
            steps: [{upload: a.bin, as: up, data: {size: 10, seed: 1}}]
            expect: {up: {events: [resume, success], completion: once}}
            profiles:
              mine: {up: {events: [failure]}}
              apple: {up: {events: [success], completion: never}, skip: not there}
            """
        let planned = try #require(Reading(body).plan.planned.first)
        let loader = ProfileLoader(folder: "Conformance/profiles")
        let profile = try #require(
            loader.read(Array("base: apple\n".utf8), file: "mine.yaml").profile)
        let rewritten = profile.rewriting(planned)
        #expect(rewritten.skipReason == "profile apple: not there")
        let apple = Profile(name: "apple")
        #expect(apple.rewriting(planned).skipReason == "profile apple: not there")
        #expect(rewritten.rewrites.last?.after == "[failure]")
        #expect(
            rewritten.rewrites.map(\.cause).suffix(3) == [
                "profiles.apple", "profiles.apple", "profiles.mine",
            ])
    }

    // MARK: Observers that go

    private static let removed = """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
          - {observe: up, as: one}
          - {unobserve: one, when: up progress >= 512KiB}
        expect:
          up: {events: [resume, progress x4, success]}
          one: {events: [resume?, progress@256KiB, progress@512KiB]}
        """

    @Test("An observer that is removed later hears sent bytes too until then")
    func removedLater() {
        let rewriting = Rewriting("progress-unit: sent", Self.removed)
        #expect(
            rewriting["one.events"]
                == "[{sequence: [resume, progress*], times: 0..1}, progress+]")
    }

    @Test("An observer that is removed later is told the present state when it comes")
    func toldAtFirst() {
        let rewriting = Rewriting("late-observer: replay", Self.removed)
        #expect(
            rewriting["one.events"]
                == "[resume?, progress?, resume?, progress@256KiB, progress@512KiB]")
    }
}
