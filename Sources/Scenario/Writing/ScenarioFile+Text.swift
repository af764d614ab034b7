import EventMatching
import FaultEngine
import StorageModel

extension ScenarioFile {
    /// The scenario as a file of the language, which loads to the same model.
    ///
    /// What is usual is left out. A matrix is not told: this is one row, as the loader gives it; what
    /// a profile has changed in it is none of the language and is left out as well.
    ///
    /// - Parameter comments: lines that stand above parts.
    package func text(comments: YAMLComments = YAMLComments()) -> String {
        YAMLWriter(comments: comments).text(node)
    }

    private var node: YAMLNode {
        .map(
            header + limits + [
                ("backend", backend.node.unlessEmpty), ("client", client.node.unlessEmpty),
                ("faults", faults.isEmpty ? nil : .list(faults.map(\.node))),
                ("steps", steps.isEmpty ? nil : .list(steps.map(\.node))),
                ("expect", expect.node.unlessEmpty),
                (
                    "profiles",
                    profiles.isEmpty ? nil : .map(profiles.map { ($0.name, $0.node) })
                ),
            ])
    }

    private var header: [(String, YAMLNode?)] {
        [
            ("title", .text(title.value)), ("about", about.map(YAMLNode.text)),
            ("symptom", symptom.map(YAMLNode.text)),
            ("source", sources.isEmpty ? nil : .texts(sources.map(\.value))),
            ("level", level == .must ? nil : .word(level.rawValue)),
            ("class", self.class == .lifecycle ? nil : .word(self.class.rawValue)),
            ("smoke", isSmoke ? .flag(true) : nil),
            ("tags", tags.isEmpty ? nil : .texts(tags)),
            (
                "since",
                since == SuiteVersion(major: 1, minor: 0) ? nil : .text(since.description)
            ),
            ("needs", needs.isEmpty ? nil : .words(needs.map(\.rawValue))),
        ]
    }

    private var limits: [(String, YAMLNode?)] {
        let usual = ScenarioFile(title: title)
        return [
            (
                "exchanges",
                exchangeBudget == usual.exchangeBudget ? nil : .number(exchangeBudget)
            ),
            ("clock", clock == .any ? nil : .word(clock.rawValue)),
            ("deadline", deadline == Self.defaultDeadline ? nil : .duration(deadline)),
            ("settle", settle.map(YAMLNode.duration)),
            ("repeat", runs == 1 ? nil : .number(runs)),
        ]
    }
}
