import ClientDriver
import EventLoop
import Foundation
import StorageModel
import TestSupport

/// A client in Python that misbehaves in the way that its argument names.
enum Zoo {
    static let script = """
        import json, os, signal, sys, time

        kind = sys.argv[1]

        def say(**message):
            sys.stdout.write(json.dumps(message) + "\\n")
            sys.stdout.flush()

        def raw(text):
            sys.stdout.write(text)
            sys.stdout.flush()

        def hang():
            while True:
                time.sleep(60)

        def hello(id):
            say(answer=id, hello={"name": "zoo", "version": "1", "protocol": 1,
                                  "capabilities": ["upload.data"]})

        def stray():
            # A grandchild in a session of its own, with our standard output in its hands.
            if os.fork() == 0:
                os.setsid()
                hang()

        if kind == "ignore-term":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if kind == "exit-at-once":
            sys.exit(0)
        ended = False
        for line in sys.stdin:
            message = json.loads(line)
            verb = message.get("do")
            id = message.get("id")
            if verb == "hello":
                if kind == "hang-at-hello":
                    hang()
                if kind == "wrong-version":
                    say(answer=id, hello={"name": "zoo", "version": "1", "protocol": 7,
                                          "capabilities": []})
                    continue
                hello(id)
                if kind == "fork":
                    stray()
            elif verb == "configure":
                if kind == "hang-at-configure":
                    hang()
                ended = False
                say(answer=id)
                sys.stderr.write("configured\\n")
                sys.stderr.flush()
            elif verb == "upload":
                if kind in ("hang", "ignore-term", "fork"):
                    hang()
                elif kind == "crash":
                    os.kill(os.getpid(), signal.SIGSEGV)
                elif kind == "exit-0":
                    os._exit(0)
                elif kind == "exit-3":
                    os._exit(3)
                elif kind == "garbage":
                    raw("Segmentation fault (core dumped)\\n")
                    hang()
                elif kind == "half-line":
                    raw('{"event": "res')
                    hang()
                elif kind == "half-line-exit":
                    raw('{"event": "res')
                    os._exit(0)
                elif kind == "long-line":
                    block = "x" * (1 << 20)
                    for _ in range(100):
                        raw(block)
                    hang()
                elif kind == "flood":
                    while True:
                        say(event="progress", task="up", completed=1, total=9)
                elif kind == "unknown-task":
                    say(event="resume", task="upp", completed=0)
                    hang()
                elif kind == "unknown-message":
                    say(news="good")
                    hang()
                elif kind == "two-answers":
                    say(answer=id)
                    say(answer=id)
                    hang()
                elif kind == "wrong-result":
                    say(answer=id, url="http://127.0.0.1/")
                    hang()
                elif kind == "close-output":
                    os.close(1)
                    hang()
                elif kind == "close-input":
                    os.close(0)
                    hang()
                elif kind == "bad-code":
                    say(event="failure", task="up", completed=0,
                        error={"code": "oops", "name": "n", "message": "m"})
                    hang()
                else:
                    say(answer=id)
                    say(event="resume", task="up", completed=0, total=5)
                    say(event="success", task="up", completed=5, total=5)
                    say(completion="up", metadata={"size": "5", "metadata": {"a": "b"}})
            elif verb == "sync":
                say(answer=id)
                if ended and kind == "exit-3-after-all":
                    os._exit(3)
                elif ended and kind == "crash-after-all":
                    os.kill(os.getpid(), signal.SIGSEGV)
                elif ended and kind == "event-after-all":
                    say(event="progress", task="up", completed=5, total=5)
            elif verb == "end":
                if kind == "hang-at-end":
                    hang()
                say(answer=id)
                ended = True
                if kind == "event-after-end":
                    say(event="progress", task="up", completed=5, total=5)
                if kind == "exit-after-end":
                    sys.exit(0)
        if kind == "exit-4-after-all":
            sys.exit(4)
        """

    /// The interpreter, not a wrapper that looks for it.
    static let python =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
        ? "/usr/bin/python3" : "python3"

    /// How often each of them is tried: `SQUALL_REPEAT`, or 3.
    static let rounds =
        ProcessInfo.processInfo.environment["SQUALL_REPEAT"].flatMap(Int.init) ?? 3

    /// Processes, zombies left out, that have this entry in their environment.
    static func processes(with entry: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { name in
            guard Int(name) != nil, name != String(ProcessInfo.processInfo.processIdentifier),
                let text = FileManager.default.contents(atPath: "/proc/\(name)/environ")
            else { return false }
            return text.split(separator: 0).contains { $0.elementsEqual(entry.utf8) }
        }
    }
}

/// A scenario's worth of conversation with a child, as lines of text.
final class ZooSink: ClientSink {
    private(set) var seen: [String] = []
    private(set) var blamed: ClientMisbehaviour?
    var tokenAnswer = TokenAnswer.none

    func observed(_ event: TransferEvent, task: String, observer: String?) {
        seen.append("\(observer ?? task) \(event.kind) \(event.completed)")
    }

    func completed(_ completion: TaskCompletion, task: String) {
        let fields = (completion.metadata ?? [:]).sorted { $0.key < $1.key }
        let texts = fields.map { "\($0.key)=\($0.value)" }
        seen.append("\(task) completion \(texts.joined(separator: " "))")
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        seen.append("token?")
        answer(tokenAnswer)
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        seen.append("misbehaved")
        blamed = misbehaviour
    }
}

extension ClientDriver {
    func hello() async -> Result<ClientHello, ClientMisbehaviour> {
        await withCheckedContinuation { done in hello { done.resume(returning: $0) } }
    }

    func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink
    ) async -> ClientReply {
        await withCheckedContinuation { done in
            configure(configuration, sink: sink) { done.resume(returning: $0) }
        }
    }

    func perform(_ command: ClientCommand) async -> ClientReply {
        await withCheckedContinuation { done in perform(command) { done.resume(returning: $0) } }
    }

    func sync() async -> ClientReply {
        await withCheckedContinuation { done in sync { done.resume(returning: $0) } }
    }

    func end() async -> ClientReply {
        await withCheckedContinuation { done in end { done.resume(returning: $0) } }
    }

    func stop() async {
        await withCheckedContinuation { done in stop { done.resume() } }
    }
}
