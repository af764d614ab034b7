import CMicroHTTPD
import Glibc
import StorageModel

// The interim answer 100 (Continue), which libmicrohttpd sends by itself once the handler has let the
// head pass. Source: RFC 9110 section 10.1.1.
extension HTTPExchange {
    /// True for a client that asks to be told to go on before it sends the body.
    package var expectsContinue: Bool {
        head.version == "HTTP/1.1" && head.headers["Expect"]?.lowercased() == "100-continue"
    }

    /// Nothing is sent to a client that waits for 100 unless `sendContinue` is called. Call it at
    /// `head`.
    package func withholdContinue() {
        guard stage == .head, case .parser(let link) = carrier else { return }
        link.forgetExpectation()
    }

    /// Sends `100 Continue` at once. Call it at `head`, or while the exchange waits there.
    package func sendContinue() {
        guard stage == .head, case .parser(let link) = carrier, !link.isDead, !link.isTaken else {
            return
        }
        // Nothing of an earlier answer waits to be sent when a head was read, so there is room.
        let bytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        _ = send(link.descriptor, bytes, bytes.count, Sockets.noSignal)
    }
}

extension Link {
    /// libmicrohttpd looks for the field `Expect` when the head has passed, in the memory into which
    /// it read the request, and offers no way to decide: a value that it does not know keeps it quiet.
    /// Our own copy of the head stays as it was. Source: its connection.c, `need_100_continue`.
    fileprivate func forgetExpectation() {
        _ = MHD_get_connection_values_n(
            handle, .HEADER_KIND,
            { _, _, name, _, value, count in
                guard let name, let value, count > 0, strcasecmp(name, "Expect") == 0 else {
                    return .YES
                }
                UnsafeMutablePointer(mutating: value).pointee = CChar(bitPattern: 0x2D)
                return .YES
            }, nil)
    }
}
