import CGnuTLS
import Glibc

/// The server's end of TLS, without a socket: what came from the client goes in, what is for the
/// client comes out. Every connection makes a whole handshake: nothing of an earlier one is resumed,
/// so that each client sees the certificate that is meant for it.
final class TLSSession {
    enum Step {
        /// It goes on when more has come from the client.
        case needsMore
        case done
        /// The text says who gave it up, and why; an alert for the client may be in `outgoing`.
        case failed(String)
    }

    enum Reading {
        /// So many bytes were read.
        case bytes(Int)
        case needsMore
        /// The client has said that nothing more comes (close_notify).
        case ended
        /// What came is no TLS; an alert for the client is in `outgoing`.
        case failed
    }

    /// Of the largest record (RFC 8446 section 5.1).
    static let recordSize = 16_384

    /// From the client, as it was on the wire.
    var incoming = ByteQueue()
    /// For the client, as it will be on the wire.
    var outgoing = ByteQueue()
    private let handle: gnutls_session_t
    /// GnuTLS has only the address.
    private let credentials: TLSCredentials

    private static let versions = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

    init(_ credentials: TLSCredentials) throws(TLSError) {
        self.credentials = credentials
        var made: gnutls_session_t?
        try TLSError.check("gnutls_init", cgnutls_server(&made))
        guard let made else { throw TLSError(call: "gnutls_init", code: -1) }
        handle = made
        try TLSError.check(
            "gnutls_priority_set_direct", gnutls_priority_set_direct(made, Self.versions, nil))
        try TLSError.check(
            "gnutls_credentials_set",
            gnutls_credentials_set(
                made, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.handle)))
        try offerHTTP()
        gnutls_handshake_set_timeout(made, 0)
        gnutls_transport_set_ptr(made, Unmanaged.passUnretained(self).toOpaque())
        gnutls_transport_set_pull_function(made) { context, room, count in
            TLSSession.from(context)?.pull(room, count) ?? -1
        }
        gnutls_transport_set_pull_timeout_function(made) { context, _ in
            TLSSession.from(context)?.incoming.isEmpty == false ? 1 : 0
        }
        gnutls_transport_set_push_function(made) { context, bytes, count in
            TLSSession.from(context)?.push(bytes, count) ?? -1
        }
    }

    deinit { gnutls_deinit(handle) }

    // MARK: The handshake

    func handshake() -> Step {
        let clearAlert = self.clearAlert
        while true {
            let code = gnutls_handshake(handle)
            if code == GNUTLS_E_SUCCESS { return .done }
            if code == GNUTLS_E_AGAIN { return .needsMore }
            if gnutls_error_is_fatal(code) == 0 { continue }
            if code == GNUTLS_E_FATAL_ALERT_RECEIVED {
                return .failed(Self.text(of: gnutls_alert_get(handle)))
            }
            gnutls_alert_send_appropriate(handle, code)
            if let clearAlert { return .failed(Self.text(of: clearAlert)) }
            return .failed("the handshake failed: \(String(cString: gnutls_strerror(code)))")
        }
    }

    /// An alert in the clear at the end of what has come. Clients that have not encrypted anything
    /// yet send theirs so even where TLS 1.3 wants it encrypted, and GnuTLS does not take it.
    private var clearAlert: gnutls_alert_description_t? {
        let record = incoming.withFirst { Array($0.suffix(7)) }
        guard record.count == 7, record[0] == 21, record[1] == 3, record[3...5] == [0, 2, 2]
        else { return nil }
        return gnutls_alert_description_t(UInt32(record[6]))
    }

    private static func text(of alert: gnutls_alert_description_t) -> String {
        let name = gnutls_alert_get_name(alert).map { String(cString: $0) } ?? "unknown"
        // RFC 8446 section 6.2: what is wrong with a certificate.
        let isCertificate = (42...46).contains(alert.rawValue) || alert.rawValue == 48
        let what = isCertificate ? "the certificate" : "the handshake"
        return "the client refused \(what): alert \(alert.rawValue), \(name)"
    }

    // MARK: Bytes

    /// Decrypts what has come, at most as much as fits.
    func read(into room: UnsafeMutableRawBufferPointer) -> Reading {
        while true {
            let result = gnutls_record_recv(handle, room.baseAddress, room.count)
            if result > 0 { return .bytes(result) }
            if result == 0 { return .ended }
            let code = Int32(truncatingIfNeeded: result)
            switch code {
            case GNUTLS_E_AGAIN: return .needsMore
            case GNUTLS_E_REHANDSHAKE:
                gnutls_alert_send(handle, GNUTLS_AL_WARNING, GNUTLS_A_NO_RENEGOTIATION)
            default:
                if gnutls_error_is_fatal(code) == 0 { continue }
                if code != GNUTLS_E_FATAL_ALERT_RECEIVED {
                    gnutls_alert_send_appropriate(handle, code)
                }
                return .failed
            }
        }
    }

    /// Encrypts bytes for the client; false when the session is broken.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = gnutls_record_send(handle, rest.baseAddress, rest.count)
            if count < 0 {
                if count == Int(GNUTLS_E_INTERRUPTED) || count == Int(GNUTLS_E_AGAIN) { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Tells the client that nothing more comes (close_notify).
    func sayEnd() { gnutls_bye(handle, GNUTLS_SHUT_WR) }

    // MARK: What GnuTLS calls

    private func pull(_ room: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let taken = incoming.take(into: UnsafeMutableRawBufferPointer(start: room, count: count))
        if taken > 0 { return taken }
        gnutls_transport_set_errno(handle, EAGAIN)
        return -1
    }

    private func push(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        outgoing.append(UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> TLSSession? {
        context.map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// HTTP/1.1 is all that is spoken here (RFC 7301); who offers other protocols alone gets none.
    private func offerHTTP() throws(TLSError) {
        var name = Array("http/1.1".utf8)
        let code = name.withUnsafeMutableBufferPointer { bytes in
            var protocols = [
                gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
            ]
            return gnutls_alpn_set_protocols(handle, &protocols, 1, 0)
        }
        try TLSError.check("gnutls_alpn_set_protocols", code)
    }
}
