import EventLoop
import Scenario
import StorageModel

@testable import CloudStorage

// Uploads in one request.
extension HabitTransport {
    /// - Parameter body: the request with the bytes that the client behind sends to its session.
    func send(
        _ single: Single, _ body: TransportRequest, _ id: Int, _ sink: any TransportSink
    ) {
        guard let bytes = Self.bytes(of: body.body) else {
            let carried = OnOneLoop(value: sink)
            loop.post {
                var failure = TransportFailure(fault: nil, message: "the source cannot be read")
                failure.isLocal = true
                carried.value.ended(failure)
            }
            return
        }
        var request = single.start
        request.headers = [:]
        request.headers["Authorization"] = body.headers["Authorization"]
        let type = single.start.headers["X-Goog-Upload-Content-Type"] ?? ""
        let kind = single.isMedia ? "media" : "multipart"
        request.url = single.start.url.replacing("uploadType=resumable", with: "uploadType=\(kind)")
        if single.isMedia {
            request.headers["Content-Type"] = type
            request.body = .bytes(bytes)
        } else {
            request.headers["X-Goog-Upload-Protocol"] = "multipart"
            request.headers["Content-Type"] = "multipart/related; boundary=habit"
            request.body = .bytes(Self.parts(of: single.start, type, bytes))
        }
        if traits.progressUnit == .sent, !bytes.isEmpty, let path = paths[body.url] {
            loop.post { [wire] in wire.sent(path, Int64(bytes.count)) }
        }
        self.send(request, id, sink)
    }

    private static func parts(
        of start: TransportRequest, _ type: String, _ bytes: [UInt8]
    ) -> [UInt8] {
        var metadata: [UInt8] = []
        if case .bytes(let given) = start.body { metadata = given }
        return Array("--habit\r\nContent-Type: application/json; charset=utf-8\r\n\r\n".utf8)
            + metadata + Array("\r\n--habit\r\nContent-Type: \(type)\r\n\r\n".utf8) + bytes
            + Array("\r\n--habit--".utf8)
    }

    private static func bytes(of body: RequestBody) -> [UInt8]? {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .slice(let reader, let offset, let length):
            var bytes = [UInt8](repeating: 0, count: Int(length))
            let count = bytes.withUnsafeMutableBytes { reader.read(at: offset, into: $0) }
            return count == Int(length) ? bytes : nil
        }
    }
}
