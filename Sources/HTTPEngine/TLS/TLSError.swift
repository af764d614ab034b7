import CGnuTLS

/// GnuTLS refused something that it should not refuse.
package struct TLSError: Error, Hashable, CustomStringConvertible {
    /// The function, and GnuTLS's number for the cause.
    let call: String
    let code: Int32

    package var description: String { "\(call): \(String(cString: gnutls_strerror(code)))" }

    /// - Throws: when `code` is an error.
    static func check(_ call: String, _ code: Int32) throws(TLSError) {
        if code < 0 { throw TLSError(call: call, code: code) }
    }
}
