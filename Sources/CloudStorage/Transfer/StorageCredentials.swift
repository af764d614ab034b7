internal import EventLoop
internal import Foundation

/// Who the user is and that the app is the app: the providers of both, shared by all requests of an
/// app.
final class StorageCredentials: Sendable {
    /// What one request carries.
    struct Held: Hashable, Sendable {
        var user: CredentialDesk.Token?
        var app: CredentialDesk.Token?
        /// The app's provider failed: its token is the placeholder.
        var isAppUnproven = false

        /// True where there is something that nobody else may see.
        var isSecret: Bool { user?.text != nil || (app?.text != nil && !isAppUnproven) }
    }

    /// Sent instead of an App Check token that could not be had, as the Apple SDK does: the server,
    /// and not the client, decides what becomes of such a request.
    ///
    /// Source: AppCheckCore, the token of a failed exchange: Base64 of a JSON object with the error.
    static let placeholder = Data(#"{"error":"UNKNOWN_ERROR"}"#.utf8).base64EncodedString()

    fileprivate let user: CredentialDesk?
    fileprivate let app: CredentialDesk?

    init(
        tokenProvider: (any StorageTokenProvider)?,
        appCheckProvider: (any StorageAppCheckProvider)?
    ) {
        user = tokenProvider.map { provider in
            CredentialDesk { try await provider.token(forcingRefresh: $0) }
        }
        app = appCheckProvider.map { provider in
            CredentialDesk { try await provider.appCheckToken(forcingRefresh: $0) }
        }
    }

    /// Nobody has to be asked.
    var isEmpty: Bool { user == nil && app == nil }
}

/// One request's questions to the providers, both at once. Confined to the engine's loop.
final class CredentialRequest: @unchecked Sendable {
    typealias Held = StorageCredentials.Held

    // Invariant: touched on the loop alone.
    private let credentials: StorageCredentials
    private var tickets: [(CredentialDesk, CredentialDesk.Ticket)] = []
    private var held = Held()
    private var left = 0
    private var completion: (@Sendable (Result<Held, StorageFailure>) -> Void)?

    /// Begins to ask.
    ///
    /// - Parameters:
    ///   - refused: what the server did not accept; nil: what is at hand will do. An answer does not
    ///     say which of the two was refused, so both are renewed.
    ///   - completion: called once, on the loop in a later turn, unless this is withdrawn before.
    init(
        _ credentials: StorageCredentials, instead refused: Held?, _ engine: StorageEngine,
        _ completion: @escaping @Sendable (Result<Held, StorageFailure>) -> Void
    ) {
        self.credentials = credentials
        self.completion = completion
        left = (credentials.user == nil ? 0 : 1) + (credentials.app == nil ? 0 : 1)
        if let user = credentials.user {
            ask(user, refused?.user, engine) { [self] in took(user: $0) }
        }
        if let app = credentials.app {
            ask(app, refused?.app, engine) { [self] in took(app: $0) }
        }
    }

    private func ask(
        _ desk: CredentialDesk, _ refused: CredentialDesk.Token?, _ engine: StorageEngine,
        _ reply: @escaping CredentialDesk.Reply
    ) {
        let ticket = desk.ask(
            instead: refused, on: engine.loop, executor: engine.providers, reply)
        tickets.append((desk, ticket))
    }

    /// Nothing is waited for any more, and nothing will be heard.
    func withdraw() {
        completion = nil
        for (desk, ticket) in tickets { desk.giveBack(ticket) }
        tickets = []
    }

    private func took(user result: Result<CredentialDesk.Token, any Error>) {
        switch result {
        case .success(let token):
            held.user = token
            arrived()
        case .failure(let error):
            let completion = completion
            withdraw()
            completion?(.failure(StorageFailure(noToken: error)))
        }
    }

    private func took(app result: Result<CredentialDesk.Token, any Error>) {
        switch result {
        case .success(let token): held.app = token
        case .failure:
            held.app = CredentialDesk.Token(text: StorageCredentials.placeholder, renewals: 0)
            held.isAppUnproven = true
        }
        arrived()
    }

    private func arrived() {
        left -= 1
        guard left == 0, let completion else { return }
        self.completion = nil
        tickets = []
        completion(.success(held))
    }
}

extension StorageFailure {
    /// The provider of the user's token has failed.
    fileprivate init(noToken error: any Error) {
        // A Swift error's own words where it has some, not those that Foundation makes up.
        let own = (error as? any LocalizedError)?.errorDescription
        let isSystem = type(of: error) is NSError.Type
        let text = own ?? (isSystem ? error.localizedDescription : "\(error)")
        self.init(
            .unauthenticated, "The token provider has no token for the request: \(text)")
        cause = error as NSError
    }
}
