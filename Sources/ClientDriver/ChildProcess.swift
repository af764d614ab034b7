import CEpoll
package import EventLoop
import Glibc

/// A child process on a loop: bytes in, bytes out, its end, and nothing left of it afterwards.
///
/// Confined to the loop. It lives until `onEnd` was called; closures are called on the loop.
package final class ChildProcess: ClientLink {
    private let loop: EventLoop
    private let process: SpawnedProcess
    private let termGrace: Duration
    private var unwritten: [UInt8] = []
    private var isInputOpen = true
    /// The child has closed its standard input.
    private var isInputRefused = false
    /// It was sent TERM or KILL by us.
    package private(set) var isTerminated = false
    private var closesInputWhenWritten = false
    package private(set) var isOutputOpen = true
    private var isErrorOutputOpen = true
    private var killTimer: LoopTimer?
    private(set) var ending: LinkEnding?

    package var onOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    package var onErrorOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    /// The child closed its standard output, and has not ended yet.
    package var onOutputEnd: () -> Void = {}
    /// The child closed its standard input, and has not ended yet.
    package var onInputEnd: () -> Void = {}
    /// Called last, when the child was reaped and its output read.
    package var onEnd: (LinkEnding) -> Void = { _ in }

    /// - Parameters:
    ///   - termGrace: between TERM and KILL.
    ///   - owner: kept by the loop until the child has ended.
    /// - Throws: `LinkFailure` where the program cannot be started.
    package init(
        loop: EventLoop, command: ChildCommand, termGrace: Duration, owner: AnyObject
    ) throws(LinkFailure) {
        // A child that has closed its input must cost us an error code, not our life.
        signal(SIGPIPE, SIG_IGN)
        process = try SpawnedProcess(command)
        ChildGroups.add(process.pid)
        self.loop = loop
        self.termGrace = termGrace
        loop.watch(process.output, EventLoop.readable) { [self] _ in readOutput() }
        loop.watch(process.errorOutput, EventLoop.readable) { [self] _ in readErrorOutput() }
        watchInput()
        loop.watch(process.pidDescriptor, EventLoop.readable) { [self, owner] _ in
            withExtendedLifetime(owner) { ended() }
        }
    }

    package var pid: Int32? { process.pid }

    /// How long the child's main thread was ready to run and had to wait for a processor.
    package var starvation: Duration { ending == nil ? Starvation.of(process.pid) : .zero }

    package var isRunnable: Bool { ending == nil && Starvation.isRunnable(process.pid) }

    // MARK: Input

    package func write(_ bytes: some Sequence<UInt8>) {
        guard isInputOpen, !closesInputWhenWritten else { return }
        unwritten += bytes
        flush()
    }

    /// What was written before is still delivered.
    package func closeInput() {
        closesInputWhenWritten = true
        flush()
    }

    /// Without an interest: the kernel tells all the same when nobody reads any more.
    private func watchInput() {
        loop.watch(process.input, 0) { [self] _ in refuseInput() }
    }

    private func refuseInput() {
        closeInputNow()
        guard !isInputRefused else { return }
        isInputRefused = true
        onInputEnd()
    }

    private func closeInputNow() {
        guard isInputOpen else { return }
        isInputOpen = false
        unwritten.removeAll()
        loop.unwatch(process.input)
        close(process.input)
    }

    private func flush() {
        guard isInputOpen else { return }
        while !unwritten.isEmpty {
            let count = Glibc.write(process.input, unwritten, unwritten.count)
            if count >= 0 {
                unwritten.removeFirst(count)
            } else if errno == EAGAIN {
                return loop.watch(process.input, EventLoop.writable) { [self] _ in flush() }
            } else if errno != EINTR {
                return refuseInput()
            }
        }
        if closesInputWhenWritten { closeInputNow() } else { watchInput() }
    }

    // MARK: Output

    /// Reads what is there now: so that a deadline is not missed by our own lateness.
    package func readNow() {
        while isOutputOpen, cepoll_readable(process.output) > 0 { readOutput() }
    }

    /// There is output that was not read.
    package var hasOutput: Bool { isOutputOpen && cepoll_readable(process.output) > 0 }

    /// One of the pipes is closed at the child's end, and the child has not ended.
    package var isPipeClosed: Bool { ending == nil && (!isOutputOpen || isInputRefused) }

    package func readBlock() { readOutput() }

    package func readErrorOutputNow() {
        for _ in 0..<256 where isErrorOutputOpen && cepoll_readable(process.errorOutput) > 0 {
            readErrorOutput()
        }
    }

    private func readOutput() {
        guard isOutputOpen, !read(process.output, onOutput), isOutputOpen else { return }
        isOutputOpen = false
        loop.unwatch(process.output)
        onOutputEnd()
    }

    private func readErrorOutput() {
        guard isErrorOutputOpen, !read(process.errorOutput, onErrorOutput) else { return }
        isErrorOutputOpen = false
        loop.unwatch(process.errorOutput)
    }

    /// One block, so that a flood cannot hold up the loop; false at the end.
    private func read(_ descriptor: Int32, _ give: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { block in
            let count = Glibc.read(descriptor, block.baseAddress, block.count)
            if count > 0 {
                give(UnsafeRawBufferPointer(rebasing: block[..<count]))
                return true
            }
            return count < 0 && (errno == EAGAIN || errno == EINTR)
        }
    }

    // MARK: The end

    /// TERM to the child's whole group, and KILL where that does not end it.
    package func terminate() {
        guard ending == nil, killTimer == nil else { return }
        isTerminated = true
        kill(-process.pid, SIGTERM)
        killTimer = loop.realTimer(after: termGrace) { [self] in
            if ending == nil { kill(-process.pid, SIGKILL) }
        }
    }

    /// KILL without notice.
    package func killNow() {
        guard ending == nil else { return }
        isTerminated = true
        kill(-process.pid, SIGKILL)
    }

    private func ended() {
        guard ending == nil else { return }
        // The child is not reaped yet, so its group's number cannot belong to anybody else.
        kill(-process.pid, SIGKILL)
        ChildGroups.remove(process.pid)
        var status: Int32 = 0
        while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
        SpawnedProcess.endStrays(marked: process.mark)
        let signal = status & 0x7F
        ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
        loop.unwatch(process.pidDescriptor)
        if let killTimer { loop.cancel(killTimer) }
        readLastOutput()
        closeInputNow()
        for descriptor in [process.output, process.errorOutput, process.pidDescriptor] {
            loop.unwatch(descriptor)
            close(descriptor)
        }
        let last = onEnd
        (onOutput, onErrorOutput, onEnd) = ({ _ in }, { _ in }, { _ in })
        ending.map(last)
    }

    /// What the child had written before it ended, at most what the pipes hold.
    private func readLastOutput() {
        (onOutputEnd, onInputEnd) = ({}, {})
        for _ in 0..<256 where cepoll_readable(process.output) > 0 { readOutput() }
        isOutputOpen = false
        readErrorOutputNow()
        isErrorOutputOpen = false
    }

    /// For a loop that does not run any more: ends the child here and now.
    package func abandon() {
        guard ending == nil else { return }
        kill(-process.pid, SIGKILL)
        ChildGroups.remove(process.pid)
        waitpid(process.pid, nil, 0)
        SpawnedProcess.endStrays(marked: process.mark)
        ending = .signalled(SIGKILL)
        if isInputOpen { close(process.input) }
        for descriptor in [process.output, process.errorOutput, process.pidDescriptor] {
            close(descriptor)
        }
    }
}
