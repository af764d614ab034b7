import Foundation

/// A command of the driver protocol: what stands in one line.
struct Message: @unchecked Sendable {
    // Invariant: a tree of texts, numbers, lists and mappings that nobody changes.
    let fields: [String: Any]

    init(_ fields: [String: Any]) { self.fields = fields }

    /// - Throws: an error of Foundation, or `Malformed`, for a line that is no JSON object.
    init(line: Data) throws {
        guard let fields = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
            throw Malformed()
        }
        self.init(fields)
    }

    struct Malformed: Error, CustomStringConvertible {
        var description: String { "a message is a JSON object" }
    }

    var verb: String { text("do") ?? "" }

    func has(_ key: String) -> Bool { fields[key].map { !($0 is NSNull) } ?? false }

    func text(_ key: String) -> String? { fields[key] as? String }

    func texts(_ key: String) -> [String]? { fields[key] as? [String] }

    func number(_ key: String) -> Int64? { (fields[key] as? NSNumber)?.int64Value }

    /// True unless the command says no: `recorder`, `completion`.
    func flag(_ key: String) -> Bool { fields[key] as? Bool ?? true }

    func isTrue(_ key: String) -> Bool { fields[key] as? Bool ?? false }

    func message(_ key: String) -> Message? { (fields[key] as? [String: Any]).map(Message.init) }

    func messages(_ key: String) -> [Message] {
        (fields[key] as? [[String: Any]] ?? []).map(Message.init)
    }
}

/// A command that waits for an event.
struct ArmedCommand {
    let command: Message
    let answer: StorageScenario.Answer
    let task: String
    let event: String
    private let atLeast: Int64
    private var left: Int64

    init(command: Message, moment: Message, answer: @escaping StorageScenario.Answer) {
        var fields = command.fields
        fields["on"] = nil
        self.command = Message(fields)
        self.answer = answer
        task = moment.text("task") ?? ""
        event = moment.text("event") ?? ""
        atLeast = moment.number("atLeast") ?? 0
        left = moment.number("ordinal") ?? 1
    }

    var isDue: Bool { left == 0 }

    mutating func see(_ kind: String, of name: String, _ completed: Int64) {
        if kind == event, name == task, completed >= atLeast, left > 0 { left -= 1 }
    }
}

/// Collects the replies of several commands; touched on one queue.
final class Replies: @unchecked Sendable {
    // Invariant: touched on the adapter's queue alone.
    private var replies: [[String: Any]?]
    private let whenComplete: ([[String: Any]]) -> Void

    init(count: Int, whenComplete: @escaping ([[String: Any]]) -> Void) {
        replies = [[String: Any]?](repeating: nil, count: count)
        self.whenComplete = whenComplete
    }

    func set(_ reply: [String: Any], at index: Int) {
        replies[index] = reply
        let whole = replies.compactMap { $0 }
        if whole.count == replies.count { whenComplete(whole) }
    }
}
