package import StorageModel

/// Error answers with the provider's own status and body, by the names of the scenario language.
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

    var message: String {
        switch self {
        case .unauthenticated: "User is not authenticated."
        case .tokenExpired: "The authentication token has expired."
        case .permissionDenied: "Permission denied. Could not perform this operation"
        case .objectNotFound: "Not Found. Could not get object"
        case .bucketNotFound: "Not Found. Could not access bucket"
        case .sessionGone: "The upload session is gone."
        case .quotaExceeded: "Quota has been exceeded for this project."
        case .rateLimited: "Rate limit exceeded."
        case .unavailable: "Service unavailable. Please try again later."
        case .gatewayPage: "Bad Gateway"
        }
    }

    /// The whole answer, with the headers that let a page in a browser read it.
    package var response: HTTPResponse {
        if self == .gatewayPage {
            let page =
                "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>"
                + "<body><h1>502 Bad Gateway</h1></body></html>\n"
            var headers = CrossOrigin.answerHeaders
            headers["Content-Type"] = "text/html; charset=UTF-8"
            return HTTPResponse(
                status: 502, headers: headers, body: ByteArraySource(Array(page.utf8)))
        }
        return ErrorAnswer.response(status: status, message: message)
    }
}
