/// Error answers with the provider's own status and body, by the names of the scenario language.
///
/// The bodies are written by who knows the wire.
package enum AnswerPreset: String, Hashable, Sendable, CaseIterable {
    case unauthenticated
    case tokenExpired = "token-expired"
    case permissionDenied = "permission-denied"
    case objectNotFound = "object-not-found"
    case bucketNotFound = "bucket-not-found"
    case sessionGone = "session-gone"
    case quotaExceeded = "quota-exceeded"
    case rateLimited = "rate-limited"
    case unavailable
    case gatewayPage = "gateway-page"

    package var status: Int {
        switch self {
        case .unauthenticated, .tokenExpired: 401
        case .permissionDenied: 403
        case .objectNotFound, .bucketNotFound: 404
        case .sessionGone: 410
        case .quotaExceeded: 402
        case .rateLimited: 429
        case .unavailable: 503
        case .gatewayPage: 502
        }
    }
}
