/// What faults do to a session: from then on its client is not to blame for what does not fit.
extension UploadSession {
    /// Ends its life: it is unknown from now on.
    package func expire() {
        isTampered = true
        expiry = .min
    }

    /// Ends it as a cancel command would.
    package func cancelByFault() {
        isTampered = true
        if state == .active { end(as: .cancelled) }
    }

    /// Refuses requests until a moment on the store's wall clock, in milliseconds.
    package func lock(until end: Int64) {
        isTampered = true
        lockEnd = end
    }

    /// Loses so many of the bytes that it holds, from the end.
    package func lose(_ bytes: Int64) {
        isTampered = true
        content.truncate(to: max(0, received - bytes))
    }

    /// Says that it holds so many bytes, until the next body was taken.
    package func claim(_ bytes: Int64) {
        isTampered = true
        claim = max(0, bytes)
    }

    /// Notes that a fault answered in its place, so that its client may have been misled.
    package func noteForgedAnswer() { isTampered = true }

    func end(as state: State) {
        self.state = state
        content = BodyPieces()
        digest = ContentDigest()
    }
}
