package import StorageModel

/// Something that happens to the backend: by a fault, or by the step `backend`.
package enum BackendAction: Hashable, Sendable {
    case session(SessionAction)
    case object(ObjectAction)
    case token(TokenAction)
    case server(ServerAction)
    /// For steps alone.
    case link(LinkState)
}

/// On the session of the exchange; in a step, on the newest session.
package enum SessionAction: Hashable, Sendable {
    case expire
    case cancel
    /// Answers 423 with status `active` for so long.
    case lock(Duration)
    /// So many confirmed bytes vanish.
    case lose(Int64)
    /// The received size that is told.
    case claim(Int64)
}

package enum ObjectAction: Hashable, Sendable {
    case delete(path: String)
    case replace(path: String, with: Content)
    /// New metageneration, same content.
    case touch(path: String)
}

package enum TokenAction: Hashable, Sendable {
    case expire(name: String)
}

package enum ServerAction: Hashable, Sendable {
    /// - `keepsSessions`: false: sessions are forgotten.
    /// - `down`: how long the port takes no connection.
    case restart(keepsSessions: Bool, down: Duration)
    /// The server's clock goes so far ahead.
    case skew(Duration)
    /// No room for objects.
    case full(Bool)
}

package enum LinkState: Hashable, Sendable {
    case up
    /// `keeps`: established connections live on; else they go silent for good.
    case down(RefusalKind, keeps: Bool)
}
