package import StorageModel

extension AnswerPreset {
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
