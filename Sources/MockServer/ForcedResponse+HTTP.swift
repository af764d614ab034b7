import FaultEngine
import Glibc
import StorageModel
import StorageWire

extension ForcedResponse {
    /// The answer as it goes out.
    ///
    /// - Parameter wallClock: milliseconds since 1970.
    func response(wallClock: Int64) -> HTTPResponse {
        var response = bare
        response.status = status
        response.reason = reason
        switch body {
        case .content(let content):
            response.headers.remove("Content-Type")
            response.body = content.source ?? ByteArraySource([])
        case .json(let value): response.body = ByteArraySource(Array(value.text.utf8))
        case nil: break
        }
        if let retryAfter {
            response.headers["Retry-After"] = retryAfter.text(wallClock: wallClock)
        }
        if let uploadStatus {
            response.headers["X-Goog-Upload-Status"] = uploadStatus.rawValue
        }
        for field in headers { response.headers[field.name] = field.text }
        // The length is that of the body, whatever else is asked for: `length` is for lies.
        response.headers.remove("Content-Length")
        return response
    }

    private var bare: HTTPResponse {
        if let preset { return preset.response }
        if status >= 400 {
            return ErrorAnswer.response(status: status, message: "Answered by a fault.")
        }
        return HTTPResponse(status: status, headers: CrossOrigin.answerHeaders)
    }
}

extension ForcedResponse.RetryAfter {
    /// Source: RFC 9110 sections 10.2.3 and 5.6.7.
    func text(wallClock: Int64) -> String {
        switch self {
        case .seconds(let time):
            return "\((time.nanoseconds + 999_999_999) / 1_000_000_000)"
        case .date(let ahead):
            var seconds = Int((wallClock + ahead.nanoseconds / 1_000_000 + 999) / 1000)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
            let months = [
                "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
            ]
            func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) "
                + "\(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
                + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
        }
    }
}
