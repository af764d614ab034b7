import EventLoop
import Glibc
import StorageModel

// Uploads and downloads.
extension OneShotDriver {
    private struct Transfer {
        let work: OneShotTool.Work
        let task: String
        let isObserved: Bool
        let hasCompletion: Bool
        /// The local file.
        let path: String
        let values: [OneShotTemplate.Placeholder: String]
    }

    func upload(_ upload: ClientCommand.Upload, _ reply: @escaping (ClientReply) -> Void) {
        guard tool.commands[.upload] != nil, upload.conditions.isEmpty, upload.continues == nil
        else { return refuse("there is no such upload", reply) }
        let path: String
        switch upload.source {
        case .file(let file), .data(.file(let file)): path = file
        case .data(.source(let source)):
            guard let file = spool(source, reply) else { return }
            path = file
        case .stream: return refuse("it reads no stream", reply)
        }
        var values = places(upload.object)
        values[.file] = path
        values[.contentType] = upload.metadata?["contentType"]
        values[.metadata] = upload.metadata.flatMap { JSONLinesCodec.metadata($0).line }
        begin(
            Transfer(
                work: .upload, task: upload.task, isObserved: upload.isObserved,
                hasCompletion: upload.hasCompletion, path: path, values: values), reply)
    }

    func download(
        _ download: ClientCommand.Download, _ reply: @escaping (ClientReply) -> Void
    ) {
        guard tool.commands[.download] != nil, download.reading == nil else {
            return refuse("there is no such download", reply)
        }
        var values = places(download.object)
        let path: String
        switch download.target {
        case .file(let file): path = file
        case .memory(let maxSize, let into):
            path = into
            values[.maxSize] = String(maxSize)
        }
        values[.file] = path
        begin(
            Transfer(
                work: .download, task: download.task, isObserved: download.isObserved,
                hasCompletion: download.hasCompletion, path: path, values: values), reply)
    }

    private func begin(_ transfer: Transfer, _ reply: @escaping (ClientReply) -> Void) {
        let total = transfer.work == .upload ? Self.size(transfer.path) : nil
        withWords(
            transfer.work, transfer.values,
            refused: { [weak self] in self?.ended(transfer, $0, [], total) },
            then: { [weak self] in self?.begin(transfer, $0, total) })
        soon { reply(.result(.done)) }
    }

    private func begin(_ transfer: Transfer, _ words: [String], _ total: Int64?) {
        let label = "\(transfer.work.rawValue) \(transfer.task)"
        do throws(LinkFailure) {
            let run = try start(child(words)) { [weak self] report in
                self?.ended(transfer, report, label, total)
            }
            scenario?.transfers[transfer.task] = run
            tell(transfer, TransferEvent(kind: .resume, total: total))
        } catch {
            misbehaved(.notStarted(command: words.joined(separator: " "), problem: error.problem))
        }
    }

    private func ended(
        _ transfer: Transfer, _ report: OneShotProcess.Report, _ label: String, _ total: Int64?
    ) {
        guard let run = scenario?.transfers[transfer.task] else { return }
        if run.isCancelled {
            let error = ClientError(
                code: .cancelled, name: "\(tool.cancel?.rawValue ?? "ended")",
                message: "the tool was told to end")
            return ended(transfer, error, report.output, total)
        }
        guard case .exited(let code) = report.ending else {
            return misbehaved(Self.misbehaviour(report.ending, label))
        }
        let error = tool.error(
            exit: code, output: report.output, errorOutput: report.errorOutput)
        ended(transfer, error, report.output, total)
    }

    private func ended(
        _ transfer: Transfer, _ error: ClientError?, _ output: [UInt8], _ total: Int64?
    ) {
        let size = Self.size(transfer.path)
        let isUpload = transfer.work == .upload
        let metadata = isUpload && error == nil ? Self.metadata(output) : nil
        var event = TransferEvent(kind: error == nil ? .success : .failure, total: total)
        event.completed = error == nil ? (isUpload ? total : size) ?? 0 : 0
        if error == nil, !isUpload { event.total = size }
        event.error = error
        event.metadata = metadata
        tell(transfer, event)
        guard transfer.hasCompletion, let sink = scenario?.sink else { return }
        var completion = TaskCompletion(error: error, metadata: metadata, time: loop.now)
        if error == nil, !isUpload { completion.content = .file(path: transfer.path) }
        sink.completed(completion, task: transfer.task)
    }

    private func tell(_ transfer: Transfer, _ event: TransferEvent) {
        guard transfer.isObserved, let sink = scenario?.sink else { return }
        var event = event
        event.time = loop.now
        sink.observed(event, task: transfer.task, observer: nil)
    }

    private func spool(
        _ source: any ByteSource, _ reply: @escaping (ClientReply) -> Void
    ) -> String? {
        guard let directory = scenario?.configuration.workingDirectory else { return nil }
        spooled += 1
        let path = "\(directory)/squall-bytes-\(spooled)"
        do throws(FileSpool.Failure) {
            try FileSpool.write(source, to: path)
            return path
        } catch {
            soon { reply(.hindered("no room for its bytes: \(error)")) }
            return nil
        }
    }

    private static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    static func metadata(_ output: [UInt8]) -> [String: String]? {
        guard let value = MessageValue(parsing: output) else { return nil }
        return try? JSONLinesCodec.metadata(value, at: "output")
    }
}
