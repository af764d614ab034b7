// The C side. Every callback runs on the loop; each finds its object and hands over.
import CMicroHTTPD
import EventLoop
import Glibc
import StorageModel

private func engine(_ context: UnsafeMutableRawPointer?) -> HTTPEngine? {
    context.map { Unmanaged<HTTPEngine>.fromOpaque($0).takeUnretainedValue() }
}

private func link(_ connection: OpaquePointer?) -> Link? {
    cmhd_socket_context(connection).map { Unmanaged<Link>.fromOpaque($0).takeUnretainedValue() }
}

/// A line for libmicrohttpd's log.
func parserLogs(
    _ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?,
    _ arguments: CVaListPointer?
) {
    guard let format, let arguments else { return }
    engine(context)?.heardLog(format, arguments)
}

/// Leaves a target as it came.
func keepEscapes(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ text: UnsafeMutablePointer<CChar>?
) -> Int { text.map { strlen($0) } ?? 0 }

/// Retains a `Link` per connection: from STARTED to CLOSED, which comes before the `close`.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let engine = engine(context), let connection else { return }
    if code == .CONNECTION_NOTIFY_STARTED {
        let link = engine.connectionStarted(connection)
        slot?.pointee = Unmanaged.passRetained(link).toOpaque()
    } else if let held = slot?.pointee {
        slot?.pointee = nil
        engine.connectionClosed(Unmanaged<Link>.fromOpaque(held).takeRetainedValue())
    }
}

/// Retains a `PendingRequest` per request: from the request line to `requestEnded`.
func requestBegan(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?,
    _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target, let link = link(connection), let engine = engine(context) else { return nil }
    let request = PendingRequest(
        link: link, target: rawTarget(target), began: engine.loop.now)
    return Unmanaged.passRetained(request).toOpaque()
}

/// The target as it came. Bytes that are no UTF-8 cannot stand in a text: they are escaped.
private func rawTarget(_ text: UnsafePointer<CChar>) -> String {
    if let valid = String(validatingCString: text) { return valid }
    let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
    return bytes.map { byte in
        guard byte >= 0x80 else { return String(UnicodeScalar(byte)) }
        return "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
}

func requestEnded(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ why: MHD_RequestTerminationCode
) {
    guard let held = slot?.pointee else { return }
    slot?.pointee = nil
    let request = Unmanaged<PendingRequest>.fromOpaque(held).takeRetainedValue()
    engine(context)?.parserEnded(request, isComplete: why == .REQUEST_TERMINATED_COMPLETED_OK)
}

func requestContinues(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
    _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let engine = engine(context), let connection, let method, let version, let count,
        let held = slot?.pointee
    else { return .NO }
    let request = Unmanaged<PendingRequest>.fromOpaque(held).takeUnretainedValue()
    guard let exchange = request.exchange else {
        let known = engine.heads.head(
            of: connection, method: method, target: request.target, version: version,
            limits: engine.limits)
        return engine.headArrived(request, known)
    }
    let data = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count.pointee)
    return engine.parserAsks(exchange, request.link, data) { count.pointee -= $0 }
}
