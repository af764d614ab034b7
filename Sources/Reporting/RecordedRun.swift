internal import EventMatching
package import Foundation
package import RunModel

/// What a JSON report says of a run: enough to compare it with a client's lists.
package struct RecordedRun: Sendable {
    package let client: String
    package let suiteVersion: String
    /// Ids, files, verdicts, failures and earlier tries; nothing else of them was read.
    package let results: [ScenarioResult]

    /// Reads a report as `JSONReport` writes it.
    ///
    /// - Throws: `RecordedRunError`.
    package init(json: Data) throws(RecordedRunError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: json)
        } catch {
            throw .noReport
        }
        guard document.format == RunReport.format else { throw .format(document.format) }
        client = document.client.name
        suiteVersion = document.suiteVersion
        var results: [ScenarioResult] = []
        for scenario in document.scenarios { results.append(try scenario.result) }
        self.results = results
    }
}

/// Why a file is no report that can be read.
package enum RecordedRunError: Error, Hashable, Sendable, CustomStringConvertible {
    case noReport
    case format(Int)
    /// A word of a scenario that this version does not know.
    case unknown(String, scenario: String)

    package var description: String {
        switch self {
        case .noReport: "this is no JSON report of a run"
        case .format(let format):
            "the report has format \(format), and this version reads \(RunReport.format)"
        case .unknown(let word, let scenario):
            "the report says '\(word)' of '\(scenario)', which this version does not know"
        }
    }
}

/// The parts of a report that are read back.
private struct Document: Decodable {
    struct Client: Decodable { let name: String }

    struct Failure: Decodable {
        let kind: String
        let subject: String?
        let sentence: String
        let invariant: String?
    }

    struct Try: Decodable {
        let verdict: String
        let seed: String
        let sentence: String?
    }

    struct Scenario: Decodable {
        let id: String
        let file: String
        let verdict: String
        let reason: String?
        let failures: [Failure]
        let earlierTries: [Try]

        var result: ScenarioResult {
            get throws(RecordedRunError) {
                var result = ScenarioResult(
                    id: id, file: file, verdict: try known(Verdict(rawValue: verdict), verdict))
                result.reason = reason
                for failure in failures { result.failures.append(try read(failure)) }
                for earlier in earlierTries {
                    let verdict = try known(Verdict(rawValue: earlier.verdict), earlier.verdict)
                    result.earlierTries.append(
                        RunModel.Try(
                            verdict: verdict, seed: UInt64(earlier.seed) ?? 0,
                            sentence: earlier.sentence))
                }
                return result
            }
        }

        private func read(_ failure: Failure) throws(RecordedRunError) -> RunModel.Failure {
            let kind = try known(RunModel.Failure.Kind(rawValue: failure.kind), failure.kind)
            var invariant: Invariant?
            if let name = failure.invariant {
                invariant = try known(Invariant(rawValue: name), name)
            }
            return RunModel.Failure(
                kind, subject: failure.subject, failure.sentence, invariant: invariant)
        }

        private func known<Value>(
            _ value: Value?, _ word: String
        ) throws(RecordedRunError) -> Value {
            guard let value else { throw .unknown(word, scenario: id) }
            return value
        }
    }

    let format: Int
    let suiteVersion: String
    let client: Client
    let scenarios: [Scenario]
}
