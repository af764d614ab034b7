package import StorageModel

/// The text of a client file that is written for the first time.
package struct ClientFileText: Sendable {
    /// A scenario that failed while the file was made.
    package struct Failed: Sendable {
        package var id: String
        package var headline: String
        /// The labels of its failures: what an entry of it would cover.
        package var failure: [String]

        package init(id: String, headline: String, failure: [String] = []) {
            self.id = id
            self.headline = headline
            self.failure = failure
        }
    }

    package var name: String
    package var version: String
    package var command: [String]
    package var profile: String
    package var suite: String
    package var capabilities: Set<Capability>
    /// Nil: as the capabilities say.
    package var timeScale: Double?
    package var failed: [Failed] = []

    package init(
        name: String, version: String, command: [String], profile: String, suite: String,
        capabilities: Set<Capability>
    ) {
        self.name = name
        self.version = version
        self.command = command
        self.profile = profile
        self.suite = suite
        self.capabilities = capabilities
    }

    package var text: String {
        let words = command.map(YAMLText.scalar).joined(separator: ", ")
        let parts = [
            """
            # A client and what is known of it; Conformance/CLIENTS.md explains every key.
            # Written by `squall client init` for \(YAMLText.comment("\(name) \(version)")).
            name: \(YAMLText.scalar(name))
            # Started in the folder of this file.
            command: [\(words)]
            # Its habits: what the suite expects of it.
            profile: \(YAMLText.scalar(profile))
            # What came later is run and shown, and is never red.
            suite: \(suite)

            # What it offered. A client that offers less is red before its first scenario.
            \(pinned)
            """, times, known,
        ]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var pinned: String {
        guard !capabilities.isEmpty else { return "# capabilities: [...]    it offered none" }
        return "capabilities:\n"
            + capabilities.sorted().map { "  - \($0.rawValue)" }.joined(separator: "\n")
    }

    private var times: String {
        let scale = timeScale.map { "time-scale: \($0)" } ?? "# time-scale: 0.1"
        return """
            # Factor for every duration of the scenarios, 0.01 to 10.
            \(scale)
            # Wall time after which a scenario is given up, 100ms to 1h.
            # deadline: 30s
            """
    }

    private var known: String {
        guard !failed.isEmpty else {
            return """
                # Nothing failed. What the client is known to get wrong stands in lists:
                # known-failing:
                #   - {scenario: TOPIC/NAME, reason: "...", link: "https://..."}
                """
        }
        let entries = failed.flatMap { failed in
            KnownListsEdit.Addition(
                .failing, pattern: failed.id, comment: failed.headline, failure: failed.failure
            ).lines(indentation: 2).map { "# " + $0 }
        }
        return """
            # These failed, with what was seen. As long as they are comments a run is red: that is right
            # for what is to be mended. To live with one, take its `#` away and fill in the blanks, or
            # the file is refused: the reason in your own words, and where more is said of it
            # (https://... or docs/PAGE.md#anchor).
            # known-failing:
            \(entries.joined(separator: "\n"))
            """
    }
}
