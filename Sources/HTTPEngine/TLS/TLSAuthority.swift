import CGnuTLS

/// A throw-away certificate authority, and the certificates that its server shows.
///
/// Keys are made at each start and never leave the process's memory.
package final class TLSAuthority: @unchecked Sendable {
    // Invariant: `credentials` is touched on the loop of the one engine that has the authority; the
    // rest is constant.

    /// The authority's certificate, as a file that clients are told to trust (PEM).
    package let certificate: [UInt8]
    /// Hosts and addresses that the certificates are for.
    package let names: [String]
    private let authority: TLSCertificate
    private var credentials: [TLSPlan.Flaws: TLSCredentials] = [:]

    /// For nobody: RFC 6761 section 6.4 keeps the domain from ever existing.
    private static let otherName = "wrong-name.invalid"

    /// Makes the authority and its good certificate.
    ///
    /// - Parameter names: of hosts, and addresses as text.
    /// - Throws: `TLSError` where GnuTLS refuses.
    package init(names: [String]) throws(TLSError) {
        self.names = names
        // It has to have been valid when the expired certificate was.
        authority = try TLSCertificate("Squall throw-away authority", .authority, days: -60...60)
        certificate = try authority.pem()
        _ = try credentials(for: [])
    }

    /// The certificate with these flaws, and its key; made when it is first needed.
    func credentials(for flaws: TLSPlan.Flaws) throws(TLSError) -> TLSCredentials {
        if let known = credentials[flaws] { return known }
        let issuer =
            flaws.contains(.untrusted)
            ? try TLSCertificate("An authority that nobody trusts", .authority, days: -60...60)
            : authority
        let made = TLSCertificate.Purpose.server(
            names: flaws.contains(.wrongName) ? [Self.otherName] : names)
        let certificate = try TLSCertificate(
            flaws.contains(.wrongName) ? Self.otherName : "localhost", made,
            days: flaws.contains(.expired) ? -30 ... -1 : -1...30, issuer: issuer)
        let credentials = try TLSCredentials(certificate)
        self.credentials[flaws] = credentials
        return credentials
    }
}

/// A certificate with its key, as GnuTLS shows it.
final class TLSCredentials {
    let handle: gnutls_certificate_credentials_t

    init(_ certificate: TLSCertificate) throws(TLSError) {
        var made: gnutls_certificate_credentials_t?
        try TLSError.check(
            "gnutls_certificate_allocate_credentials",
            gnutls_certificate_allocate_credentials(&made))
        guard let made else {
            throw TLSError(call: "gnutls_certificate_allocate_credentials", code: -1)
        }
        handle = made
        var chain: [gnutls_x509_crt_t?] = [certificate.handle]
        try TLSError.check(
            "gnutls_certificate_set_x509_key",
            gnutls_certificate_set_x509_key(made, &chain, 1, certificate.key.handle))
    }

    deinit { gnutls_certificate_free_credentials(handle) }
}
