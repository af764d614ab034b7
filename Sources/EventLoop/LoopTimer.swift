/// Names a timer, so that it can be cancelled.
package struct LoopTimer: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case real(UInt64)
        case virtual(UInt64)
    }

    let kind: Kind

    init(real id: UInt64) { kind = .real(id) }
    init(virtual id: UInt64) { kind = .virtual(id) }
}
