import ClientDriver
import CloudStorage
import EventLoop
import Foundation
import StorageModel

extension ReferenceSession {
    // MARK: Uploads

    func start(_ upload: ClientCommand.Upload, _ instance: String?, _ reply: Reply) {
        guard upload.conditions.isEmpty else {
            return reply(.unsupported("uploads have no conditions"))
        }
        if let earlier = upload.continues { return goOn(with: earlier, upload, instance, reply) }
        let reference = reference(to: upload.object, instance)
        let metadata = upload.metadata.map(Self.metadata)
        let completion = upload.hasCompletion ? whenUploaded(upload.task) : nil
        let task: StorageUploadTask
        switch upload.source {
        case .data(.source(let source)):
            task = reference.putSource(source, metadata: metadata, completion: completion)
        case .data(.file(let path)):
            guard let data = FileManager.default.contents(atPath: path) else {
                return reply(.unsupported("the bytes to upload cannot be read: \(path)"))
            }
            task = Self.put(data, reference, metadata, completion)
        case .file(let path):
            let url = URL(fileURLWithPath: path)
            task =
                if let completion {
                    reference.putFile(from: url, metadata: metadata, completion: completion)
                } else {
                    reference.putFile(from: url, metadata: metadata)
                }
        case .stream(let stream):
            guard let source = Self.source(stream.bytes) else {
                return reply(.unsupported("the bytes of the stream cannot be read"))
            }
            let gaps = stream.gaps.map { GappedPieces.Gap(at: $0.at, length: $0.length) }
            let pieces = GappedPieces(source: source, gaps: gaps, loop: loop)
            task =
                if let completion {
                    reference.putStream(
                        pieces, isRepeatable: stream.rewinds, metadata: metadata,
                        completion: completion)
                } else {
                    reference.putStream(
                        pieces, isRepeatable: stream.rewinds, metadata: metadata)
                }
        }
        began(task, upload, reply)
    }

    private func began(
        _ task: StorageUploadTask, _ upload: ClientCommand.Upload, _ reply: Reply
    ) {
        let file = sessionFile(of: upload.task)
        task.whenSessionChanges { session in
            let text = session.flatMap { try? JSONEncoder().encode($0) }
            // Where it cannot be written, the upload is not continued, and that is seen.
            _ = FileManager.default.createFile(atPath: file, contents: text)
        }
        record(task, as: upload.task, isRecorded: upload.isObserved)
        reply(.result(.done))
    }

    private static func source(_ bytes: ClientCommand.GivenBytes) -> (any ByteSource)? {
        switch bytes {
        case .source(let source): source
        case .file(let path): FileSource(path: path)
        }
    }

    // MARK: Uploads that go on after the end of a process

    /// Where a later process finds the session of an upload.
    private func sessionFile(of task: String) -> String {
        configuration.workingDirectory + "/session-\(task)"
    }

    private func goOn(
        with earlier: String, _ upload: ClientCommand.Upload, _ instance: String?, _ reply: Reply
    ) {
        guard case .file(let path) = upload.source else {
            return reply(.unsupported("only uploads of files continue"))
        }
        let text = FileManager.default.contents(atPath: sessionFile(of: earlier)) ?? Data()
        let reference = reference(to: upload.object, instance)
        let url = URL(fileURLWithPath: path)
        let metadata = upload.metadata.map(Self.metadata)
        guard let session = try? JSONDecoder().decode(StorageUploadSession.self, from: text)
        else {
            // The process ended before there was a session.
            let nobody: StorageCompletion<StorageMetadata> = { _, _ in }
            let completion = upload.hasCompletion ? whenUploaded(upload.task) : nobody
            return began(
                reference.putFile(from: url, metadata: metadata, completion: completion), upload,
                reply)
        }
        let task =
            if upload.hasCompletion {
                reference.putFile(
                    from: url, metadata: metadata, resuming: session,
                    completion: whenUploaded(upload.task))
            } else {
                reference.putFile(from: url, metadata: metadata, resuming: session)
            }
        began(task, upload, reply)
    }

