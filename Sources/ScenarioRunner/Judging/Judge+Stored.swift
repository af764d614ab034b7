import EventMatching
import ObjectStore
import RunModel
import Scenario
import StorageModel

// Objects at rest.
extension Judge {
    func failures(_ expected: StoredExpectation) -> [Failure] {
        let versions = evidence.versions(expected.object)
        return problems(expected.test, versions).map {
            Failure(
                .stored, subject: "\(expected.object)", "\(expected.object): \($0)",
                place: expected.place)
        }
    }

    private func problems(_ test: StoredTest, _ versions: [StoredObject]) -> [String] {
        let live = versions.last { $0.isLive }
        switch test {
        case .absent:
            return live.map { ["is stored with \($0.attributes.size) bytes, and should not be"] }
                ?? []
        case .any(let alternatives):
            let tried = alternatives.map { problems($0, versions) }
            return tried.contains(where: \.isEmpty) ? [] : tried.first ?? []
        case .present(let test): return problems(test, live, versions)
        }
    }

    private func problems(
        _ test: StoredObjectTest, _ live: StoredObject?, _ versions: [StoredObject]
    ) -> [String] {
        guard let live else { return ["is not stored"] }
        var problems: [String] = []
        if let content = test.content {
            let problem = problem(content, with: live.plainBytes, what: "the object")
            problems += problem.map { [$0] } ?? []
        }
        if let generations = test.generations, !generations.holds(Int64(versions.count)) {
            problems.append("has had \(versions.count) contents, \(generations) expected")
        }
        if let metadata = test.metadata {
            problems += metadata.problems(with: live.attributes.wireFields)
        }
        if let contents = test.versions { problems += self.problems(contents, versions) }
        return problems
    }

    private func problems(
        _ contents: [ContentExpectation], _ versions: [StoredObject]
    ) -> [String] {
        guard contents.count == versions.count else {
            return ["has had \(versions.count) contents, \(contents.count) expected"]
        }
        return zip(contents, versions).enumerated().compactMap { index, pair in
            problem(pair.0, with: pair.1.plainBytes, what: "content \(index + 1)")
        }
    }
}
