import RunModel
import Scenario

extension ScenarioResult {
    /// The same result, where each failure says what the client's profile changed of what it is about.
    func noting(_ rewrites: [ProfileRewrite]) -> ScenarioResult {
        guard !rewrites.isEmpty else { return self }
        var result = self
        for index in result.failures.indices {
            let fitting = rewrites.filter { $0.isAbout(result.failures[index]) }
            result.failures[index].notes += fitting.map(\.text)
        }
        return result
    }
}

extension ProfileRewrite {
    /// True where the failure is about the part of the expectation that was changed.
    fileprivate func isAbout(_ failure: Failure) -> Bool {
        var path = subject.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if path.first?.hasPrefix("outcomes[") == true { path.removeFirst() }
        guard let first = path.first else { return false }
        let key = String(first.prefix { $0 != "[" })
        switch failure.kind {
        case .requests, .exchanges, .sessions, .tokens, .resources, .complaints:
            return key == failure.kind.rawValue
        case .stored:
            return key == "stored" && path.dropFirst().joined(separator: ".") == failure.subject
        case .events, .error, .progress, .metadata, .time, .local, .completion, .ends:
            return path.count == 2 && path[1] == failure.kind.rawValue && isOf(failure, first)
        case .result: return path.count == 2 && isOf(failure, first)
        case .missedStep, .deadlock: return key == "steps"
        case .invariant: return key == "invariants"
        case .deadline, .budget, .client, .unfiredFault, .infrastructure: return false
        }
    }

    /// A round of a repeated step goes by the step's name.
    private func isOf(_ failure: Failure, _ name: String) -> Bool {
        failure.subject.map { String($0.prefix { $0 != "#" }) } == name
    }
}
