/// Gives the token by which an app proves that it is the app.
///
/// It is asked as a `StorageTokenProvider` is. A provider that fails stops no request: what is sent
/// instead of its token tells the server so, and the server decides.
public protocol StorageAppCheckProvider: Sendable {
    /// The token now; nil: requests carry none.
    ///
    /// - Parameter forcingRefresh: true when the server refused the request with the token that was
    ///   given before.
    func appCheckToken(forcingRefresh: Bool) async throws -> String?
}
