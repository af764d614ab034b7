import EventMatching
import Foundation
import Scenario
import StorageModel
import Testing

@Suite("Profile files")
struct ProfileFileTests {
    private static let folder = "Conformance/profiles"

    /// Reads a profile that is not on the disk.
    private func read(_ text: String) -> ProfileLoader.Reading {
        ProfileLoader(folder: Self.folder).read(Array(text.utf8), file: "mine.yaml")
    }

    private func messages(_ reading: ProfileLoader.Reading) -> [String] {
        reading.diagnostics.map { diagnostic in
            "\(diagnostic.place.line):\(diagnostic.place.column): \(diagnostic.message)"
                + (diagnostic.suggestion.map { " | \($0)" } ?? "")
        }
    }

    @Test("The file of the documented profile says what is built in")
    func documented() throws {
        let reading = ProfileLoader(folder: Self.folder).load("documented")
        let profile = try #require(reading.profile)
        #expect(reading.diagnostics.isEmpty)
        #expect(profile.traits == Traits.documented)
        #expect(profile.departures.isEmpty)
        #expect(profile.lineage.isEmpty)
    }

    @Test("The file of the documented profile names every trait")
    func documentedIsWhole() throws {
        let text = try String(contentsOfFile: Self.folder + "/documented.yaml", encoding: .utf8)
        let missing = Trait.allCases.filter { !text.contains("  \($0.rawValue):") }
        #expect(missing.isEmpty)
    }

    @Test(
        "Each shipped profile is read, departs from the documented one and says where from",
        arguments: ["apple", "javascript", "android"])
    func shipped(name: String) throws {
        let reading = ProfileLoader(folder: Self.folder).load(name)
        let profile = try #require(reading.profile)
        #expect(reading.diagnostics.isEmpty)
        #expect(profile.name == name)
        #expect(profile.lineage == [name])
        let departing = Trait.allCases.filter {
            profile.traits.text($0) != Traits.documented.text($0)
        }
        #expect(departing.count >= 6)
        #expect(Set(profile.sources.keys) == Set(departing))
    }

    @Test("A trait that is left out is that of the base, and one that is given is not")
    func inherits() throws {
        let reading = read("base: apple\ntraits: {start-event: zero-progress}\n")
        let profile = try #require(reading.profile)
        #expect(profile.name == "mine")
        #expect(profile.lineage == ["apple", "mine"])
        #expect(profile.traits.startEvent == .zeroProgress)
        #expect(profile.traits.pauseEvent == .atCall)
        #expect(profile.departures.contains("start-event: zero-progress"))
    }

    @Test("Keys of 'retries' that are left out are those of the base")
    func partOfRetries() throws {
        let reading = read("base: apple\ntraits: {retries: {waits: {first: 5s}}}\n")
        let habit = try #require(reading.profile?.traits.retries)
        #expect(habit.statuses == [.one(408), .one(502), .one(503), .one(504)])
        #expect(habit.waits.first == .seconds(5))
        #expect(habit.waits.longest == .seconds(512))
        #expect(!habit.retries(500))
        #expect(habit.retries(503))
        #expect(!habit.retries(TransportFault.refused))
    }

    @Test(
        "Every value of every trait is read, and its text reads back as the same",
        arguments: [
            "start-event: none", "start-event: zero-progress", "closing-progress: success",
            "closing-progress: success-and-failure", "progress-events: none",
            "progress-unit: sent", "progress-total: object-and-metadata", "pause-event: at-call",
            "cancelled-event: own", "cancel-while-paused: ignored", "cancel-command: not-sent",
            "late-observer: replay", "late-observer: replay-but-cancel", "late-observer: nothing",
            "retries: {statuses: [503, 4xx], transport: [reset], "
                + "waits: {first: 2s, factor: 1.5, longest: 1m, overrun: 3}}",
            "after-break: resend", "query-failure: fatal", "refused-while-active: retry",
            "refused-while-active: fail", "exhausted: last-error", "checksum: unchecked",
            "small-upload: {multipart-to: 256KiB}", "small-upload: media", "chunks: whole",
            "chunks: {fixed: 1MiB}", "chunks: {doubling: 256KiB..32MiB}",
            "download-resume: restart",
            "error-names: {quotaExceeded: unknown, uploads: {objectNotFound: [unknown, other]}}",
        ])
    func values(line: String) throws {
        let first = read("traits:\n  \(line)\n")
        #expect(messages(first) == [])
        let profile = try #require(first.profile)
        let departure = try #require(profile.departures.first)
        #expect(profile.departures.count == 1)
        let second = read("traits:\n  \(departure)\n")
        #expect(messages(second) == [])
        #expect(second.profile?.traits == profile.traits)
    }

