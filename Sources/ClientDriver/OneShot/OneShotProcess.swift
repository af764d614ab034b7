import EventLoop
import Glibc
import StorageModel

/// One start of a tool: what it wrote, and how it ended.
final class OneShotProcess {
    /// Bytes kept of its output.
    static let outputLimit = 4 << 20

    struct Report {
        let ending: LinkEnding
        let output: [UInt8]
        let errorOutput: [UInt8]
    }

    private let child: ChildProcess
    private var output: [UInt8] = []
    private var errorOutput: [UInt8] = []
    /// It was ended by us.
    private(set) var isCancelled = false

    /// - Parameters:
    ///   - log: hears of every piece of its error output.
    ///   - done: called once, on the loop, when nothing of it is left.
    /// - Throws: `LinkFailure` where the program cannot be started.
    init(
        loop: EventLoop, _ command: ChildCommand, termGrace: Duration, owner: AnyObject,
        log: @escaping (UnsafeRawBufferPointer) -> Void, done: @escaping (Report) -> Void
    ) throws(LinkFailure) {
        child = try ChildProcess(
            loop: loop, command: command, termGrace: termGrace, owner: owner)
        child.closeInput()
        child.onOutput = { [weak self] bytes in
            guard let self, output.count < Self.outputLimit else { return }
            output += bytes
        }
        child.onErrorOutput = { [weak self] bytes in
            log(bytes)
            guard let self, errorOutput.count < Self.outputLimit else { return }
            errorOutput += bytes
        }
        // The child keeps this object: it lives as long as the process does.
        child.onEnd = { [self] ending in
            done(Report(ending: ending, output: output, errorOutput: errorOutput))
        }
    }

    func cancel(_ how: OneShotTool.Interruption) {
        isCancelled = true
        switch how {
        case .int: if let pid = child.pid { kill(-pid, SIGINT) }
        case .term: child.terminate()
        case .kill: child.killNow()
        }
    }

    func end() {
        isCancelled = true
        child.terminate()
    }
}
