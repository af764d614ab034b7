internal import EventLoop

/// Asks for content only where it is another than the one at hand, and keeps what the server said of it.
///
/// Source: RFC 9110 section 13.1.2.
final class DownloadValidator: Sendable {
    private struct State {
        var etag: String?
        var isUnchanged = false
    }

    /// The ETag of the content at hand, as the server spelled it; nil: there is none.
    let condition: String?
    private let state = Lock(State())

    init(condition: String?) { self.condition = condition }

    /// The ETag of what was downloaded.
    var etag: String? {
        get { state.withLock { $0.etag } }
        set { state.withLock { $0.etag = newValue } }
    }

    /// True when the server said that the content at hand is the stored one, and sent nothing.
    var isUnchanged: Bool { state.withLock { $0.isUnchanged } }

    func confirm() { state.withLock { $0.isUnchanged = true } }
}
