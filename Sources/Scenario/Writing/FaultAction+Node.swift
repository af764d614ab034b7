import FaultEngine
import StorageModel

extension FaultAction {
    /// As the language writes it.
    var node: YAMLNode {
        if case .silence = self { return .word("silence") }
        return .map([(name, value)])
    }

    /// What stands behind the action's name.
    private var value: YAMLNode {
        switch self {
        case .respond(let answer): answer.node
        case .delay(let time): time.node
        case .drop(let what): .word(what.rawValue)
        case .hold(let until, nil): until.node
        case .hold(let until, let atMost?):
            .map([("until", until.node), ("at-most", .duration(atMost))])
        case .stall(let time): time.map { .duration($0) } ?? .word("forever")
        case .disconnect(let manner): .word(manner.rawValue)
        case .silence: .flag(true)
        case .throttle(let rate): .word(rate.sizeText + "/s")
        case .slice(let size, let gap):
            .map([("size", .size(size)), ("gap", gap == .zero ? nil : .duration(gap))])
        case .corrupt(let corruption): corruption.node
        case .headers(let edit): edit.node
        case .json(let edit): edit.node
        case .length(let length): length.node
        case .framing(let fault): .word(fault.rawValue)
        case .raw(let bytes): .bytes(bytes)
        case .interim(let responses): .list(responses.map(\.node))
        case .expectContinue(let fault): fault.node
        case .refuse(let time, .refuse): .duration(time)
        case .refuse(let time, let kind):
            .map([("for", .duration(time)), ("how", .word(kind.rawValue))])
        case .range(let fault): fault.node
        case .hash(let fault): .word(fault.rawValue)
        case .redirect(let redirection): redirection.node
        case .tls(let fault): fault.node
        case .keepAlive(let fault): fault.node
        case .backend(let action): action.value
        }
    }
}

extension DelayTime {
    fileprivate var node: YAMLNode {
        switch self {
        case .fixed(let time): .duration(time)
        case .uniform(let least, let most):
            .map([("uniform", .list([.duration(least), .duration(most)]))])
        case .normal(let mean, let deviation):
            .map([
                ("normal", .map([("mean", .duration(mean)), ("deviation", .duration(deviation))]))
            ])
        case .logNormal(let median, let sigma, let maximum):
            .map([
                (
                    "lognormal",
                    .map([
                        ("median", .duration(median)), ("sigma", .word("\(sigma)")),
                        ("max", .duration(maximum)),
                    ])
                )
            ])
        case .list(let times): .map([("list", .list(times.map(YAMLNode.duration)))])
        }
    }
}

extension Corruption {
    fileprivate var node: YAMLNode {
        switch self {
        case .flip(let bytes): .map([("flip", .size(bytes))])
        case .zero(let bytes): .map([("zero", .size(bytes))])
        case .random(let bytes): .map([("random", .size(bytes))])
        case .drop(let bytes): .map([("drop", .size(bytes))])
        case .duplicate(let bytes): .map([("duplicate", .size(bytes))])
        case .insert(let bytes): .map([("insert", .size(bytes))])
        }
    }
}

extension DeclaredLength {
    fileprivate var node: YAMLNode {
        switch self {
        case .exactly(let bytes): .size(bytes)
        case .off(let bytes): .word((bytes < 0 ? "" : "+") + bytes.sizeText)
        case .none: .word("none")
        }
    }
}

extension ContinueFault {
    fileprivate var node: YAMLNode {
        switch self {
        case .withhold: .word("withhold")
        case .refuse: .word("refuse")
        case .delay(let time): .map([("delay", .duration(time))])
        case .twice: .word("twice")
        }
    }
}

extension RangeFault {
    fileprivate var node: YAMLNode {
        switch self {
        case .ignore: .word("ignore")
        case .refuse: .word("refuse")
        case .shift(let bytes): .map([("shift", .size(bytes))])
        case .longer(let bytes): .map([("longer", .size(bytes))])
        }
    }
}

extension Redirection {
    fileprivate var node: YAMLNode {
        let isUsual = status == 307
        switch destination {
        case .target(let url) where isUsual: return .text(url)
        case .toItself where isUsual: return .word("self")
        case .target(let url): return .map([("target", .text(url)), ("status", .number(status))])
        case .toItself: return .map([("target", .word("self")), ("status", .number(status))])
        case .times(let count):
            return .map([
                ("times", .number(count)), ("status", isUsual ? nil : .number(status)),
            ])
        }
    }
}

extension TLSFault {
    fileprivate var node: YAMLNode {
        if case .slowHandshake(let time) = self, time != Self.usualDelay {
            return .map([("slow-handshake", .duration(time))])
        }
        let word = Self.words.first { $0.fault == self }?.word
        return .word(word ?? "fail-handshake")
    }
}

extension KeepAliveFault {
    fileprivate var node: YAMLNode {
        switch self {
        case .closeAtNext: .word("close-at-next")
        case .close(let after): .map([("close-after", .duration(after))])
        case .maxAge(let age, let then):
            .map([
                ("max-age", .duration(age)),
                ("then", then == .close ? nil : .word(then.rawValue)),
            ])
        }
    }
}
