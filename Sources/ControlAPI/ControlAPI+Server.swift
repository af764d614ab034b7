import FaultEngine
import MockServer
import ObjectStore
import Scenario
import StorageModel

// The backend as a whole: actions on it, and its beginning anew.
extension ControlAPI {
    /// Carries out an action in the words of the scenario language: `{server: {restart: keep}}`.
    func backendAction(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery([]) { return bad }
        let reading = reader.backendAction(call.body)
        guard let action = reading.value else { return ControlAnswer.error(reading.remarks) }
        let result = backend { server -> Result<Void, MockServerError> in
            Result { () throws(MockServerError) in try server.apply(action) }
        }
        switch result {
        case .success: return ControlAnswer.json(.made(["done": .string(action.name)]))
        case .failure(let error): return Self.refusal(error)
        }
    }

    /// Everything begins anew: `{"faults": "start"}`, or `none`, or `keep`.
    func reset(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery(["faults"]) { return bad }
        let which: String
        switch Self.faultsAfterReset(call) {
        case .success(let word): which = word
        case .failure(let mistake): return mistake.answer
        }
        switch which {
        case "none": reset(faults: [])
        case "keep":
            reset(faults: backend { $0.faultAccounts }.filter { !$0.isRemoved }.map(\.rule))
        default: reset(faults: nil)
        }
        return backend { server in
            ControlAnswer.json(
                .made([
                    "reset": .count(server.resets), "objects": .count(server.store.objectCount),
                    "faults": .count(server.faultAccounts.count),
                ]))
        }
    }

    private struct Mistake: Error {
        let answer: HTTPResponse
    }

    private static let faultChoices = ["start", "none", "keep"]

    /// From the body or the query; the faults of the start where nothing is said.
    private static func faultsAfterReset(_ call: ControlCall) -> Result<String, Mistake> {
        func mistake(_ message: String, _ path: String, _ word: String? = nil) -> Mistake {
            let near = word.flatMap { Spelling.nearest(to: $0, among: faultChoices) }
            return Mistake(
                answer: ControlAnswer.error(
                    400, message,
                    ["path": .string(path), "suggestion": near.map(JSONValue.string)]))
        }
        var word = call.query("faults") ?? "start"
        var path = "?faults"
        if !call.body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            guard case .object(let members)? = JSONValue(parsing: call.body) else {
                return .failure(mistake("the body is no JSON object: {\"faults\": \"none\"}", ""))
            }
            for member in members {
                guard member.name == "faults", case .string(let text) = member.value else {
                    return .failure(
                        mistake("the body has 'faults' alone, and a word in it", member.name))
                }
                (word, path) = (text, "faults")
            }
        }
        guard faultChoices.contains(word) else {
            let all = faultChoices.joined(separator: ", ")
            return .failure(mistake("'faults' is one of \(all), not '\(word)'", path, word))
        }
        return .success(word)
    }
}
