import EventLoop
import Foundation
import MockServer
import StorageModel

/// Writes the journal as JSON lines: the first line names the format, then one line an exchange.
///
/// Lines are written whole when the loop has done what was to be done: one system call for all
/// exchanges that ended in one turn.
final class JournalFile: LoopComponent, @unchecked Sendable {
    // Invariant: confined to the loop once that runs.
    private let path: String
    private let scenario: String
    private let handle: FileHandle
    private var pending: [UInt8] = []
    private var isBroken = false
    /// More than so many bytes do not wait for the end of a turn.
    private static let pendingLimit = 1 << 16

    /// - Throws: `UsageError` where the file cannot be written.
    ///
    /// - Parameter scenario: what is served, as a scenario.
    init(path: String, scenario: String) throws(UsageError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            throw UsageError("cannot write \(path)")
        }
        self.path = path
        self.scenario = scenario
        self.handle = handle
        beginAnew()
    }

    func write(_ record: ExchangeRecord) {
        guard !isBroken else { return }
        JournalLine.append(record, to: &pending)
        if pending.count >= Self.pendingLimit { flush() }
    }

    /// Ordinals and times begin anew behind another opening line.
    func beginAnew() {
        guard !isBroken else { return }
        let opening = JournalLine.opening(tool: "squall \(Version.tool)", scenario: scenario)
        pending += (opening.text + "\n").utf8
        flush()
    }

    /// The first failure is told, and ends the file: a later line would hide the hole.
    func flush() {
        guard !pending.isEmpty else { return }
        do {
            try handle.write(contentsOf: pending)
        } catch {
            isBroken = true
            Terminal.error("squall: the journal \(path) ends here, it cannot be written: \(error)")
        }
        pending.removeAll(keepingCapacity: true)
    }

    func runOnce() -> Int64? {
        flush()
        return nil
    }
}
