package import ObjectStore
package import StorageModel

/// One request from its head to its answer. Confined like the store.
///
/// Exactly one of `finish` and `cut` ends it.
package final class CallInProgress {
    package let call: WireCall
    package let settings: BackendSettings
    /// Who the request came from.
    package let caller: TokenRegistry.Verdict
    /// The session that the request names, if it is there.
    package internal(set) var session: UploadSession?
    /// Where it is known before the body that the request will be refused: the answer that `finish`
    /// gives. Whoever wants to answer early may send it at once; the body is thrown away anyway.
    package internal(set) var earlyRefusal: HTTPResponse?
    /// What the client did that it should not have done.
    package internal(set) var complaints: [Complaint] = []
    /// Body bytes taken in.
    package internal(set) var received: Int64 = 0
    /// Object bytes of this request that are kept; known after `finish` or `cut`.
    package internal(set) var committed: Int64 = 0
    /// True where another body of the same session was being received when this request began.
    package internal(set) var overlaps = false
    let store: ObjectStore

    init(
        _ call: WireCall, settings: BackendSettings, store: ObjectStore, tokens: TokenRegistry
    ) {
        self.call = call
        self.settings = settings
        self.store = store
        caller = tokens.judge(call.credential)
    }

    /// Takes body bytes, in their order; nothing of them is kept before `finish` or `cut`.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        received += Int64(bytes.count)
    }

    /// The request came whole: carries it out and gives the answer.
    ///
    /// - Parameter kept: what the session keeps of the body; anything less than all of it leaves a
    ///   finishing request unfinished (status `active`).
    package func finish(keeping kept: KeptBytes = .all) -> HTTPResponse {
        ErrorAnswer.response(status: 501, message: "Not yet there.")
    }

    /// The request did not come whole, or is not to be carried out: only bytes may be kept, and
    /// nothing is finished.
    package func cut(keeping kept: KeptBytes = .wholeUnits) {}
}
