/// Gives the token of the signed-in user (rule D27).
///
/// It is asked for each request, so it keeps the token that it has, and gets a new one where that has
/// expired. Requests that want the same at the same time share one question.
public protocol StorageTokenProvider: Sendable {
    /// The token now; nil when nobody is signed in: requests then carry none.
    ///
    /// Takes as long as it needs: no thread of the library waits for it, and a transfer that is
    /// cancelled or paused meanwhile does not wait either. When nobody waits any more, the Swift task
    /// that it runs in is cancelled, and what it gives after that is not used.
    ///
    /// - Parameter forcingRefresh: true when the server refused the token that was given before.
    /// - Throws: why there is no token; the request fails with `unauthenticated` and this underneath.
    func token(forcingRefresh: Bool) async throws -> String?
}
