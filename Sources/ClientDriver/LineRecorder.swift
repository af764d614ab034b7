/// Who keeps what goes over a link to a client. Called on the driver's loop.
package protocol LineRecorder: AnyObject {
    /// One line without its end.
    func sent(_ line: [UInt8])
    /// One line without its end, whatever is in it.
    func received(_ line: [UInt8])
    /// What stood behind the last end of a line when the client ended.
    func receivedHalf(_ line: [UInt8])
    func wroteErrors(_ bytes: UnsafeRawBufferPointer)
    /// What became of the client: a sentence without a subject.
    func noted(_ text: String)
}

extension LineRecorder {
    package func wroteErrors(_ bytes: UnsafeRawBufferPointer) {}
}

/// The place of a recorder in a driver; it outlives the client. Confined to the loop.
final class RecorderSeat {
    private var recorder: (any LineRecorder)?
    /// The lines with which the client began, for recorders that come later.
    private var beginning: [(isSent: Bool, line: [UInt8])] = []
    private var isBeginning = false
    private var lines = LineBuffer(limit: 0)
    private var isReadable = false

    /// From now on this one; the lines of the handshake are handed over to it first.
    func take(_ recorder: (any LineRecorder)?) {
        self.recorder = recorder
        guard let recorder else { return }
        for (isSent, line) in beginning {
            if isSent { recorder.sent(line) } else { recorder.received(line) }
        }
    }

    /// A client was started.
    ///
    /// - Parameter lineLimit: bytes of a line; what comes after a longer one is not recorded.
    func begin(lineLimit: Int) {
        beginning = []
        isBeginning = true
        isReadable = true
        lines = LineBuffer(limit: lineLimit)
    }

    func sent(_ line: [UInt8]) {
        if isBeginning { beginning.append((true, line)) }
        recorder?.sent(line)
    }

    /// What the client says, in pieces of any size.
    func read(_ bytes: UnsafeRawBufferPointer) {
        if isReadable { isReadable = lines.append(bytes) { received($0) } }
    }

    private func received(_ line: [UInt8]) {
        if isBeginning { beginning.append((false, line)) }
        isBeginning = false
        recorder?.received(line)
    }

    func wroteErrors(_ bytes: UnsafeRawBufferPointer) { recorder?.wroteErrors(bytes) }

    func noted(_ text: String) { recorder?.noted(text) }

    /// The client is gone, and with it its handshake.
    func ended(_ ending: LinkEnding) {
        beginning = []
        if !lines.unfinished.isEmpty { recorder?.receivedHalf(lines.unfinished) }
        lines = LineBuffer(limit: 0)
        switch ending {
        case .exited(let code): noted("ended with code \(code)")
        case .signalled(let signal): noted("ended by signal \(signal)")
        case .left(let what): noted(what)
        }
    }
}

extension StdioDriver {
    package func record(with recorder: (any LineRecorder)?) { recorders.take(recorder) }
}
