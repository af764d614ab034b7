/// Gives the token of the signed-in user (rule D27).
public protocol StorageTokenSource: Sendable {
    /// Asks for a token; called on a thread of the library, which must not be blocked.
    ///
    /// - Parameters:
    ///   - fresh: true when the server refused the token given before.
    ///   - reply: to be called once, from any thread: with the token, or nil when nobody is signed in.
    func token(
        fresh: Bool, reply: @escaping @Sendable (Result<String?, any Error>) -> Void)
}
