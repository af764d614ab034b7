import ClientDriver
import EventLoop
import StorageModel

/// Shows what goes to and fro, each line with its time; confined to the loop.
final class DriveScreen: LineRecorder {
    private let loop: EventLoop
    private var errorLine: [UInt8] = []
    private var lastNote: String?

    init(_ loop: EventLoop) { self.loop = loop }

    func sent(_ line: [UInt8]) { show(">", line) }

    func received(_ line: [UInt8]) { show("<", line) }

    func receivedHalf(_ line: [UInt8]) { show("<~", line) }

    /// How a client ended, and what it is blamed for, may be the same words.
    func noted(_ text: String) {
        guard text != lastNote else { return }
        show("!", Array("the client \(text)".utf8))
        lastNote = text
    }

    /// The adapter's own log, line by line.
    func wroteErrors(_ bytes: UnsafeRawBufferPointer) {
        errorLine += bytes
        while let end = errorLine.firstIndex(of: 0x0A) {
            show("|", Array(errorLine[..<end]))
            errorLine.removeFirst(end + 1)
        }
    }

    /// What stands behind the last end of a line of the adapter's log.
    func finish() {
        if !errorLine.isEmpty { show("|", errorLine) }
        errorLine = []
    }

    /// A sentence of our own.
    func say(_ text: String) { show("#", Array(text.utf8)) }

    private func show(_ mark: String, _ line: [UInt8]) {
        lastNote = nil
        let milliseconds = loop.now.nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let time = "\(milliseconds / 1000).\(fraction)s"
        let space = String(repeating: " ", count: max(0, 10 - time.count))
        // Nothing that an adapter writes may change the terminal.
        let text = String(decoding: line.prefix(4000), as: UTF8.self).unicodeScalars
            .map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : String($0) }.joined()
        let rest = line.count > 4000 ? "... (\(line.count) bytes)" : ""
        Terminal.print("\(space)\(time) \(mark) \(text)\(rest)")
    }
}
