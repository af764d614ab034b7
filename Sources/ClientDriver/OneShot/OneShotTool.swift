package import StorageModel

/// A command-line tool that is started anew for everything it does: how its arguments are made, and
/// what its exit codes mean.
package struct OneShotTool: Hashable, Sendable {
    /// What it can be started for. The raw value is the key in a client file.
    package enum Work: String, Hashable, Sendable, CaseIterable {
        case upload
        case download
        case getMetadata = "get-metadata"
        case updateMetadata = "update-metadata"
        case delete
        case url
        /// A plain GET of a URL, without credentials.
        case fetch
        case list
        case listAll = "list-all"
    }

    /// What an exit code says.
    package enum Ending: Hashable, Sendable {
        case success
        /// Refused by an answer whose status tells which error it is.
        case status
        case error(ErrorCode, TransportFault?)
    }

    /// What ends it when a transfer is cancelled.
    package enum Interruption: String, Hashable, Sendable, CaseIterable {
        case int = "INT"
        case term = "TERM"
        case kill = "KILL"
    }

    package var name: String
    /// Prints its version, in its first line; nil: it is unknown.
    package var version: ChildCommand?
    package var commands: [Work: OneShotTemplate] = [:]
    package var environment: [String: String] = [:]
    package var folder: String?
    /// 0 is success unless something else is said.
    package var exits: [Int32: Ending] = [:]
    /// The text of its error output behind which the status of the answer stands.
    package var statusAfter: String?
    /// Nil: a transfer cannot be cancelled.
    package var cancel: Interruption?
    /// What cannot be seen from the templates, such as `checksums`.
    package var properties: Set<Capability> = []

    package init(name: String) { self.name = name }

    /// What the templates show.
    package static let shown: Set<Capability> = [
        .uploadData, .uploadFile, .downloadFile, .downloadMemory, .cancel, .metadata, .delete,
        .list, .tokens, .limits, .chunkSize, .pause, .resume, .observe, .handles, .inside, .url,
        .reference, .snapshots, .snapshotTask, .threads, .instances, .processes, .release,
    ]

    package var capabilities: Set<Capability> {
        var all = properties.subtracting(Self.shown)
        if commands[.upload] != nil { all.formUnion([.uploadData, .uploadFile]) }
        if let download = commands[.download] {
            all.insert(.downloadFile)
            if download.uses(.maxSize) { all.insert(.downloadMemory) }
        }
        if cancel != nil { all.insert(.cancel) }
        if commands[.getMetadata] != nil, commands[.updateMetadata] != nil { all.insert(.metadata) }
        if commands[.delete] != nil { all.insert(.delete) }
        if commands[.url] != nil, commands[.fetch] != nil { all.insert(.url) }
        if commands[.list] != nil, commands[.listAll] != nil { all.insert(.list) }
        let templates = commands.values
        if templates.contains(where: { $0.uses(.token) }) { all.insert(.tokens) }
        if templates.contains(where: { $0.uses(.retrySeconds) }) { all.insert(.limits) }
        if templates.contains(where: { $0.uses(.chunkSize) }) { all.insert(.chunkSize) }
        return all
    }

    /// Of an exit code, with what the tool wrote; nil: it was a success.
    func error(exit code: Int32, output: [UInt8], errorOutput: [UInt8]) -> ClientError? {
        let log = String(decoding: errorOutput, as: UTF8.self)
        let status = statusAfter.flatMap { Self.status(behind: $0, in: log) }
        var found: (code: ErrorCode, transport: TransportFault?)
        switch exits[code] ?? (code == 0 ? .success : .error(.other, nil)) {
        case .success: return nil
        case .status: found = (status.map(ErrorCode.init(ofRefusal:)) ?? .unknown, nil)
        case .error(let code, let transport): found = (code, transport)
        }
        let body = String(decoding: output.prefix(65536), as: UTF8.self)
        return ClientError(
            code: found.code, name: "exit \(code)", message: Self.lastLine(of: log),
            status: status, transport: found.transport, body: body.isEmpty ? nil : body)
    }

    /// Three digits behind the last place where the text stands.
    private static func status(behind text: String, in log: String) -> Int? {
        guard let place = log.ranges(of: text).last else { return nil }
        let digits = log[place.upperBound...].drop { $0 == " " }.prefix { $0.isWholeNumber }
        return digits.count == 3 ? Int(digits) : nil
    }

    private static func lastLine(of log: String) -> String {
        let lines = log.split(whereSeparator: \.isNewline)
        return lines.last.map { String($0.prefix(400)) } ?? ""
    }
}
