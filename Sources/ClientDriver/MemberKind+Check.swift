extension MemberKind {
    /// - Throws: for a value of another type, or out of range. What is inside an object of a shape of
    ///   its own is not looked at.
    func check(_ value: MessageValue, at path: String) throws(MessageError) {
        func mistyped(_ wanted: String) -> MessageError {
            MessageError(member: path, problem: "is \(value.kind), not \(wanted)")
        }
        switch (self, value) {
        case (.text, .string), (.textOrNull, .string), (.textOrNull, .null), (.flag, .bool): return
        case (.text, _), (.textOrNull, _): throw mistyped("a text")
        case (.flag, _): throw mistyped("true or false")
        case (.word(let word), .string(let text)):
            guard text == word else {
                throw MessageError(member: path, problem: "is '\(text)', not '\(word)'")
            }
        case (.name(let names), .string(let text)):
            guard names.contains(text) else {
                let all = names.joined(separator: ", ")
                throw MessageError(member: path, problem: "is '\(text)', not one of: \(all)")
            }
        case (.word, _), (.name, _): throw mistyped("a text")
        case (.integer(let range), .integer(let integer)):
            guard range.contains(integer) else {
                throw MessageError(member: path, problem: Self.outside(integer, range))
            }
        case (.integer, _): throw mistyped("a whole number")
        case (.number(let limit), .integer(let integer)):
            try Self.check(Double(integer), limit, at: path)
        case (.number(let limit), .number(let number)): try Self.check(number, limit, at: path)
        case (.number, _): throw mistyped("a number")
        case (_, .array(let elements)): try check(elements, of: value, at: path)
        case (_, .object(let members)): try check(members, of: value, at: path)
        default: throw mistyped(isList ? "a list" : "an object")
        }
    }

    private var isList: Bool {
        switch self {
        case .names, .texts, .headers, .objects, .commands: true
        case .text, .textOrNull, .word, .name, .integer, .number, .flag, .fields, .metadata,
            .object:
            false
        }
    }

    private static func outside(_ integer: Int64, _ range: ClosedRange<Int64>) -> String {
        range.lowerBound == range.upperBound
            ? "is \(integer), not \(range.lowerBound)"
            : "is \(integer), not within \(range.lowerBound)...\(range.upperBound)"
    }

    private static func check(
        _ number: Double, _ limit: Int64, at path: String
    ) throws(MessageError) {
        guard number > 0, number <= Double(limit) else {
            throw MessageError(
                member: path, problem: "is \(number), not above 0 and at most \(limit)")
        }
    }

    private func check(
        _ elements: [MessageValue], of value: MessageValue, at path: String
    ) throws(MessageError) {
        for (index, element) in elements.enumerated() {
            switch self {
            case .texts: try MemberKind.text.check(element, at: "\(path)[\(index)]")
            case .names(let known, let what):
                try MemberKind.text.check(element, at: "\(path)[\(index)]")
                if case .string(let name) = element, !known.contains(name) {
                    throw MessageError(
                        member: path, problem: "has '\(name)', which is no \(what)")
                }
            case .headers:
                guard case .array(let two) = element, two.count == 2, case .string = two[0],
                    case .string = two[1]
                else {
                    throw MessageError(
                        member: "\(path)[\(index)]", problem: "is not [name, value]")
                }
            case .objects, .commands: break
            case .text, .textOrNull, .word, .name, .integer, .number, .flag, .fields, .metadata,
                .object:
                break
            }
        }
        guard isList else {
            throw MessageError(member: path, problem: "is \(value.kind), not an object")
        }
    }

    private func check(
        _ members: [String: MessageValue], of value: MessageValue, at path: String
    ) throws(MessageError) {
        guard !isList else {
            throw MessageError(member: path, problem: "is \(value.kind), not a list")
        }
        guard case .fields = self else { return }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            try MemberKind.text.check(member, at: "\(path).\(name)")
        }
    }
}
