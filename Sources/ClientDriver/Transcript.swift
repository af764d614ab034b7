import Foundation
import Glibc
import StorageModel

/// Writes what a client and Squall said to each other in one scenario to a file of lines; `TranscriptFile`
/// reads it again, `Conformance/PROTOCOL.md` is its page.
///
/// Lines are kept byte by byte. Files that commands name are copied beside the transcript, as they are
/// at the moment of the command.
package final class Transcript: LineRecorder, @unchecked Sendable {
    // Invariant: after `init`, touched on the driver's loop alone.

    /// Bytes of a transcript: what comes after that is left out, and the file says so.
    private static let limit = 64 << 20
    /// Bytes of one line.
    private static let lineLimit = 1 << 20

    private let descriptor: Int32
    private let keeper: FileKeeper
    private let start = ContinuousClock.now
    private var written = 0

    /// - Parameters:
    ///   - path: of the file; it is made, or made anew. Copies of files go to the folder `PATH.files`.
    ///   - heading: lines for the beginning, such as the scenario's id.
    package init(path: String, heading: [String]) throws(FileSpool.Failure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw FileSpool.Failure(path: path, problem: String(cString: strerror(errno)))
        }
        keeper = FileKeeper(folder: path + ".files")
        for line in [TranscriptFile.title] + heading { add("# \(line)\n") }
    }

    deinit { close(descriptor) }

    package func sent(_ line: [UInt8]) {
        if let message = try? JSONLinesCodec.command(line), case .perform(_, let command) = message
        {
            for note in keeper.keep(command) { add("# \(note)\n") }
        }
        add(">", line)
    }

    package func received(_ line: [UInt8]) { add("<", line) }

    package func receivedHalf(_ line: [UInt8]) { add("<~", line) }

    package func noted(_ text: String) {
        add("!", Array("the client \(text)".utf8.map { $0 == 0x0A ? 0x20 : $0 }))
    }

    private func add(_ mark: String, _ line: [UInt8]) {
        let milliseconds = (ContinuousClock.now - start).nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let time = "\(milliseconds / 1000).\(fraction)"
        let space = String(repeating: " ", count: max(0, 9 - time.count))
        let head = Array("\(space)\(time) \(mark) ".utf8)
        add(head + line.prefix(Self.lineLimit) + [0x0A])
        if line.count > Self.lineLimit {
            add("# the line has \(line.count) bytes, of which \(Self.lineLimit) are shown\n")
        }
    }

    private func add(_ text: String) { add(Array(text.utf8)) }

    private func add(_ bytes: [UInt8]) {
        guard written <= Self.limit else { return }
        written += bytes.count
        let last = written > Self.limit ? Array("# the rest is left out\n".utf8) : bytes
        var rest = last[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
