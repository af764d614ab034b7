import FaultEngine
import MockServer
import Scenario
import StorageModel

// Faults that come, are listed, and go.
extension ControlAPI {
    func faults(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery(call.method == "GET" ? ["removed"] : []) { return bad }
        switch call.method {
        case "POST": return addFaults(call)
        case "DELETE": return removeAll()
        default:
            let showsRemoved = call.query("removed") != nil
            let accounts = backend { $0.faultAccounts }
            let shown = accounts.filter { showsRemoved || !$0.isRemoved }
            return ControlAnswer.json(.made(["faults": .array(shown.map(Self.value))]))
        }
    }

    /// One fault, by its position or its name.
    func fault(_ call: ControlCall) -> HTTPResponse {
        let key = call.parameter("fault")
        let accounts = backend { $0.faultAccounts }.filter { !$0.isRemoved }
        guard let account = accounts.first(where: { $0.isCalled(key) }) else {
            let names = accounts.compactMap(\.rule.name)
            return ControlAnswer.missing("fault", key, among: names)
        }
        guard call.method == "DELETE" else { return ControlAnswer.json(Self.value(account)) }
        let last = backend { $0.removeFault(at: account.rule.position) } ?? account
        return ControlAnswer.json(.made(["removed": Self.value(last)]))
    }

    // MARK: Coming and going

    private func addFaults(_ call: ControlCall) -> HTTPResponse {
        let form: LiveReader.Form =
            switch call.mediaType {
            case "text/plain": .lines
            case "application/json": .data
            default: LiveReader.Form(guessing: call.body)
            }
        let position = backend { $0.nextFaultPosition }
        let reading = reader.faults(call.body, form, position: position)
        guard let rules = reading.value else { return ControlAnswer.error(reading.remarks) }
        let throughTLS = backend { $0.speaksTLS }
        for rule in rules {
            guard let obstacle = rule.obstacle(throughTLS: throughTLS) else { continue }
            return ControlAnswer.error(
                400, obstacle,
                [
                    "line": (rule.place?.line).map(JSONValue.count),
                    "column": (rule.place?.column).map(JSONValue.count),
                ])
        }
        do throws(TooManyFaults) {
            try backend { server -> Result<Void, TooManyFaults> in
                Result { () throws(TooManyFaults) in try server.add(rules) }
            }.get()
        } catch {
            return ControlAnswer.error(
                409, error.description + "; a reset forgets the removed ones")
        }
        let positions = Set(rules.map(\.position))
        let added = backend { $0.faultAccounts }.filter { positions.contains($0.rule.position) }
        let warnings = reading.remarks.map(ControlAnswer.value)
        return ControlAnswer.json(
            .made([
                "added": .array(added.map(Self.value)),
                "warnings": warnings.isEmpty ? nil : .array(warnings),
            ]), status: 201)
    }

    private func removeAll() -> HTTPResponse {
        let removed = backend { server in
            server.faultAccounts.filter { !$0.isRemoved }
                .compactMap { server.removeFault(at: $0.rule.position) }
        }
        return ControlAnswer.json(.made(["removed": .array(removed.map(Self.value))]))
    }

    /// Knows the names that faults and actions may refer to.
    var reader: LiveReader {
        backend { server in
            LiveReader(
                faultNames: Set(
                    server.faultAccounts.filter { !$0.isRemoved }.compactMap(\.rule.name)),
                tokenNames: Set((server.settings.tokens ?? [:]).keys))
        }
    }

    // MARK: Telling

    private static func value(_ account: FaultAccount) -> JSONValue {
        let rule = account.rule
        let selector = rule.selector
        return .made([
            "fault": .count(rule.position), "name": rule.name.map(JSONValue.string),
            "text": .string(rule.text),
            "match": .string("\(selector.operation)\(selector.ordinal)"),
            "at": .string(rule.phase.name), "per": .string(selector.per.rawValue),
            "do": .array(rule.actions.map { .string($0.name) }),
            "times": rule.times.map(JSONValue.count) ?? .string("always"),
            "chance": rule.chance.map { .number("\($0)") },
            "fitting": .count(account.fitting), "fired": .count(account.fired),
            "unfired": account.unfired.map(JSONValue.string),
            "removed": account.isRemoved ? .bool(true) : nil,
        ])
    }
}

extension FaultAccount {
    /// Names begin with a letter, so that no name is a position.
    fileprivate func isCalled(_ key: String) -> Bool {
        rule.name == key || String(rule.position) == key
    }
}
