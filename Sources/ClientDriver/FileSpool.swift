import Glibc
package import StorageModel

/// Writes bytes to files, for clients that are handed paths.
package enum FileSpool {
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let problem: String

        package var description: String { "\(path): \(problem)" }
    }

    /// Writes the source's bytes to a new file, or over an old one.
    package static func write(_ source: any ByteSource, to path: String) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while offset < source.count {
            let filled = block.withUnsafeMutableBytes { source.copy(from: offset, into: $0) }
            guard filled > 0 else {
                throw Failure(path: path, problem: "its source ended early")
            }
            try write(block[..<filled], file, path)
            offset += Int64(filled)
        }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, _ file: Int32, _ path: String
    ) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(path: path, problem: String(cString: strerror(errno)))
    }
}

extension ClientCommand {
    /// With every `source` replaced by the file that `write` made of it.
    func mappingBytes(_ write: (any ByteSource) throws -> String) rethrows -> ClientCommand {
        func file(_ bytes: GivenBytes) throws -> GivenBytes {
            guard case .source(let source) = bytes else { return bytes }
            return .file(path: try write(source))
        }
        var command = self
        switch verb {
        case .upload(var upload):
            switch upload.source {
            case .data(let bytes): upload.source = .data(try file(bytes))
            case .file: break
            case .stream(var stream):
                stream.bytes = try file(stream.bytes)
                upload.source = .stream(stream)
            }
            command.verb = .upload(upload)
        case .burst(let commands):
            command.verb = .burst(try commands.map { try $0.mappingBytes(write) })
        case .parallel(let commands):
            command.verb = .parallel(try commands.map { try $0.mappingBytes(write) })
        case .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .getMetadata,
            .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image, .reference, .release,
            .token, .purge, .restart:
            break
        }
        return command
    }

    /// The reply does not wait for the network or for a moment.
    package var isAnsweredAtOnce: Bool {
        guard on == nil else { return false }
        switch verb {
        case .upload, .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve,
            .reference, .release, .token, .purge, .restart:
            return true
        case .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image:
            return false
        case .burst(let commands), .parallel(let commands):
            return commands.allSatisfy(\.isAnsweredAtOnce)
        }
    }

    /// As messages name it: the verb and its task.
    var label: String {
        switch verb {
        case .upload(let upload): "upload \(upload.task)"
        case .download(let download): "download \(download.task)"
        case .pause(let task, _), .resume(let task, _), .cancel(let task, _),
            .snapshot(let task), .release(let task), .purge(let task):
            "\(verb.name) \(task)"
        case .observe(let observe): "observe \(observe.task)"
        case .unobserve, .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch,
            .image, .reference, .token, .restart, .burst, .parallel:
            verb.name
        }
    }
}
