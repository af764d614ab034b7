import EventMatching
import FaultEngine
import StorageModel

/// What a scenario expects, and what its steps wait for, in words: one entry for each part.
package struct ExpectationText: Sendable {
    package struct Entry: Hashable, Sendable {
        /// `up.events`, `stored.images/a.jpg`, `outcomes[2].requests`.
        package var subject: String
        package var text: String
    }

    package private(set) var entries: [Entry] = []

    package init(_ scenario: ScenarioFile) {
        addTriggers(scenario)
        if !scenario.needs.isEmpty {
            add("needs", "[\(scenario.needs.map(\.rawValue).joined(separator: ", "))]")
        }
        addSet(scenario.expect, "")
        for (index, outcome) in scenario.expect.outcomes.enumerated() {
            addSet(outcome, "outcomes[\(index + 1)].")
        }
    }

    /// What changed, entry by entry.
    package func changes(from old: ExpectationText, cause: String) -> [ProfileRewrite] {
        let before = Dictionary(old.entries.map { ($0.subject, $0.text) }) { one, _ in one }
        let after = Dictionary(entries.map { ($0.subject, $0.text) }) { one, _ in one }
        var changes: [ProfileRewrite] = []
        for entry in old.entries where after[entry.subject] != entry.text {
            changes.append(
                ProfileRewrite(
                    cause: cause, subject: entry.subject, before: entry.text,
                    after: after[entry.subject]))
        }
        for entry in entries where before[entry.subject] == nil {
            changes.append(
                ProfileRewrite(
                    cause: cause, subject: entry.subject, before: nil, after: entry.text))
        }
        return changes
    }

    private mutating func add(_ subject: String, _ text: String?) {
        if let text { entries.append(Entry(subject: subject, text: text)) }
    }

    private mutating func add(_ subject: String, _ node: YAMLNode?) {
        add(subject, node?.flowText)
    }

    // MARK: Triggers

    private mutating func addTriggers(_ scenario: ScenarioFile) {
        for (index, step) in scenario.allSteps.enumerated() {
            add("steps[\(index + 1)].when", step.when?.text)
            if case .wait(.trigger(let trigger)) = step.verb {
                add("steps[\(index + 1)].wait", trigger.text)
            }
        }
        for (index, rule) in scenario.faults.enumerated() {
            let triggers = rule.triggers.map(\.text)
            if !triggers.isEmpty {
                add("faults[\(index + 1)]", triggers.joined(separator: ", "))
            }
            add("faults[\(index + 1)].may-miss", rule.mayMiss ? "true" : nil)
        }
    }

    // MARK: A set

    private mutating func addSet(_ set: Expectation, _ prefix: String) {
        for task in set.tasks { addTask(task, prefix + task.name) }
        for observer in set.observers {
            add(
                "\(prefix)\(observer.name).events",
                observer.events.map { .list($0.value.map(\.node)) })
        }
        for result in set.results { addResult(result, prefix + result.name) }
        for stored in set.stored {
            add("\(prefix)stored.\(stored.object)", stored.test.node)
        }
        for (index, part) in (set.requests ?? []).enumerated() {
            let number = (set.requests?.count ?? 0) > 1 ? "[\(index + 1)]" : ""
            add("\(prefix)requests\(number)", part.value.shortNode)
        }
        for (index, test) in set.exchanges.enumerated() {
            add("\(prefix)exchanges[\(index + 1)]", test.value.node)
        }
        add(prefix + "sessions", set.sessions?.node)
        add(prefix + "tokens", set.tokensAsked.map { .map([("asked", $0.value.node)]) })
        add(prefix + "resources", set.resources?.node)
        add(prefix + "complaints", set.complaints?.value.node)
        add(prefix + "invariants", set.invariants?.value.node)
    }

    private mutating func addTask(_ task: TaskExpectation, _ name: String) {
        add("\(name).events", task.events.map { .list($0.value.map(\.node)) })
        add("\(name).error", task.error?.value.node)
        add("\(name).progress", task.progress?.value.node)
        add("\(name).metadata", task.metadata?.value.node)
        add("\(name).time", task.times.isEmpty ? nil : TimeTest.node(task.times.map(\.value)))
        add("\(name).local", task.local?.value.node)
        add("\(name).completion", task.completion?.value.rawValue)
        add("\(name).ends", task.ends?.node)
        add("\(name).bytes", task.countsMetadata ? "with those of the metadata" : nil)
    }

    private mutating func addResult(_ result: ResultExpectation, _ name: String) {
        add("\(name).error", result.error?.value.node)
        add(
            "\(name).time",
            result.times.isEmpty ? nil : TimeTest.node(result.times.map(\.value)))
        add("\(name).completion", result.completion?.value.rawValue)
        add("\(name).ends", result.ends?.node)
        for value in result.values {
            add("\(name).\(value.key)", value.test.node)
        }
        add("\(name).bytes", result.metadataTask.map { _ in "with those of the metadata" })
    }
}
