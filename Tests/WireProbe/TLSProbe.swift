import CGnuTLS
import Glibc

/// A raw, blocking client through TLS: shows every byte of the plaintext, and how the connection ended
/// in TLS and below it. For one thread at a time.
package final class TLSProbe {
    /// The versions that a probe may offer.
    package enum Version: String, Sendable, CaseIterable {
        case tls12 = "NORMAL:-VERS-ALL:+VERS-TLS1.2"
        case tls13 = "NORMAL:-VERS-ALL:+VERS-TLS1.3"
    }

    /// How the server ended what it sends.
    package enum Ending: Hashable, Sendable {
        /// close_notify, then FIN.
        case closed
        /// FIN without close_notify.
        case truncated
        /// RST.
        case reset
        /// Nothing, and no end, until the deadline.
        case silence
        /// GnuTLS's sentence.
        case broken(String)
    }

    /// Why a handshake did not come to its end.
    package enum Refusal: Error, Hashable, Sendable {
        /// GnuTLS's words for what is wrong with the server's certificate, joined.
        case certificate(String)
        /// The number of the server's alert.
        case alert(UInt32)
        case ended(Ending)
    }

    /// The connection below.
    package let wire: WireProbe
    private let handle: gnutls_session_t
    private let credentials: gnutls_certificate_credentials_t
    /// GnuTLS has only the address.
    private let name: UnsafeMutablePointer<CChar>?
    private var failure: Ending?
    private var isSilent = false

    /// Connects, without a handshake.
    ///
    /// - Parameters:
    ///   - authority: a certificate to trust (PEM); nil: none.
    ///   - protocols: what is offered besides TLS's version (ALPN).
    package init(
        _ wire: WireProbe, authority: [UInt8]?, name: String = "localhost",
        version: Version = .tls13, protocols: [String] = ["http/1.1"]
    ) throws(WireError) {
        self.wire = wire
        var session: gnutls_session_t?
        var trust: gnutls_certificate_credentials_t?
        gnutls_init(&session, UInt32(GNUTLS_CLIENT))
        gnutls_certificate_allocate_credentials(&trust)
        guard let session, let trust else { throw .system("gnutls_init") }
        handle = session
        credentials = trust
        self.name = strdup(name)
        gnutls_priority_set_direct(session, version.rawValue, nil)
        gnutls_credentials_set(
            session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(trust))
        var pem = authority ?? []
        pem.withUnsafeMutableBufferPointer { bytes in
            var datum = gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
            if !bytes.isEmpty {
                gnutls_certificate_set_x509_trust_mem(trust, &datum, GNUTLS_X509_FMT_PEM)
            }
        }
        // Addresses are no names (RFC 6066 section 3).
        if !name.contains(":"), name.last?.isNumber == false {
            gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, name.utf8.count)
        }
        gnutls_session_set_verify_cert(session, self.name, 0)
        offer(protocols)
        gnutls_handshake_set_timeout(session, 0)
        gnutls_transport_set_ptr(session, Unmanaged.passUnretained(self).toOpaque())
        gnutls_transport_set_pull_timeout_function(session) { _, _ in 1 }
        gnutls_transport_set_pull_function(session) { context, room, count in
            TLSProbe.from(context)?.pull(room, count) ?? -1
        }
        gnutls_transport_set_push_function(session) { context, bytes, count in
            TLSProbe.from(context)?.push(bytes, count) ?? -1
        }
    }

    /// Connects to a port of the loopback interface and makes the handshake.
    package convenience init(
        port: UInt16, authority: [UInt8]?, name: String = "localhost", version: Version = .tls13,
        receiveBuffer: Int32? = nil
    ) throws {
        let wire = try WireProbe(port: port, receiveBuffer: receiveBuffer)
        try self.init(wire, authority: authority, name: name, version: version)
        try shakeHands()
    }

    deinit {
        gnutls_deinit(handle)
        gnutls_certificate_free_credentials(credentials)
        free(name)
    }

    package func shakeHands() throws(Refusal) {
        while true {
            let code = gnutls_handshake(handle)
            if code == GNUTLS_E_SUCCESS { return }
            if gnutls_error_is_fatal(code) == 0, !isSilent { continue }
            switch code {
            case GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR:
                gnutls_alert_send_appropriate(handle, code)
                throw .certificate(verdict)
            case GNUTLS_E_FATAL_ALERT_RECEIVED: throw .alert(gnutls_alert_get(handle).rawValue)
            default: throw .ended(ending(of: code))
            }
        }
    }

    /// What was agreed on besides TLS (ALPN); nil: nothing.
    package var chosenProtocol: String? {
        var name = gnutls_datum_t()
        guard gnutls_alpn_get_selected_protocol(handle, &name) == 0 else { return nil }
        let bytes = UnsafeBufferPointer(start: name.data, count: Int(name.size))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// True when an earlier session was taken up again.
    package var isResumed: Bool { gnutls_session_is_resumed(handle) != 0 }

    // MARK: Bytes

    package func send(_ text: String) throws(WireError) { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws(WireError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                gnutls_record_send(handle, $0.baseAddress, $0.count)
            }
            if count < 0 { throw .ended(.reset, "sending") }
            rest = rest.dropFirst(count)
        }
    }

    package func ask(_ target: String, method: String = "GET", fields: [String] = [])
        throws(WireError)
    {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Reads until the server's end, or until nothing comes before the deadline.
    package func readToEnd(piece: Int = 16_384) -> (bytes: [UInt8], ending: Ending) {
        var bytes: [UInt8] = []
        while true {
            switch receive(piece) {
            case .success(let more): bytes += more
            case .failure(let end): return (bytes, end.ending)
            }
        }
    }

    /// Reads exactly so many bytes; fewer only when the server ended.
    package func read(upTo count: Int) -> (bytes: [UInt8], ending: Ending?) {
        var bytes: [UInt8] = []
        while bytes.count < count {
            switch receive(min(16_384, count - bytes.count)) {
            case .success(let more): bytes += more
            case .failure(let end): return (bytes, end.ending)
            }
        }
        return (bytes, nil)
    }

    /// Reads one answer with a Content-Length.
    package func readAnswer() throws -> (head: WireHead, body: [UInt8]) {
        var bytes: [UInt8] = []
        while bytes.suffix(4) != [13, 10, 13, 10] {
            let (next, ending) = read(upTo: 1)
            if let ending { throw Refusal.ended(ending) }
            bytes += next
        }
        let head = try WireHead(String(decoding: bytes, as: UTF8.self))
        let (body, _) = read(upTo: Int(head["Content-Length"] ?? "") ?? 0)
        return (head, body)
    }

    /// Says that nothing more comes (close_notify); FIN is another matter.
    package func sayEnd() { gnutls_bye(handle, GNUTLS_SHUT_WR) }

    private struct End: Error { let ending: Ending }

    private func receive(_ count: Int) -> Result<[UInt8], End> {
        var room = [UInt8](repeating: 0, count: count)
        while true {
            let result = gnutls_record_recv(handle, &room, count)
            if result > 0 { return .success(Array(room[..<result])) }
            if result == 0 { return .failure(End(ending: .closed)) }
            let code = Int32(truncatingIfNeeded: result)
            // Tickets come as if they were records.
            if gnutls_error_is_fatal(code) == 0, !isSilent { continue }
            return .failure(End(ending: ending(of: code)))
        }
    }

    private func ending(of code: Int32) -> Ending {
        if let failure { return failure }
        if isSilent { return .silence }
        if code == GNUTLS_E_PREMATURE_TERMINATION { return .truncated }
        return .broken(String(cString: gnutls_strerror(code)))
    }

    private var verdict: String {
        let status = gnutls_session_get_verify_cert_status(handle)
        var words: [String] = []
        func add(_ flag: gnutls_certificate_status_t, _ word: String) {
            if status & flag.rawValue != 0 { words.append(word) }
        }
        add(GNUTLS_CERT_SIGNER_NOT_FOUND, "untrusted")
        add(GNUTLS_CERT_EXPIRED, "expired")
        add(GNUTLS_CERT_NOT_ACTIVATED, "not yet valid")
        add(GNUTLS_CERT_UNEXPECTED_OWNER, "wrong name")
        return words.joined(separator: ", ")
    }

    private func offer(_ protocols: [String]) {
        for (index, name) in protocols.enumerated() {
            var bytes = Array(name.utf8)
            bytes.withUnsafeMutableBufferPointer { bytes in
                var datum = gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
                precondition(index == 0, "one protocol is enough")
                gnutls_alpn_set_protocols(handle, &datum, 1, 0)
            }
        }
    }

    // MARK: What GnuTLS calls

    private func pull(_ room: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        guard WireDeadline(wire.deadline).wait(for: POLLIN, on: wire.fd) else {
            isSilent = true
            gnutls_transport_set_errno(handle, EAGAIN)
            return -1
        }
        let result = recv(wire.fd, room, count, 0)
        if result < 0 {
            failure = errno == ECONNRESET ? .reset : .broken(String(cString: strerror(errno)))
            gnutls_transport_set_errno(handle, EIO)
        }
        return result
    }

    private func push(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        let result = Glibc.send(wire.fd, bytes, count, Int32(MSG_NOSIGNAL))
        if result < 0 {
            failure = .reset
            gnutls_transport_set_errno(handle, EIO)
        }
        return result
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> TLSProbe? {
        context.map { Unmanaged<TLSProbe>.fromOpaque($0).takeUnretainedValue() }
    }
}