    private static func put(
        _ data: Data, _ reference: StorageReference, _ metadata: StorageMetadata?,
        _ completion: StorageCompletion<StorageMetadata>?
    ) -> StorageUploadTask {
        guard let completion else { return reference.putData(data, metadata: metadata) }
        return reference.putData(data, metadata: metadata, completion: completion)
    }

    private func whenUploaded(_ name: String) -> StorageCompletion<StorageMetadata> {
        { [weak self] metadata, error in
            guard let self, !hasEnded else { return }
            sink?.completed(
                TaskCompletion(
                    error: error.map(Self.clientError), metadata: metadata?.texts,
                    time: loop.now),
                task: name)
        }
    }

    // MARK: Downloads

    func start(_ download: ClientCommand.Download, _ instance: String?, _ reply: Reply) {
        guard download.reading == nil else {
            return reply(.unsupported("the library reads as fast as it can"))
        }
        let reference = reference(to: download.object, instance)
        let task: StorageDownloadTask
        switch download.target {
        case .memory(let maxSize, let path):
            task = reference.getData(
                maxSize: maxSize,
                completion: whenLoaded(download.task, download.hasCompletion, path))
        case .file(let path):
            let url = URL(fileURLWithPath: path)
            task =
                download.hasCompletion
                ? reference.write(toFile: url, completion: whenWritten(download.task))
                : reference.write(toFile: url)
        }
        record(task, as: download.task, isRecorded: download.isObserved)
        reply(.result(.done))
    }

    private func whenLoaded(
        _ name: String, _ isReported: Bool, _ path: String
    ) -> StorageCompletion<Data> {
        { [weak self] data, error in
            guard let self, !hasEnded, isReported else { return }
            var completion = TaskCompletion(
                error: error.map(Self.clientError), time: loop.now)
            if let data { completion.content = received(data, path) }
            sink?.completed(completion, task: name)
        }
    }

    private func received(_ data: Data, _ path: String) -> TaskCompletion.Received {
        guard handsOverFiles else { return .bytes(Array(data)) }
        // A file that cannot be written is missed by who looks into it.
        _ = FileManager.default.createFile(atPath: path, contents: data)
        return .file(path: path)
    }

    private func whenWritten(_ name: String) -> StorageCompletion<URL> {
        { [weak self] url, error in
            guard let self, !hasEnded else { return }
            sink?.completed(
                TaskCompletion(
                    error: error.map(Self.clientError), content: url.map { .file(path: $0.path) },
                    time: loop.now),
                task: name)
        }
    }

    // MARK: Metadata

    private static let customPrefix = "metadata."

    /// From fields by their wire names, custom ones as `metadata.KEY`.
    static func metadata(_ fields: [String: String]) -> StorageMetadata {
        StorageMetadata(dictionary: dictionary(fields))
    }

    /// Metadata that differs from what they began with by exactly these fields.
    ///
    /// Nil for a change that the library can only express with the server's metadata in hand.
    static func change(_ fields: [String: String?]) -> StorageMetadata? {
        // The library sends what differs from the beginning, so that has to be something else.
        let before = fields.mapValues { ($0 ?? "") + "\u{0}before" }
        guard fields["metadata"] == nil else { return nil }
        let metadata = StorageMetadata(dictionary: dictionary(before))
        let after = fields.compactMapValues { $0 }
        metadata.contentType = after["contentType"]
        metadata.contentLanguage = after["contentLanguage"]
        metadata.contentEncoding = after["contentEncoding"]
        metadata.contentDisposition = after["contentDisposition"]
        metadata.cacheControl = after["cacheControl"]
        metadata.customMetadata = custom(after)
        return metadata
    }

    private static func custom(_ fields: [String: String]) -> [String: String]? {
        var custom: [String: String] = [:]
        for (name, text) in fields where name.hasPrefix(customPrefix) {
            custom[String(name.dropFirst(customPrefix.count))] = text
        }
        return custom.isEmpty ? nil : custom
    }

    private static func dictionary(_ fields: [String: String]) -> [String: Any] {
        var all: [String: Any] = fields.filter { !$0.key.hasPrefix(customPrefix) }
        all["metadata"] = custom(fields)
        return all
    }
}