    @Test(
        "Mistakes are told at their place, with what was probably meant",
        arguments: [
            ("traits: {start-evnt: none}", ["1:10: unknown trait 'start-evnt' | start-event"]),
            (
                "traits: {start-event: nothing}",
                [
                    "1:23: unknown value of 'start-event' 'nothing': resume, none, zero-progress"
                ]
            ),
            (
                "traits: {progress-unit: snet}",
                ["1:25: unknown value of 'progress-unit' 'snet' | sent"]
            ),
            (
                "traits: {chunks: {doubling: 1MiB}}",
                ["1:29: '1MiB' is no range of sizes: 256KiB..32MiB would be right"]
            ),
            ("traits: {chunks: {fixed: 0}}", ["1:26: 0 is out of range: at least 1"]),
            ("traits: {chunks: hole}", ["1:18: unknown value of 'chunks' 'hole' | whole"]),
            (
                "traits: {small-upload: {multipart: 1MiB}}",
                ["1:25: unknown key 'multipart' | multipart-to"]
            ),
            (
                "traits: {retries: {statuses: [200]}}",
                ["1:31: '200' is no status to be tried again: 503 or 5xx"]
            ),
            (
                "traits: {retries: {transport: [rest]}}",
                ["1:32: unknown transport fault 'rest' | reset"]
            ),
            (
                "traits: {retries: {waits: {first: 2m, longest: 1m}}}",
                ["1:27: the longest wait is shorter than the first"]
            ),
            (
                "traits: {error-names: {unkown: other}}",
                ["1:24: unknown error code 'unkown' | unknown"]
            ),
            ("trait: {}", ["1:1: unknown key 'trait' | traits"]),
            ("base: appel", ["1:7: unknown profile 'appel' | apple"]),
            (
                "base: zzz",
                [
                    "1:7: unknown profile 'zzz': android, apple, documented, javascript, "
                        + "or the path of a file"
                ]
            ),
            (
                "invariants: {except: [stored-bites], why: x}",
                ["1:23: unknown invariant 'stored-bites' | stored-bytes"]
            ),
            ("sources: {stat-event: x}", ["1:11: unknown trait 'stat-event' | start-event"]),
            ("[1]", ["1:1: a profile is a mapping, not a list"]),
        ])
    func mistakes(text: String, expected: [String]) {
        let reading = read(text + "\n")
        #expect(reading.profile == nil)
        #expect(messages(reading) == expected)
    }

    @Test("A profile that is its own base is refused, with the way round")
    func cycle() throws {
        let folder = try ProfileFolder(["one": "base: two\n", "two": "base: one\n"])
        let reading = ProfileLoader(folder: folder.path).load("one")
        #expect(reading.profile == nil)
        #expect(
            reading.diagnostics.map(\.message)
                == ["a profile cannot be its own base: one -> two -> one"])
        #expect(reading.diagnostics.first?.place.file == folder.path + "/two.yaml")
        #expect(reading.diagnostics.first?.place.column == 7)
    }

    @Test("A base is found by its path, relative to the file that names it")
    func path() throws {
        let folder = try ProfileFolder([
            "parent": "traits: {checksum: unchecked}\n", "child": "base: ./parent.yaml\n",
        ])
        let loader = ProfileLoader(folder: Self.folder)
        let reading = loader.load("child.yaml", relativeTo: folder.path)
        #expect(reading.profile?.lineage == ["parent", "child"])
        #expect(reading.profile?.traits.checksum == .unchecked)
        let missing = loader.load("gone.yaml", relativeTo: folder.path)
        #expect(missing.profile == nil)
        #expect(missing.diagnostics.count == 1)
    }

    @Test("An invariant that a profile switches off is a departure")
    func invariants() throws {
        let reading = read(
            "invariants: {except: [progress-monotone], why: it counts what was sent}\n")
        let profile = try #require(reading.profile)
        #expect(profile.departures == ["invariants: except progress-monotone"])
        #expect(profile.invariants?.why == "it counts what was sent")
    }
}

/// A folder of profiles that is gone with the value.
final class ProfileFolder {
    let path: String

    init(_ files: [String: String]) throws {
        path = "/tmp/profiles-test-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name).yaml"))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
