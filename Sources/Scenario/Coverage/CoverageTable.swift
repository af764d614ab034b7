import EventMatching
import FaultEngine
package import StorageModel

/// What the scenarios of a plan cover: topics, rules, and moments of requests.
///
/// Counted are the files, by their ids without rows; what is generated is left out.
package struct CoverageTable: Sendable {
    package struct Topic: Sendable {
        package let name: String
        package var files: [String] = []
        package var rows = 0
        /// Files that bind every client: `must`, no chunk size of their own, in wall time too.
        package var portable: [String] = []
    }

    /// A cell of the table of moments.
    package struct Moment: Hashable, Sendable {
        package let operation: StorageModel.Operation
        package let phase: PhaseName

        package init(_ operation: StorageModel.Operation, _ phase: PhaseName) {
            self.operation = operation
            self.phase = phase
        }
    }

    package private(set) var topics: [Topic] = []
    /// By rule (`D14`): files in which nothing goes wrong.
    package private(set) var kept: [String: [String]] = [:]
    /// By rule: files in which a fault, a refusal or a wrong call is there.
    package private(set) var tried: [String: [String]] = [:]
    /// Files that do something at the moment, by a fault or by a step.
    package private(set) var moments: [Moment: [String]] = [:]

    package init(_ plan: [PlannedScenario]) {
        for planned in plan where !GeneratedMatrix.holds(planned.file) {
            let file = String(planned.id.prefix { $0 != "[" })
            addTopic(file, planned.scenario)
            addRules(file, planned.scenario)
            for moment in Self.moments(planned.scenario) { Self.add(file, &moments[moment]) }
        }
        topics.sort { $0.name < $1.name }
    }

    private static func add(_ file: String, _ list: inout [String]?) {
        if list?.contains(file) != true { list = (list ?? []) + [file] }
    }

    // MARK: Topics

    private mutating func addTopic(_ file: String, _ scenario: ScenarioFile) {
        let name = String(file.prefix { $0 != "/" })
        let place = topics.firstIndex { $0.name == name } ?? topics.count
        if place == topics.count { topics.append(Topic(name: name)) }
        topics[place].rows += 1
        if !topics[place].files.contains(file) { topics[place].files.append(file) }
        let isPortable =
            scenario.level == .must && scenario.clock == .any && !scenario.isNightly
            && !scenario.requiredCapabilities.contains(.chunkSize)
        if isPortable, !topics[place].portable.contains(file) {
            topics[place].portable.append(file)
        }
    }

    // MARK: Rules

    private mutating func addRules(_ file: String, _ scenario: ScenarioFile) {
        let isTried = scenario.isDisturbed
        for rule in scenario.sources.map(\.value) where Self.isRule(rule) {
            if isTried { Self.add(file, &tried[rule]) } else { Self.add(file, &kept[rule]) }
        }
    }

    /// True for the name of a published rule: `D14`, `W3`.
    package static func isRule(_ name: String) -> Bool {
        guard let first = name.first, "DW".contains(first) else { return false }
        return Int(name.dropFirst()) != nil
    }

    // MARK: Moments

    private static func moments(_ scenario: ScenarioFile) -> Set<Moment> {
        var found: Set<Moment> = []
        func add(_ pattern: OperationPattern, _ phase: FaultPhase) {
            for operation in operations(pattern, scenario) {
                found.insert(Moment(operation, PhaseName(phase)))
            }
        }
        for fault in scenario.faults { add(fault.selector.operation, fault.phase) }
        func look(_ trigger: Trigger?) {
            switch trigger {
            case .wire(let selector, let phase): add(selector.operation, phase)
            case .all(let all): for part in all { look(part) }
            case .task, .result, .fault, .step, .time, .gate, nil: break
            }
        }
        for step in scenario.allSteps { look(step.when) }
        return found
    }

    /// The operations that a pattern surely meets in this scenario.
    private static func operations(
        _ pattern: OperationPattern, _ scenario: ScenarioFile
    ) -> [StorageModel.Operation] {
        if case .one(let operation) = pattern { return [operation] }
        var sure: [StorageModel.Operation] = []
        for step in scenario.allSteps { sure += step.verb.operations }
        if scenario.client.chunkSize != nil, sure.contains(.uploadFinalize) {
            sure.append(.uploadChunk)
        }
        return sure.filter(pattern.matches)
    }
}

extension ScenarioFile {
    /// True where something goes wrong or is refused: what a rule says then is put to the test.
    fileprivate var isDisturbed: Bool {
        guard faults.isEmpty, backend.link.isEmpty else { return true }
        return ([expect] + expect.outcomes).contains { set in
            set.tasks.contains { task in
                task.error.map { $0.value.codes != .none } ?? false
                    || (task.events?.value ?? []).contains(where: \.namesFailure)
            } || set.results.contains { $0.error.map { $0.value.codes != .none } ?? false }
        }
    }
}

extension StepVerb {
    /// The requests that are made for it whenever it succeeds.
    fileprivate var operations: [StorageModel.Operation] {
        switch self {
        case .upload: [.uploadStart, .uploadFinalize]
        case .download, .image: [.download]
        case .getMetadata, .url: [.metadataGet]
        case .updateMetadata: [.metadataUpdate]
        case .delete: [.delete]
        case .list, .listAll: [.list]
        default: []
        }
    }
}
