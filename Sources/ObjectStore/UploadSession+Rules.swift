/// Which requests a session takes. Source: the state table of the Firebase resumable dialect.
extension UploadSession {
    /// What to do with a body at another offset than the session's.
    package enum OffsetRule: Hashable, Sendable {
        case refuse
        /// Its offset is ignored.
        case append
        /// Bytes that are held already are skipped; a hole is refused.
        case overlap
    }

    /// Why a request is not taken.
    package enum Refusal: Error, Hashable, Sendable {
        case locked
        case cancelled
        /// It was finished with this outcome.
        case finished(Outcome)
        case offset(sent: Int64, wanted: Int64)
        /// A body that is not the last is no whole number of granularity units.
        case odd(length: Int64, granularity: Int64)
        /// The body would go beyond the announced total.
        case beyondEnd(end: Int64, total: Int64)
        /// The finishing request leaves another total than was announced.
        case total(received: Int64, announced: Int64)
    }

    /// True while a fault keeps it locked.
    package func isLocked(at time: Int64) -> Bool { lockEnd.map { time < $0 } ?? false }

    /// Whether it takes a body.
    ///
    /// - Parameters:
    ///   - offset: the object byte at which the body says it begins.
    ///   - length: bytes of the body; nil while they are not known.
    ///   - isLast: true for a finishing request.
    ///   - takesAnyLength: true: a body that is not the last need not be whole units.
    package func check(
        offset: Int64, length: Int64?, isLast: Bool, rule: OffsetRule, takesAnyLength: Bool = false
    ) throws(Refusal) {
        try checkOpen()
        try checkOffset(offset, rule)
        guard let length else { return }
        let start = rule == .append ? received : offset
        let (sum, overflow) = start.addingReportingOverflow(length)
        let end = overflow ? .max : sum
        if let total = opening.declaredSize, end > total {
            throw .beyondEnd(end: end, total: total)
        }
        if isLast {
            if let total = opening.declaredSize, end != total {
                throw .total(received: end, announced: total)
            }
        } else if !takesAnyLength, !isWhole(length, end: end) {
            throw .odd(length: length, granularity: granularity)
        }
    }

    /// Whole units; or, where a fault left the session between two units, up to the next of them.
    private func isWhole(_ length: Int64, end: Int64) -> Bool {
        length % granularity == 0 || (received % granularity != 0 && end % granularity == 0)
    }

    private func checkOpen() throws(Refusal) {
        switch state {
        case .active: return
        case .final(let outcome): throw .finished(outcome)
        case .cancelled: throw .cancelled
        }
    }

    private func checkOffset(_ offset: Int64, _ rule: OffsetRule) throws(Refusal) {
        switch rule {
        case .append: return
        case .overlap: if offset <= told { return }
        case .refuse: if offset == told || offset == received { return }
        }
        throw .offset(sent: offset, wanted: told)
    }
}
