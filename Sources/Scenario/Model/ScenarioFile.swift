package import FaultEngine
package import StorageModel

/// One scenario as its file says it, every matrix value put in: SCENARIOS sections 2 to 9.
package struct ScenarioFile: Hashable, Sendable {
    package enum Level: String, Hashable, Sendable, CaseIterable {
        case must
        case should
        case may
    }

    package enum Class: String, Hashable, Sendable, CaseIterable {
        case core
        case lifecycle
        case resume
        case restart
        case extras
    }

    package enum Clock: String, Hashable, Sendable, CaseIterable {
        case any
        /// Cannot run in wall time.
        case virtual
        case real
    }

    /// One sentence that can be false.
    package var title: Placed<String>
    /// Why it matters to a user.
    package var about: String?
    /// What a user says when he has it.
    package var symptom: String?
    /// Rules, field cases, protocol sections, links.
    package var sources: [Placed<String>] = []
    package var level = Level.must
    package var `class` = Class.lifecycle
    package var isSmoke = false
    package var tags: [String] = []
    /// It moves so many bytes that it is run where it is asked for alone.
    package var isNightly: Bool { tags.contains("nightly") }
    /// The suite version that brought it: `1.0`.
    package var since = SuiteVersion(major: 1, minor: 0)
    /// What the file lists under `needs`; `requiredCapabilities` has all.
    package var needs: [Capability] = []
    package var backend = ScenarioBackend()
    package var client = ClientSettings()
    /// In file order; each has its place.
    package var faults: [FaultRule] = []
    package var steps: [Step] = []
    package var expect = Expectation()
    package var profiles: [ProfileBlock] = []
    /// Triggers of faults and of what a server can judge, each with its place.
    package var serverTriggers: [Placed<Trigger>] = []
    /// More exchanges than this are a failure.
    package var exchangeBudget = 2000
    package var clock = Clock.any
    package var deadline = Self.defaultDeadline
    /// Silence watched after the last terminal event; nil: the runner's default.
    package var settle: Duration?
    /// Runs with different seeds, all of which must pass.
    package var runs = 1

    /// Of a file that says none.
    package static let defaultDeadline = Duration.seconds(3600)

    /// True: its requests are expected as the client cuts them itself, so that it need not be able to cut
    /// as the file says.
    package var expectsOwnChunks = false

    package init(title: Placed<String>) { self.title = title }
}

/// A version of the suite: `1.0`.
package struct SuiteVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var major: Int
    package var minor: Int

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads `1.0`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let major = Self.number(parts[0]), let minor = Self.number(parts[1])
        else { return nil }
        self.init(major: major, minor: minor)
    }

    package var description: String { "\(major).\(minor)" }

    package static func < (one: SuiteVersion, other: SuiteVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
