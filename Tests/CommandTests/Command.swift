import Foundation
import Testing

/// The built programs, run as a user runs them.
struct Command {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String

        /// Both streams, for messages that may be on either.
        var all: String { output + errors }
    }

    /// The folder that holds the test bundle and the programs built with it.
    static let products: URL = {
        let bundle = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
        let candidates = [bundle.deletingLastPathComponent()] + environmentFolders
        return candidates.first { folder in
            FileManager.default.isExecutableFile(atPath: folder.appending(path: "squall").path)
        } ?? candidates[0]
    }()

    static let root: URL = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where `swift test` keeps its products, when the test program itself lies elsewhere.
    private static var environmentFolders: [URL] {
        let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return [link.map { URL(filePath: $0).deletingLastPathComponent() }].compactMap { $0 }
            + [".build/test/debug", ".build/debug"].map { root.appending(path: $0) }
    }

    /// Runs `squall` with arguments in a folder and waits for its end.
    static func squall(
        _ arguments: String..., in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(products.appending(path: "squall"), arguments, in: folder, environment)
    }

    /// The processes on this machine whose command line has this text in it.
    static func processes(naming mark: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { entry in
            guard Int(entry) != nil,
                let line = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline")
            else { return false }
            return String(decoding: line, as: UTF8.self).contains(mark)
        }
    }

    static func squall(arguments: [String], in folder: URL? = nil) throws -> Outcome {
        try run(products.appending(path: "squall"), arguments, in: folder)
    }

    static func run(
        _ program: URL, _ arguments: [String], in folder: URL? = nil,
        _ environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder ?? root
        process.environment = ProcessInfo.processInfo.environment
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        // Files, not pipes: whatever the length, nobody waits for a reader.
        let scratch = try Scratch()
        let output = try scratch.handle("output")
        let errors = try scratch.handle("errors")
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try scratch.text("output"),
            errors: try scratch.text("errors"))
    }
}

/// A folder of its own that is removed with it.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "squall-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    @discardableResult
    func file(_ name: String, _ content: Data) throws -> URL {
        let path = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: path)
        return path
    }

    @discardableResult
    func file(_ name: String, _ text: String) throws -> URL {
        try file(name, Data(text.utf8))
    }

    func handle(_ name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: file(name, Data()))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }
}
