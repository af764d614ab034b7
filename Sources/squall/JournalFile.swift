import Foundation
import MockServer
import StorageModel

/// Writes the journal as JSON lines: the first line names the format, then one line an exchange.
///
/// Lines are written when an exchange is over, so that the file is whole whenever it is read.
final class JournalFile {
    private let path: String
    private let handle: FileHandle
    private var isBroken = false

    /// - Throws: `UsageError` where the file cannot be written.
    init(path: String) throws(UsageError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            throw UsageError("cannot write \(path)")
        }
        self.path = path
        self.handle = handle
        write(JournalLine.opening(tool: "squall \(Version.tool)"))
    }

    func write(_ record: ExchangeRecord) { write(JournalLine.value(of: record)) }

    /// Ordinals and times begin anew behind another opening line.
    func beginAnew() { write(JournalLine.opening(tool: "squall \(Version.tool)")) }

    /// The first failure is told, and ends the file: a later line would hide the hole.
    private func write(_ line: JSONValue) {
        guard !isBroken else { return }
        do {
            try handle.write(contentsOf: Data((line.text + "\n").utf8))
        } catch {
            isBroken = true
            Terminal.error("squall: the journal \(path) ends here, it cannot be written: \(error)")
        }
    }
}
