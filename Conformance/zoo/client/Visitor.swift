import Glibc

/// Answers the runner, and keeps to the protocol until it is time not to.
struct Visitor {
    private let habit: Habit
    private var host = Message("")
    /// What this scenario's object asks for.
    private var kind = "well"
    private var hasEnded = false

    init(_ habit: Habit) { self.habit = habit }

    mutating func heard(_ message: Message) {
        switch message.verb {
        case "hello":
            if habit.moment == .hello { Deeds.atHello(habit.kind, message.id) }
            Output.say(Self.hello(message.id))
        case "configure":
            (host, kind, hasEnded) = (message, "well", false)
            if habit.moment == .configure, message.number("run") == 2 {
                Deeds.atDownload(habit.kind, message.id)
            }
            Output.answer(message.id)
        case "download": download(message)
        case "sync":
            Output.answer(message.id)
            if hasEnded { Deeds.afterEnd(kind) }
            if hasEnded, habit.endsAfterEach { exit(0) }
        case "end":
            Deeds.atEnd(kind, message.id)
            Output.answer(message.id)
            hasEnded = true
            Deeds.beforeLastSync(kind)
        default: Output.say("{\"answer\":\(message.id),\"unsupported\":\"\(message.verb)\"}")
        }
    }

    static func hello(_ id: Int, version: Int = 1) -> String {
        "{\"answer\":\(id),\"hello\":{\"name\":\"zoo\",\"version\":\"1\",\"protocol\":\(version),"
            + "\"capabilities\":[\"download.memory\",\"limits\"]}}"
    }

    private mutating func download(_ message: Message) {
        let object = message.text("object")
        let parts = object.dropFirst("zoo/".count).split(separator: ".")
        if parts.count == 2, parts[1] == "bad" { kind = String(parts[0]) }
        Deeds.atDownload(kind, message.id)
        Output.answer(message.id)
        let content = Exchange.get(
            object, port: UInt16(host.number("port")), bucket: host.text("bucket"))
        Output.event("resume", 0, content.count)
        Output.event("progress", content.count / 2, content.count)
        Deeds.midway(kind, in: host.text("directory"))
        // A client that hangs in its transfer still answers everything else.
        if kind == "hang-midway" { return }
        Output.event("progress", content.count, content.count)
        let path = message.text("into")
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        write(file, content, content.count)
        close(file)
        Output.event("success", content.count, content.count)
        Output.say("{\"completion\":\"down\",\"content\":\"\(path)\"}")
    }
}

/// Standard output, a line at a time.
enum Output {
    static func say(_ line: String) { raw(line + "\n") }

    static func answer(_ id: Int) { say("{\"answer\":\(id)}") }

    static func event(_ name: String, _ completed: Int, _ total: Int, task: String = "down") {
        say(
            "{\"event\":\"\(name)\",\"task\":\"\(task)\",\"completed\":\(completed),"
                + "\"total\":\(total)}")
    }

    static func raw(_ text: String) { raw(Array(text.utf8)) }

    static func raw(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { exit(9) }
            rest = rest.dropFirst(count)
        }
    }
}

/// One GET over a socket of its own.
enum Exchange {
    /// The body of a small object.
    static func get(_ object: String, port: UInt16, bucket: String) -> [UInt8] {
        let path = object.split(separator: "/").joined(separator: "%2F")
        let request =
            "GET /v0/b/\(bucket)/o/\(path)?alt=media HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + "Connection: close\r\n\r\n"
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return [] }
        Output.raw(Array(request.utf8), to: descriptor)
        return body(of: readAll(descriptor))
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &block, block.count)
            guard count > 0 else { return answer }
            answer += block[..<count]
        }
    }

    private static func body(of answer: [UInt8]) -> [UInt8] {
        for index in answer.indices.dropLast(3)
        where answer[index..<(index + 4)].elementsEqual([13, 10, 13, 10]) {
            return Array(answer[(index + 4)...])
        }
        return []
    }
}
