import CGnuTLS
import Glibc

/// A key on the curve P-256, in memory alone.
final class TLSKey {
    let handle: gnutls_x509_privkey_t

    init() throws(TLSError) {
        var made: gnutls_x509_privkey_t?
        try TLSError.check("gnutls_x509_privkey_init", gnutls_x509_privkey_init(&made))
        guard let made else { throw TLSError(call: "gnutls_x509_privkey_init", code: -1) }
        handle = made
        try TLSError.check(
            "gnutls_x509_privkey_generate",
            gnutls_x509_privkey_generate(made, GNUTLS_PK_ECDSA, cgnutls_p256(), 0))
    }

    deinit { gnutls_x509_privkey_deinit(handle) }
}

/// A certificate, with the fields that strict verifiers ask for (RFC 5280 section 4.2.1: key
/// identifiers, key usage, basic constraints).
final class TLSCertificate {
    /// What it certifies.
    enum Purpose {
        case authority
        /// Names of hosts, and addresses as text.
        case server(names: [String])
    }

    let handle: gnutls_x509_crt_t
    let key: TLSKey

    private static let day = 86_400

    /// - Parameters:
    ///   - name: the common name: what a person reads.
    ///   - days: from when to when it is valid, counted from now.
    ///   - issuer: who signs it; nil: it signs itself.
    init(
        _ name: String, _ purpose: Purpose, days: ClosedRange<Int>, issuer: TLSCertificate? = nil
    ) throws(TLSError) {
        key = try TLSKey()
        var made: gnutls_x509_crt_t?
        try TLSError.check("gnutls_x509_crt_init", gnutls_x509_crt_init(&made))
        guard let made else { throw TLSError(call: "gnutls_x509_crt_init", code: -1) }
        handle = made
        try TLSError.check("gnutls_x509_crt_set_version", gnutls_x509_crt_set_version(made, 3))
        try TLSError.check("gnutls_x509_crt_set_key", gnutls_x509_crt_set_key(made, key.handle))
        try setSerial()
        let now = time(nil)
        gnutls_x509_crt_set_activation_time(made, now + days.lowerBound * Self.day)
        gnutls_x509_crt_set_expiration_time(made, now + days.upperBound * Self.day)
        try TLSError.check(
            "gnutls_x509_crt_set_dn",
            gnutls_x509_crt_set_dn_by_oid(
                made, GNUTLS_OID_X520_COMMON_NAME, 0, name, UInt32(name.utf8.count)))
        switch purpose {
        case .authority: try describeAuthority()
        case .server(let names): try describeServer(names)
        }
        let own = try keyIdentifier()
        try TLSError.check(
            "gnutls_x509_crt_set_subject_key_id",
            gnutls_x509_crt_set_subject_key_id(made, own, own.count))
        let signer = issuer ?? self
        let other = try signer.keyIdentifier()
        try TLSError.check(
            "gnutls_x509_crt_set_authority_key_id",
            gnutls_x509_crt_set_authority_key_id(made, other, other.count))
        try TLSError.check(
            "gnutls_x509_crt_sign2",
            gnutls_x509_crt_sign2(
                made, signer.handle, signer.key.handle, GNUTLS_DIG_SHA256, 0))
    }

    deinit { gnutls_x509_crt_deinit(handle) }

    /// As a file that clients read.
    func pem() throws(TLSError) -> [UInt8] {
        var text = gnutls_datum_t()
        try TLSError.check(
            "gnutls_x509_crt_export2", gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_PEM, &text))
        defer { cgnutls_free(text.data) }
        return Array(UnsafeBufferPointer(start: text.data, count: Int(text.size)))
    }

    // MARK: Fields

    private func setSerial() throws(TLSError) {
        var serial = [UInt8](repeating: 0, count: 16)
        try TLSError.check("gnutls_rnd", gnutls_rnd(GNUTLS_RND_NONCE, &serial, serial.count))
        // A positive number without leading zeros.
        serial[0] = serial[0] & 0x7F | 0x40
        try TLSError.check(
            "gnutls_x509_crt_set_serial",
            gnutls_x509_crt_set_serial(handle, serial, serial.count))
    }

    private func describeAuthority() throws(TLSError) {
        try TLSError.check(
            "gnutls_x509_crt_set_basic_constraints",
            gnutls_x509_crt_set_basic_constraints(handle, 1, 0))
        try TLSError.check(
            "gnutls_x509_crt_set_key_usage",
            gnutls_x509_crt_set_key_usage(handle, UInt32(GNUTLS_KEY_KEY_CERT_SIGN)))
    }

    private func describeServer(_ names: [String]) throws(TLSError) {
        try TLSError.check(
            "gnutls_x509_crt_set_basic_constraints",
            gnutls_x509_crt_set_basic_constraints(handle, 0, -1))
        try TLSError.check(
            "gnutls_x509_crt_set_key_usage",
            gnutls_x509_crt_set_key_usage(handle, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
        try TLSError.check(
            "gnutls_x509_crt_set_key_purpose_oid",
            gnutls_x509_crt_set_key_purpose_oid(handle, GNUTLS_KP_TLS_WWW_SERVER, 0))
        for name in names {
            let address = SocketAddress(host: name, port: 0)?.hostBytes
            let isAddress = name != "localhost" && address != nil
            let bytes = isAddress ? address ?? [] : Array(name.utf8)
            try TLSError.check(
                "gnutls_x509_crt_set_subject_alt_name",
                gnutls_x509_crt_set_subject_alt_name(
                    handle, isAddress ? GNUTLS_SAN_IPADDRESS : GNUTLS_SAN_DNSNAME, bytes,
                    UInt32(bytes.count), UInt32(GNUTLS_FSAN_APPEND)))
        }
    }

    private func keyIdentifier() throws(TLSError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        var count = bytes.count
        try TLSError.check(
            "gnutls_x509_crt_get_key_id",
            gnutls_x509_crt_get_key_id(handle, 0, &bytes, &count))
        return Array(bytes.prefix(count))
    }
}
