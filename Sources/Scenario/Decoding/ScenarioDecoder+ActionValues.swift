import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func delayTime(_ node: YAMLNode) -> DelayTime? {
        guard node.mapping != nil else { return duration(node).map { .fixed($0) } }
        let keys = Shape.delay.keys
        guard let reader = MappingReader(node, "'delay'", keys: keys, self),
            let key = reader.one(of: keys), let value = reader[key]
        else { return nil }
        switch key {
        case "uniform": return uniform(value)
        case "normal":
            guard let reader = MappingReader(value, "'normal'", keys: Shape.normal.keys, self),
                let mean = reader.require("mean", duration),
                let deviation = reader.require("deviation", duration)
            else { return nil }
            return .normal(mean: mean, deviation: deviation)
        case "lognormal": return logNormal(value)
        default:
            let durations = list(value).compactMap(duration)
            if value.sequence?.isEmpty == true {
                error("a list of delays must not be empty", at: value.place)
            }
            return durations.isEmpty ? nil : .list(durations)
        }
    }

    private func uniform(_ node: YAMLNode) -> DelayTime? {
        let bounds = list(node).compactMap(duration)
        guard bounds.count == 2, bounds[0] <= bounds[1] else {
            error("'uniform' takes two durations, the shorter first: [1s, 3s]", at: node.place)
            return nil
        }
        return .uniform(bounds[0], bounds[1])
    }

    private func logNormal(_ node: YAMLNode) -> DelayTime? {
        guard let reader = MappingReader(node, "'lognormal'", keys: Shape.logNormal.keys, self),
            let median = reader.require("median", duration),
            let sigma = reader.require("sigma", plainNumber),
            let maximum = reader.require("max", duration)
        else { return nil }
        return .logNormal(median: median, sigma: sigma, maximum: maximum)
    }

    /// A decimal number that is 0 or more.
    private func plainNumber(_ node: YAMLNode) -> Double? {
        guard let text = text(node) else { return nil }
        guard Self.isJSONNumber(text), let number = Double(text), number.isFinite, number >= 0
        else {
            error("'\(text)' is no number of at least 0", at: node.place)
            return nil
        }
        return number
    }

    func corruption(_ node: YAMLNode) -> Corruption? {
        guard
            let (key, bytes) = bytes(node, "'corrupt'", Shape.corrupt.keys)
        else { return nil }
        switch key {
        case "flip": return .flip(bytes)
        case "zero": return .zero(bytes)
        case "random": return .random(bytes)
        case "drop": return .drop(bytes)
        case "duplicate": return .duplicate(bytes)
        default: return .insert(bytes)
        }
    }

    private func bytes(
        _ node: YAMLNode, _ what: String, _ keys: [String]
    ) -> (key: String, bytes: Int64)? {
        guard let reader = MappingReader(node, what, keys: keys, self),
            let key = reader.one(of: keys),
            let bytes = reader.read(key, { size($0, atLeast: 1) })
        else { return nil }
        return (key, bytes)
    }

    func declaredLength(_ node: YAMLNode) -> DeclaredLength? {
        guard let text = text(node) else { return nil }
        if text == "none" { return DeclaredLength.none }
        if text.first == "+" || text.first == "-",
            let size = ScalarText.size(text.dropFirst())
        {
            return .off(by: text.first == "-" ? -size : size)
        }
        if let size = ScalarText.size(text) { return .exactly(size) }
        error("'\(text)' is no declared length: 1000, +1, -1 or none", at: node.place)
        return nil
    }

    func continueFault(_ node: YAMLNode) -> ContinueFault? {
        if node.mapping != nil {
            return MappingReader(node, "'continue'", keys: Shape.continueDelay.keys, self)?
                .require("delay", duration).map { .delay($0) }
        }
        switch text(node) {
        case nil: return nil
        case "withhold": return .withhold
        case "refuse": return .refuse
        case "twice": return .twice
        case let word?:
            unknown("value", word, known: ["withhold", "refuse", "twice"], at: node.place)
            return nil
        }
    }

    func tlsFault(_ node: YAMLNode) -> TLSFault? {
        if node.mapping != nil {
            return MappingReader(node, "'tls'", keys: Shape.slowHandshake.keys, self)?
                .require("slow-handshake", positiveDuration).map { .slowHandshake($0) }
        }
        guard let word = text(node) else { return nil }
        if let known = TLSFault.words.first(where: { $0.word == word }) { return known.fault }
        unknown("TLS fault", word, known: TLSFault.words.map(\.word), at: node.place)
        return nil
    }

    func rangeFault(_ node: YAMLNode) -> RangeFault? {
        guard node.mapping != nil else {
            switch text(node) {
            case nil: return nil
            case "ignore": return .ignore
            case "refuse": return .refuse
            case let word?:
                unknown("range fault", word, known: ["ignore", "refuse"], at: node.place)
                return nil
            }
        }
        let keys = Shape.range.keys
        guard let reader = MappingReader(node, "'range'", keys: keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        return key == "shift"
            ? reader.read(key, signedSize).map { .shift(by: $0) }
            : reader.read(key) { size($0, atLeast: 1) }.map { .longer(by: $0) }
    }

    private func signedSize(_ node: YAMLNode) -> Int64? {
        guard let text = text(node) else { return nil }
        if text.first == "-", let size = ScalarText.size(text.dropFirst()) { return -size }
        return size(node)
    }

    func redirection(_ node: YAMLNode) -> Redirection? {
        guard node.mapping != nil else { return redirectTarget(node).map { Redirection($0) } }
        let keys = ["times", "target"]
        guard let reader = MappingReader(node, "'redirect'", keys: Shape.redirect.keys, self),
            let key = reader.one(of: keys)
        else { return nil }
        let destination =
            key == "times"
            ? reader.read(key) { integer($0, in: 1...100_000) }.map { .times($0) }
            : reader.read(key, redirectTarget)
        let status = reader.read("status", redirectStatus) ?? 307
        return destination.map { Redirection($0, status: status) }
    }

    private func redirectTarget(_ node: YAMLNode) -> Redirection.Destination? {
        text(node).map { $0 == "self" ? .toItself : .target($0) }
    }

    private func redirectStatus(_ node: YAMLNode) -> Int? {
        guard let status = integer(node) else { return nil }
        if Redirection.statuses.contains(status) { return status }
        let known = Redirection.statuses.map(String.init).joined(separator: ", ")
        error("\(status) is no status of a redirect: \(known)", at: node.place)
        return nil
    }

    func keepAlive(_ node: YAMLNode) -> KeepAliveFault? {
        guard node.mapping != nil else {
            guard let word = text(node) else { return nil }
            if word == "close-at-next" { return .closeAtNext }
            unknown("keep-alive fault", word, known: ["close-at-next"], at: node.place)
            return nil
        }
        guard let reader = MappingReader(node, "'keep-alive'", keys: Shape.keepAlive.keys, self),
            let key = reader.one(of: ["close-after", "max-age"])
        else { return nil }
        if key == "close-after" {
            if reader.has("then") {
                error("'then' goes with 'max-age' alone", at: reader.keyPlace("then"))
            }
            return reader.read(key, duration).map { .close(after: $0) }
        }
        let then = reader.read("then") {
            choice($0, "way to disconnect", of: DisconnectManner.self)
        }
        return reader.read(key, duration).map { .maxAge($0, then: then ?? .close) }
    }
}
