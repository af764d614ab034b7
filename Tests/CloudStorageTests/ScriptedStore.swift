import Checksums
import EventLoop
import StorageModel

/// A server that behaves: one object and one upload session, with a script that may step in first.
final class ScriptedStore: Sendable {
    struct State: Sendable {
        var object: [UInt8]?
        var upload: [UInt8] = []
        var isFinal = false
        var total = 0
        var generation = 1
        var seen: [String: Int] = [:]
        var contentType = ""
    }

    let state: Lock<State>
    /// The request's key (`start`, `chunk`, `finalize`, `query`, `cancel`, `get`, `meta`, ...) with its
    /// ordinal, as `chunk#2`; nil: behave.
    let fault: @Sendable (String, inout State, SeenRequest) -> ServerDoing?

    init(
        object: [UInt8]? = nil,
        fault: @escaping @Sendable (String, inout State, SeenRequest) -> ServerDoing? = {
            _, _, _ in nil
        }
    ) {
        state = Lock(State(object: object))
        self.fault = fault
    }

    static func resource(_ bytes: [UInt8], generation: Int = 1) -> [UInt8] {
        let crc = CRC32C.base64(of: CRC32C.value(of: bytes))
        let md5 = Base64.encode(MD5.digest(of: bytes))
        return Array(
            """
            {"name":"a/b.bin","bucket":"demo.appspot.com","generation":"\(generation)",\
            "metageneration":"1","size":"\(bytes.count)","crc32c":"\(crc)","md5Hash":"\(md5)",\
            "contentType":"image/png","downloadTokens":"t-1,t-2"}
            """.utf8)
    }

    func answer(_ request: SeenRequest) -> ServerDoing {
        state.withLock { state in
            let key = Self.key(request)
            state.seen[key, default: 0] += 1
            let name = "\(key)#\(state.seen[key] ?? 0)"
            return fault(name, &state, request) ?? Self.behave(key, &state, request)
        }
    }

    static func key(_ request: SeenRequest) -> String {
        switch request.command {
        case "upload": "chunk"
        case "upload, finalize", "finalize": "finalize"
        case let command?: command
        case nil: request.target.contains("alt=media") ? "get" : "meta"
        }
    }

    static func behave(
        _ key: String, _ state: inout State, _ request: SeenRequest
    ) -> ServerDoing {
        switch key {
        case "start":
            state.upload = []
            return .answer(
                200,
                [
                    "X-Goog-Upload-Status": "active", "X-Goog-Upload-URL": "/session",
                    "X-Goog-Upload-Chunk-Granularity": "262144",
                ])
        case "chunk", "finalize":
            guard request.offset == Int64(state.upload.count) else {
                return .answer(
                    400,
                    [
                        "X-Goog-Upload-Status": "active",
                        "X-Goog-Upload-Size-Received": "\(state.upload.count)",
                    ])
            }
            state.upload += request.body
            if key == "chunk" { return active(state) }
            state.isFinal = true
            state.object = state.upload
            return .answer(
                200, ["X-Goog-Upload-Status": "final"], resource(state.upload))
        case "query":
            return state.isFinal
                ? .answer(200, ["X-Goog-Upload-Status": "final"]) : active(state)
        case "cancel": return .answer(200, ["X-Goog-Upload-Status": "cancelled"])
        case "get": return download(state, request)
        default:
            guard let object = state.object else { return .answer(404) }
            return .answer(200, [:], resource(object, generation: state.generation))
        }
    }

    private static func active(_ state: State) -> ServerDoing {
        .answer(
            200,
            [
                "X-Goog-Upload-Status": "active",
                "X-Goog-Upload-Size-Received": "\(state.upload.count)",
            ])
    }

    static func downloadHeaders(_ object: [UInt8], _ generation: Int) -> [String: String] {
        [
            "x-goog-generation": "\(generation)", "ETag": "\"\(generation)\"",
            "x-goog-hash": "crc32c=" + CRC32C.base64(of: CRC32C.value(of: object)),
        ]
    }

    private static func download(_ state: State, _ request: SeenRequest) -> ServerDoing {
        guard let object = state.object else { return .answer(404, [:], Array("Not Found".utf8)) }
        var headers = downloadHeaders(object, state.generation)
        guard let range = request.headers["Range"],
            let first = Int(range.dropFirst("bytes=".count).dropLast())
        else { return .answer(200, headers, object) }
        guard first < object.count else { return .answer(416) }
        headers["Content-Range"] = "bytes \(first)-\(object.count - 1)/\(object.count)"
        return .answer(206, headers, Array(object[first...]))
    }

    /// The first `count` bytes of an answer with a body of `length` bytes.
    static func cut(
        _ status: Int, _ headers: [String: String], _ body: [UInt8], at count: Int
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) Said\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            head += "\(name): \(value)\r\n"
        }
        return Array((head + "\r\n").utf8) + body[..<count]
    }
}
