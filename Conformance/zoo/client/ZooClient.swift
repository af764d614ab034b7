import Glibc

/// A client that downloads, and that misbehaves where the name of the object says so: `zoo/hang.bad`.
///
/// `squall-zoo-client [TOKEN]` is driven as `PROTOCOL.md` says. With `at-hello KIND NUMBER FILE` the
/// process that adds the NUMBER-th byte to FILE misbehaves when it is asked who it is; each ends after
/// its scenario. With `at-configure KIND` it does so at the second scenario.
@main
enum ZooClient {
    static func main() {
        // A crash is wanted here, and nobody wants its core.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(4), &none)
        let words = CommandLine.arguments.dropFirst()
        if words.first == "linger" { Deeds.linger() }
        var visitor = Visitor(Habit(Array(words)))
        while let line = readLine() { visitor.heard(Message(line)) }
        // A client ends when its input does.
        exit(0)
    }
}

/// Which process misbehaves when, apart from what objects say.
struct Habit {
    enum Moment {
        case hello
        case configure
    }

    private(set) var moment: Moment?
    private(set) var kind = "well"
    /// It ends after each scenario, so that each has a process of its own.
    private(set) var endsAfterEach = false

    init(_ words: [String]) {
        guard words.count >= 2 else { return }
        switch words[0] {
        case "at-configure": (moment, kind) = (.configure, words[1])
        case "at-hello" where words.count >= 4:
            endsAfterEach = true
            let file = open(words[3], O_WRONLY | O_CREAT | O_APPEND, 0o644)
            write(file, ".", 1)
            guard lseek(file, 0, SEEK_END) == Int(words[2]) else { return }
            (moment, kind) = (.hello, words[1])
        default: break
        }
    }
}

/// A line from Squall, as far as this client looks into it.
struct Message {
    private let line: String

    init(_ line: String) { self.line = line }

    var verb: String { text("do") }
    var id: Int { number("id") }

    /// A member that is a number, or 0.
    func number(_ name: String) -> Int { Int(after(name).prefix { $0.isNumber }) ?? 0 }

    /// A member that is a text without anything to escape but slashes, or "".
    func text(_ name: String) -> String {
        var text = ""
        for character in after(name).dropFirst() where character != "\\" {
            if character == "\"" { break }
            text.append(character)
        }
        return text
    }

    private func after(_ name: String) -> Substring {
        let mark = Array("\"\(name)\":".utf8)
        let bytes = Array(line.utf8)
        guard bytes.count >= mark.count else { return "" }
        for start in 0...(bytes.count - mark.count)
        where bytes[start..<(start + mark.count)].elementsEqual(mark) {
            return Substring(decoding: bytes[(start + mark.count)...], as: UTF8.self)
        }
        return ""
    }
}
