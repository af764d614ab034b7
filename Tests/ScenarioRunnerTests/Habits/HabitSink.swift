import Scenario
import StorageModel

@testable import CloudStorage

/// Hears an answer as a client of other habits does.
final class HabitSink: TransportSink, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let sink: any TransportSink
    private let transport: HabitTransport
    private let request: TransportRequest
    /// The object's path, where the answer names a session.
    private let path: String?
    private var traits: Traits { transport.traits }

    init(
        _ sink: any TransportSink, _ transport: HabitTransport, _ request: TransportRequest,
        startOf path: String? = nil
    ) {
        self.sink = sink
        self.transport = transport
        self.request = request
        self.path = path
    }

    private var isQuery: Bool { request.uploadCommand == "query" }
    private var isBody: Bool {
        ["upload", "upload, finalize", "finalize"].contains(request.uploadCommand)
    }

    // MARK: The head

    func received(_ head: ResponseHead) {
        var head = head
        if let path, let url = head.headers["X-Goog-Upload-URL"] { transport.paths[url] = path }
        if transport.singles[request.url] != nil, (200..<300).contains(head.status) {
            head.headers["X-Goog-Upload-Status"] = "final"
        }
        if traits.checksum == .unchecked { head.headers["X-Goog-Hash"] = nil }
        if let asked = head.headers["Retry-After"].flatMap({ Double($0) }) {
            head.headers["Retry-After"] = String(Int(asked / transport.waitScale))
        }
        if isFinal(head) { head.status += HabitErrors.finalStatus }
        sink.received(head)
    }

    /// True for an answer that ends the transfer, whatever the client behind would make of it.
    private func isFinal(_ head: ResponseHead) -> Bool {
        let documented = RetryHabit().retries(head.status)
        if documented {
            return !traits.retries.retries(head.status) || isQuery && traits.queryFailure == .fatal
        }
        let isRefusal =
            isBody && (400..<500).contains(head.status)
            && ![401, 402, 403, 404, 410].contains(head.status)
            && head.headers["X-Goog-Upload-Status"] == "active"
        guard isRefusal else { return false }
        switch traits.refusedWhileActive {
        case .query: return false
        case .retry:
            transport.willResend(request)
            return false
        case .fail: return true
        }
    }

    // MARK: The rest

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard traits.checksum == .unchecked, isBody else { return sink.received(bytes) }
        // Names that nobody looks for; a resource comes in one piece.
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("\"crc32c\"", with: "\"crc32x\"")
            .replacing("\"md5Hash\"", with: "\"md5Hasx\"")
        return Array(text.utf8).withUnsafeBytes { sink.received($0) }
    }

    func ended(_ failure: TransportFailure?) {
        guard var failure, let fault = failure.fault, !failure.isLocal, !failure.isRefused else {
            return sink.ended(failure)
        }
        if !traits.retries.retries(fault) || isQuery && traits.queryFailure == .fatal {
            transport.wire.hiddenBreak = fault
            failure.fault = .tls
        } else if isBody, traits.afterBreak == .resend {
            transport.willResend(request)
        }
        sink.ended(failure)
    }
}
