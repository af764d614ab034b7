import CloudStorage
import Foundation

/// One transfer in a process of its own, so that its memory can be measured and its process killed:
///
///     squall-transfer-client PORT put-file OBJECT FILE [SESSION-FILE]
///     squall-transfer-client PORT put-stream OBJECT BYTES
///     squall-transfer-client PORT put-memory OBJECT BYTES
///     squall-transfer-client PORT get-file OBJECT FILE
///     squall-transfer-client PORT get-memory OBJECT
///     squall-transfer-client PORT get-stream OBJECT
///
/// Prints one line of JSON: bytes, peak memory in KiB, and the error if there is one. With a session file
/// the upload's session is written there when it begins, and one that is there already is gone on with.
@main
struct TransferClient {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3, let port = Int(words[0]) else {
            FileHandle.standardError.write(Data("usage: PORT VERB OBJECT [ARGUMENT...]\n".utf8))
            exit(2)
        }
        do {
            let storage = Storage.storage(app: StorageApp(bucket: "demo.appspot.com"))
            storage.useEmulator(withHost: "127.0.0.1", port: port)
            let transfer = Transfer(
                reference: storage.reference(withPath: words[2]),
                arguments: Array(words.dropFirst(3)))
            report(bytes: try await transfer.run(words[1]), nil)
        } catch {
            report(bytes: nil, error as NSError)
            exit(1)
        }
    }

    private static func report(bytes: Int64?, _ error: NSError?) {
        var line: [String: Any] = ["peak": peak]
        line["bytes"] = bytes
        line["code"] = error?.code
        line["message"] = error?.localizedDescription
        let text = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
        FileHandle.standardOutput.write((text ?? Data()) + Data("\n".utf8))
    }

    /// The most resident memory that this process had, in KiB.
    private static var peak: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return Int(line?.filter(\.isNumber) ?? "") ?? -1
    }
}

private struct Transfer: Sendable {
    let reference: StorageReference
    let arguments: [String]

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    /// - Returns: bytes of the object.
    func run(_ verb: String) async throws -> Int64 {
        switch verb {
        case "put-file": try await putFile()
        case "put-stream":
            try await reference.putStreamAsync(Blocks(count: size), metadata: nil).size
        case "put-memory":
            try await reference.putDataAsync(Data(repeating: 7, count: Int(size))).size
        case "get-file": try await getFile()
        case "get-memory": Int64(try await reference.data(maxSize: 4 << 30).count)
        case "get-stream": try await getStream()
        default: throw Misuse(description: "no verb: \(verb)")
        }
    }

    private var size: Int64 {
        get throws {
            guard let text = arguments.first, let size = Int64(text), size >= 0 else {
                throw Misuse(description: "a number of bytes is missing")
            }
            return size
        }
    }

    private var file: URL {
        get throws {
            guard let path = arguments.first else {
                throw Misuse(description: "a file is missing")
            }
            return URL(fileURLWithPath: path)
        }
    }

    private func putFile() async throws -> Int64 {
        let (url, sessionFile) = (try file, arguments.dropFirst().first)
        let saved = try sessionFile.map { URL(fileURLWithPath: $0) }.flatMap { file in
            FileManager.default.fileExists(atPath: file.path)
                ? try JSONDecoder().decode(
                    StorageUploadSession.self, from: Data(contentsOf: file)) : nil
        }
        return try await withCheckedThrowingContinuation { continuation in
            let done: StorageCompletion<StorageMetadata> = { metadata, error in
                if let metadata {
                    continuation.resume(returning: metadata.size)
                } else {
                    continuation.resume(
                        throwing: error ?? Misuse(description: "neither a result nor an error"))
                }
            }
            let task =
                if let saved {
                    reference.putFile(from: url, resuming: saved, completion: done)
                } else {
                    reference.putFile(from: url, completion: done)
                }
            guard let sessionFile else { return }
            task.whenSessionChanges { session in
                let text = session.flatMap { try? JSONEncoder().encode($0) }
                _ = FileManager.default.createFile(atPath: sessionFile, contents: text)
            }
        }
    }

    private func getFile() async throws -> Int64 {
        let url = try await reference.writeAsync(toFile: file)
        let found = try FileManager.default.attributesOfItem(atPath: url.path)
        return (found[.size] as? NSNumber)?.int64Value ?? -1
    }

    private func getStream() async throws -> Int64 {
        var count: Int64 = 0
        for try await piece in reference.getStream() { count += Int64(piece.count) }
        return count
    }
}

/// So many bytes, in blocks.
private struct Blocks: AsyncSequence, Sendable {
    let count: Int64

    struct Iterator: AsyncIteratorProtocol {
        var left: Int64
        let block = Data(repeating: 7, count: 262_144)

        mutating func next() async -> Data? {
            guard left > 0 else { return nil }
            let size = Swift.min(left, Int64(block.count))
            left -= size
            return block.prefix(Int(size))
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(left: count) }
}
