import Glibc

/// What a client must not do, by the names that `expected.txt` lists.
enum Deeds {
    /// Waits for the end of the world.
    static func hang() -> Never {
        while true { pause() }
    }

    /// The language's runtime would rather tell of it than die.
    static func die(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        hang()
    }

    /// A grandchild that is only to be found.
    static func linger() -> Never {
        for number in [SIGTERM, SIGHUP, SIGINT] { signal(number, SIG_IGN) }
        hang()
    }

    static func atHello(_ kind: String, _ id: Int) {
        switch kind {
        case "wrong-version":
            Output.say(Visitor.hello(id, version: 7))
            hang()
        case "hello-twice":
            let line = Visitor.hello(id) + "\n"
            Output.raw(line + line)
            hang()
        case "half-hello":
            Output.raw(String(Visitor.hello(id).prefix(20)))
            hang()
        default: atDownload(kind, id)
        }
    }

    /// At the command of the download; also at `hello` and `configure`.
    static func atDownload(_ kind: String, _ id: Int) {
        endings(kind, id)
        pipes(kind)
        words(kind, id)
        children(kind)
    }

    private static func endings(_ kind: String, _ id: Int) {
        switch kind {
        case "hang": hang()
        case "spin": while true {}
        case "stop":
            raise(SIGSTOP)
            hang()
        case "ignore-term":
            signal(SIGTERM, SIG_IGN)
            hang()
        case "exit-0": _exit(0)
        case "exit-3": _exit(3)
        default:
            let parts = kind.split(separator: "-")
            guard parts.count == 2, parts[0] == "crash", let number = Int32(parts[1]) else {
                return
            }
            die(by: number)
        }
    }

    private static func pipes(_ kind: String) {
        switch kind {
        case "close-output": close(STDOUT_FILENO)
        case "close-input": close(STDIN_FILENO)
        case "close-both":
            close(STDIN_FILENO)
            close(STDOUT_FILENO)
        case "deaf":
            // It is alive and says so, but reads nothing any more.
            while true {
                Output.raw(Array("still here\n".utf8), to: STDERR_FILENO)
                sleep(1)
            }
        case "stderr-flood":
            let line = Array((String(repeating: "x", count: 1023) + "\n").utf8)
            let block = Array(repeating: line, count: 1024).flatMap { $0 }
            for _ in 0..<4 { Output.raw(block, to: STDERR_FILENO) }
            return
        default: return
        }
        hang()
    }

    private static func words(_ kind: String, _ id: Int) {
        switch kind {
        case "garbage": Output.say("Segmentation fault (core dumped)")
        case "garbage-utf8": Output.raw([0x7B, 0xFF, 0xFE, 0x22, 0xC3, 0x28, 0x0A])
        case "garbage-zeros": Output.raw([0, 0, 0, 0x0A])
        case "empty-line": Output.say("")
        case "wrong-type": Output.say("[1,2,3]")
        case "half-line": Output.raw("{\"event\": \"res")
        case "half-line-exit":
            Output.raw("{\"event\": \"res")
            _exit(0)
        case "long-line":
            let block = [UInt8](repeating: 0x78, count: 1 << 20)
            for _ in 0..<100 { Output.raw(block) }
        case "flood":
            Output.answer(id)
            let line = "{\"event\":\"progress\",\"task\":\"down\",\"completed\":1,\"total\":9}\n"
            let block = String(repeating: line, count: 1000)
            while true { Output.raw(block) }
        case "unknown-task": Output.event("resume", 0, 9, task: "upp")
        case "unknown-message": Output.say("{\"news\":\"good\"}")
        case "two-answers":
            Output.answer(id)
            Output.answer(id)
        case "answer-to-nothing": Output.answer(9999)
        case "wrong-result": Output.say("{\"answer\":\(id),\"url\":\"http://127.0.0.1/\"}")
        case "hello-again": Output.say(Visitor.hello(1))
        default: return
        }
        hang()
    }

    /// After half of the transfer was reported.
    static func midway(_ kind: String, in directory: String) {
        switch kind {
        case "crash-midway": die(by: SIGSEGV)
        case "exit-0-midway": _exit(0)
        case "exit-3-midway": _exit(3)
        case "litter":
            // Whatever it leaves in its directory is not to stay there.
            for name in ["/a", "/a/b", "/a/b/c"] { mkdir(directory + name, 0o755) }
            close(open(directory + "/a/b/c/file", O_WRONLY | O_CREAT, 0))
            chmod(directory + "/a/b", 0)
        default: break
        }
    }

    static func atEnd(_ kind: String, _ id: Int) {
        switch kind {
        case "hang-at-end": hang()
        case "crash-at-end": die(by: SIGABRT)
        case "garbage-at-end": Output.say("Goodbye.")
        default: break
        }
    }

    /// Between the answers to `end` and to the last `sync`.
    static func beforeLastSync(_ kind: String) {
        switch kind {
        case "event-after-end": Output.event("progress", 5, 5)
        case "hang-after-end": hang()
        default: break
        }
    }

    /// Once everything was answered.
    static func afterEnd(_ kind: String) {
        switch kind {
        case "exit-after-all": _exit(0)
        case "exit-3-after-all": _exit(3)
        case "crash-after-all": die(by: SIGSEGV)
        case "event-after-all": Output.event("progress", 5, 5)
        case "garbage-after-all": Output.say("Goodbye.")
        case "hang-after-all": hang()
        default: break
        }
    }
}
