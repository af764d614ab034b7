import Foundation

@testable import ClientDriver

/// The examples of `Conformance/PROTOCOL.md`: lines that Squall sends (`>`) and receives (`<`).
enum ProtocolPage {
    static let text: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appendingPathComponent("Conformance/PROTOCOL.md").path
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }()

    static func lines(_ mark: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("\(mark) {") }
            .map { String($0.dropFirst(2)) }
    }

    /// Every member that has an example, as `shape.member`.
    static func membersShown() -> Set<String> {
        var seen: Set<String> = []
        for line in lines(">") {
            guard let value = MessageValue(parsing: Array(line.utf8)),
                case .object(let members) = value
            else { continue }
            if case .string(let verb)? = members["do"] {
                if let verb = ClientCommand.VerbName(rawValue: verb) {
                    cover(value, MessageShape(verb), verb.rawValue, &seen)
                } else {
                    cover(value, verb == "configure" ? .configure : .hello, verb, &seen)
                }
            } else {
                cover(value, members["error"] == nil ? .tokenGiven : .tokenFailed, "token?", &seen)
            }
        }
        for line in lines("<") {
            guard let value = MessageValue(parsing: Array(line.utf8)),
                case .object(let members) = value
            else { continue }
            if members["event"] != nil { cover(value, .event, "event", &seen) }
            if members["completion"] != nil { cover(value, .completion, "completion", &seen) }
            if members["ask"] != nil { cover(value, .question, "question", &seen) }
            if members["hello"] != nil { cover(value, .answerToHello, "answer", &seen) }
            if members["answer"] != nil, members["hello"] == nil {
                cover(value, .answer, "reply", &seen)
            }
        }
        return seen
    }

    /// Every member that there is, named in the same way.
    static func membersKnown() -> Set<String> {
        var all: Set<String> = []
        func add(_ name: String, _ shape: MessageShape) {
            for member in shape.members { all.insert("\(name).\(member.name)") }
        }
        for verb in ClientCommand.VerbName.allCases {
            add(verb.rawValue, MessageShape(verb))
            // What every verb can have needs one example.
            all.subtract(["\(verb.rawValue).on", "\(verb.rawValue).instance"])
        }
        all.formUnion(["any.on", "any.instance"])
        add("configure", .configure)
        add("hello", .hello)
        add("sync", .sync)
        add("end", .end)
        add("token?", .tokenGiven)
        add("token?", .tokenFailed)
        add("event", .event)
        add("completion", .completion)
        add("question", .question)
        add("answer", .answerToHello)
        add("reply", .answer)
        for name in ShapeName.allCases { add(name.rawValue, .shape(name)) }
        return all
    }

    private static func cover(
        _ value: MessageValue, _ shape: MessageShape, _ name: String, _ seen: inout Set<String>
    ) {
        guard case .object(let members) = value else { return }
        for (member, inside) in members {
            seen.insert("\(name).\(member)")
            if member == "on" || member == "instance" { seen.insert("any.\(member)") }
            switch (shape.member(member)?.kind, inside) {
            case (.object(let name)?, _): cover(inside, .shape(name), name.rawValue, &seen)
            case (.objects(let name)?, .array(let elements)):
                for element in elements { cover(element, .shape(name), name.rawValue, &seen) }
            default: break
            }
        }
    }
}
