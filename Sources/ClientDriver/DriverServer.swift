package import EventLoop
import Glibc
package import StorageModel

/// The other end of `StdioDriver`: offers any driver to whoever sends lines of JSON.
///
/// Confined to the loop, and kept alive by it from `start` until the input ended.
package final class DriverServer {
    private let loop: EventLoop
    private let driver: any ClientDriver
    private let input: Int32
    private let output: Int32
    private var lines = LineBuffer(limit: 16 << 20)
    private var lineCount = 0
    private var questions: [Int: (TokenAnswer) -> Void] = [:]
    private var lastQuestion = 0
    private var onEnd: ((Int32) -> Void)?

    /// - Parameters:
    ///   - input: a pipe, a terminal or a file; it stays open.
    ///   - output: where the reports go, each a line.
    package init(
        loop: EventLoop, driver: any ClientDriver, input: Int32 = STDIN_FILENO,
        output: Int32 = STDOUT_FILENO
    ) {
        self.loop = loop
        self.driver = driver
        self.input = input
        self.output = output
    }

    /// Serves until the input ends.
    ///
    /// - Parameter onEnd: called with an exit code: 0 at the end of the input, 2 for a line that is
    ///   no command (which is told on standard error).
    package func start(onEnd: @escaping (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        self.onEnd = onEnd
        var status = stat()
        let isFile = fstat(input, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if isFile {
            // A file is always readable, and epoll refuses it.
            loop.realTimer(after: .zero) { [self] in readFile() }
        } else {
            loop.watch(input, EventLoop.readable) { [self] _ in read() }
        }
    }

    private func readFile() {
        guard onEnd != nil else { return }
        read()
        loop.realTimer(after: .zero) { [self] in readFile() }
    }

    private func read() {
        var block = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(input, &block, block.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else { return finish(0) }
        var whole: [[UInt8]] = []
        let isShort = block[..<count].withUnsafeBytes { lines.append($0) { whole.append($0) } }
        for line in whole where onEnd != nil { received(line) }
        if !isShort { refuse("a line has no end") }
    }

    private func received(_ line: [UInt8]) {
        lineCount += 1
        do throws(MessageError) {
            carryOut(try JSONLinesCodec.command(line))
        } catch {
            var error = error
            error.line = lineCount
            refuse("\(error): \(LineBuffer.quoted(line))")
        }
    }

    private func refuse(_ problem: String) {
        let text = "squall: not a command: \(problem)\n"
        _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
        finish(2)
    }

    private func finish(_ code: Int32) {
        guard let onEnd else { return }
        self.onEnd = nil
        loop.unwatch(input)
        driver.stop { onEnd(code) }
    }

    private func carryOut(_ message: CommandMessage) {
        switch message {
        case .hello(let id, _):
            driver.hello { [self] result in
                switch result {
                case .success(let hello):
                    send(.hello(id: id, hello, protocolVersion: ClientHello.protocolVersion))
                case .failure(let misbehaviour): misbehaved(misbehaviour)
                }
            }
        case .configure(let id, let configuration):
            questions = [:]
            driver.configure(configuration, sink: self) { [self] in answer(id, $0) }
        case .perform(let id, let command):
            driver.perform(command) { [self] in answer(id, $0) }
        case .sync(let id): driver.sync { [self] in answer(id, $0) }
        case .end(let id): driver.end { [self] in answer(id, $0) }
        case .token(let id, let answer): questions.removeValue(forKey: id)?(answer)
        }
    }

    private func answer(_ id: Int, _ reply: ClientReply) {
        if reply != .lost { send(.reply(id: id, reply)) }
    }

    private func send(_ message: ReportMessage) {
        var rest = Array((JSONLinesCodec.line(message) + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Nobody listens any more: the end of the input will follow.
            guard count >= 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension DriverServer: ClientSink {
    package func observed(_ event: TransferEvent, task: String, observer: String?) {
        send(.event(event, task: task, observer: observer))
    }

    package func completed(_ completion: TaskCompletion, task: String) {
        send(.completion(completion, task: task))
    }

    package func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        lastQuestion += 1
        questions[lastQuestion] = answer
        send(.question(id: lastQuestion, question))
    }

    package func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        let text = "squall: the client \(misbehaviour)\n"
        _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
        finish(5)
    }
}
