package import ObjectStore
package import StorageModel

/// Cloud Storage for Firebase, REST version 0: heads into calls, calls into answers.
///
/// Pure: no sockets, no clock but the store's. Use: `classify` a head, `begin` the call, feed the
/// body to it, then `finish` it (applied, and answered) or `cut` it (its connection broke).
package struct FirebaseDialect: Sendable {
    package let settings: BackendSettings
    /// Of the URLs that answers give: `http` or `https`.
    package let scheme: String

    package init(settings: BackendSettings, scheme: String = "http") {
        self.settings = settings
        self.scheme = scheme
    }

    /// Reads a head; never fails: what fits no route is `unknown`, with the reason.
    package func classify(_ head: HTTPRequestHead) -> WireCall {
        Routes.classify(head)
    }

    /// Takes a call up: what is to be refused at the head is known from then on.
    package func begin(
        _ call: WireCall, store: ObjectStore, tokens: TokenRegistry
    ) -> CallInProgress {
        CallInProgress(
            call, settings: settings, store: store, tokens: tokens, scheme: scheme)
    }
}
