import ClientDriver
import Foundation
import Glibc
import StorageModel

/// Puts what a transcript names in the place where it is now: files, port, URLs and page tokens.
struct ReplayPlaces {
    /// Where everything of the transcript's scenario was, and where it is now.
    private var old = ""
    private let new: String
    private var hosts: (old: String, new: String) = ("", "")
    private var urls: [String: String] = [:]
    private var pages: [String: String] = [:]
    private var modes: [(path: String, mode: UInt32)] = []

    /// - Parameter directory: that of the files from now on.
    init(directory: String) { new = directory }

    /// What the client is told instead; the files of the transcript lay beside its directory.
    mutating func configuration(
        _ recorded: ClientConfiguration, port: UInt16
    ) -> ClientConfiguration {
        old = (recorded.workingDirectory as NSString).deletingLastPathComponent
        hosts = ("http://\(recorded.host):\(recorded.port)/", "http://127.0.0.1:\(port)/")
        var configuration = recorded
        configuration.host = "127.0.0.1"
        configuration.port = port
        configuration.workingDirectory = path(recorded.workingDirectory)
        try? FileManager.default.createDirectory(
            atPath: configuration.workingDirectory, withIntermediateDirectories: true)
        return configuration
    }

    private func path(_ path: String) -> String {
        guard !old.isEmpty, path.hasPrefix(old + "/") else { return path }
        return new + path.dropFirst(old.count)
    }

    mutating func command(_ command: ClientCommand) -> ClientCommand {
        // Rights last, so that the files are there by then.
        for (path, mode) in modes { chmod(path, mode) }
        modes = []
        return placed(command)
    }

    private func placed(_ command: ClientCommand) -> ClientCommand {
        var command = command
        switch command.verb {
        case .upload(var upload):
            switch upload.source {
            case .data(.file(let file)): upload.source = .data(.file(path: path(file)))
            case .data(.source): break
            case .file(let file): upload.source = .file(path: path(file))
            case .stream(var stream):
                if case .file(let file) = stream.bytes { stream.bytes = .file(path: path(file)) }
                upload.source = .stream(stream)
            }
            command.verb = .upload(upload)
        case .download(var download):
            switch download.target {
            case .memory(let size, let file):
                download.target = .memory(maxSize: size, into: path(file))
            case .file(let file): download.target = .file(path: path(file))
            }
            command.verb = .download(download)
        case .fetch(let url, let file): command.verb = .fetch(url: place(url), into: path(file))
        case .image(let place, let file): command.verb = .image(place, into: path(file))
        case .reference(.url(let url)): command.verb = .reference(.url(place(url)))
        case .list(let place, let most, let token?):
            command.verb = .list(place, maxResults: most, pageToken: pages[token] ?? token)
        case .burst(let commands): command.verb = .burst(commands.map(placed))
        case .parallel(let commands): command.verb = .parallel(commands.map(placed))
        default: break
        }
        return command
    }

    private func place(_ url: String) -> String {
        if let url = urls[url] { return url }
        return url.hasPrefix(hosts.old) ? hosts.new + url.dropFirst(hosts.old.count) : url
    }

    /// Notes what the client gets now for what it got then.
    mutating func learn(_ recorded: ClientReply?, _ now: ClientReply) {
        switch (recorded, now) {
        case (.result(.url(let old)), .result(.url(let new))): urls[old] = new
        case (.result(.list(let old)), .result(.list(let new))):
            if let old = old.nextPageToken, let new = new.nextPageToken { pages[old] = new }
        default: break
        }
    }

    /// Lays out a file as it was; returns what could not be done.
    mutating func layOut(
        _ recorded: String, mode: UInt32, _ kept: TranscriptFile.KeptFile
    ) -> String? {
        let path = path(recorded)
        guard path != recorded else { return "\(recorded) is not of this scenario" }
        let files = FileManager.default
        do {
            switch kept {
            case .nothing:
                if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
                return nil
            case .folder:
                try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            case .copy(let copy):
                try files.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true)
                try Data(contentsOf: URL(fileURLWithPath: copy)).write(
                    to: URL(fileURLWithPath: path))
            case .notKept: return "\(recorded) was not kept"
            }
        } catch {
            return "\(path) cannot be laid out"
        }
        modes.append((path, mode))
        return nil
    }
}
