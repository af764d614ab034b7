internal import CCurl
internal import Glibc
internal import StorageModel

/// How libcurl says that a transfer ended, and what that means. Pure.
///
/// libcurl reports success for a connection that was closed in the middle of a head, and one code for
/// resets and for chunks that make no sense; only with what was received the cases can be told apart.
struct CurlEnding {
    var code: CURLcode
    var errno: Int32 = 0
    var text = ""
    var isHeadBegun = false
    var isHeadComplete = false
    /// libcurl was about to send the request a second time by itself, and was stopped.
    var isResend = false

    var fault: TransportFault? {
        switch code {
        case CURLE_OK: .cut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
        case CURLE_COULDNT_CONNECT: connectFault
        case CURLE_PARTIAL_FILE: .cut
        case CURLE_GOT_NOTHING: .closed
        // The kept connection was found dead; the system's last word says how it died.
        case CURLE_ABORTED_BY_CALLBACK where isResend: errno == ECONNRESET ? .reset : .closed
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_OUT_OF_MEMORY: .oversizedHead
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: streamFault
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            .malformed
        case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
        case CURLE_SSL_CONNECT_ERROR: handshakeFault
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            .tls
        default: nil
        }
    }

    private var connectFault: TransportFault {
        switch errno {
        case ETIMEDOUT: .timedOut
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: .offline
        case ECONNRESET: .reset
        default: .refused
        }
    }

    /// A connection that breaks during the handshake is no fault of TLS.
    private var handshakeFault: TransportFault {
        if errno == ECONNRESET || errno == EPIPE || text.contains("Connection reset") {
            return .reset
        }
        let isEnd = text.contains("SSL_ERROR_SYSCALL") || text.contains("unexpected eof")
        return isEnd ? .closed : .tls
    }

    private var streamFault: TransportFault {
        if text.contains("Too large response headers") { return .oversizedHead }
        switch errno {
        case ETIMEDOUT: return .timedOut
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: return .offline
        case 0 where code == CURLE_RECV_ERROR: return .malformed
        default: return .reset
        }
    }

    /// What is wrong with a server's certificate, as a code of the domain `NSURLErrorDomain`; nil where
    /// the fault says it all. The words are OpenSSL's.
    var urlError: Int? {
        guard fault == .tls else { return nil }
        return Self.certificateWords.first { text.contains($0.words) }?.urlError
    }

    private static let certificateWords: [(words: String, urlError: Int)] = [
        ("certificate has expired", -1201), ("certificate is not yet valid", -1204),
        ("self-signed certificate", -1203), ("self signed certificate", -1203),
        ("unable to get local issuer", -1203), ("unable to get issuer", -1203),
        ("subject name", -1202), ("SSL certificate problem", -1202),
    ]

    /// What the system said; nil where it had nothing to do with it.
    var systemError: Int32? {
        switch fault {
        case .refused, .reset, .offline, .timedOut: errno == 0 ? nil : errno
        case .resolve, .closed, .cut, .tls, .malformed, .oversizedHead, .tooManyRedirects, nil: nil
        }
    }

    /// Where libcurl has no words.
    var fallbackText: String {
        code == CURLE_OK
            ? "the connection was closed before the answer's head was whole"
            : "libcurl ended with code \(code.rawValue)"
    }
}
