/// Why a line is no message of the protocol.
package struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Lines of the stream, from 1; 0 where the line was read by itself.
    package var line: Int
    /// The member that is wrong, such as `error.code`; nil: the line as a whole.
    package var member: String?
    package var problem: String

    package init(line: Int = 0, member: String? = nil, problem: String) {
        self.line = line
        self.member = member
        self.problem = problem
    }

    package var description: String {
        let place = line > 0 ? "line \(line): " : ""
        return place + (member.map { "'\($0)' \(problem)" } ?? problem)
    }
}

/// The members of one JSON object, read strictly: no member is unknown, none has another type.
struct MessageFields {
    let path: String
    private let members: [String: MessageValue]

    /// - Parameters:
    ///   - path: where the object stands in its message; empty for the message itself.
    ///   - known: every member that may be there.
    init(_ value: MessageValue, path: String = "", known: [String]) throws(MessageError) {
        guard case .object(let members) = value else {
            throw MessageError(
                member: path.isEmpty ? nil : path, problem: "is \(value.kind), not an object")
        }
        self.path = path
        self.members = members
        for name in members.keys.sorted() where !known.contains(name) {
            throw wrong(name, "is unknown here; known: \(known.sorted().joined(separator: ", "))")
        }
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    func at(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func wrong(_ name: String, _ problem: String) -> MessageError {
        MessageError(member: at(name), problem: problem)
    }

    func value(_ name: String) throws(MessageError) -> MessageValue {
        guard let value = members[name] else { throw wrong(name, "is missing") }
        return value
    }

    /// Absent and `null` are the same.
    func optional(_ name: String) -> MessageValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    func string(_ name: String) throws(MessageError) -> String {
        let value = try value(name)
        guard case .string(let text) = value else { throw mistyped(name, value, "a text") }
        return text
    }

    func optionalString(_ name: String) throws(MessageError) -> String? {
        optional(name) == nil ? nil : try string(name)
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(MessageError) -> Int64 {
        let value = try value(name)
        guard case .integer(let integer) = value else {
            throw mistyped(name, value, "a whole number")
        }
        guard range.contains(integer) else {
            throw wrong(
                name, "is \(integer), not within \(range.lowerBound)...\(range.upperBound)")
        }
        return integer
    }

    func optionalInteger(
        _ name: String, in range: ClosedRange<Int64>
    ) throws(MessageError) -> Int64? {
        optional(name) == nil ? nil : try integer(name, in: range)
    }

    func number(_ name: String) throws(MessageError) -> Double {
        let value = try value(name)
        switch value {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        case .null, .bool, .string, .array, .object: throw mistyped(name, value, "a number")
        }
    }

    func milliseconds(_ name: String) throws(MessageError) -> Duration {
        .nanoseconds(try integer(name, in: 0...9_000_000_000_000) * 1_000_000)
    }

    /// Absent: false.
    func flag(_ name: String) throws(MessageError) -> Bool {
        guard let value = optional(name) else { return false }
        guard case .bool(let flag) = value else { throw mistyped(name, value, "true or false") }
        return flag
    }

    func list(_ name: String) throws(MessageError) -> [MessageValue] {
        let value = try value(name)
        guard case .array(let elements) = value else { throw mistyped(name, value, "a list") }
        return elements
    }

    func strings(_ name: String) throws(MessageError) -> [String] {
        var texts: [String] = []
        for (index, element) in try list(name).enumerated() {
            guard case .string(let text) = element else {
                throw mistyped("\(name)[\(index)]", element, "a text")
            }
            texts.append(text)
        }
        return texts
    }

    /// An object whose values are all texts.
    func texts(_ name: String) throws(MessageError) -> [String: String] {
        let value = try value(name)
        guard case .object(let members) = value else { throw mistyped(name, value, "an object") }
        var texts: [String: String] = [:]
        for (key, member) in members.sorted(by: { $0.key < $1.key }) {
            guard case .string(let text) = member else {
                throw mistyped("\(name).\(key)", member, "a text")
            }
            texts[key] = text
        }
        return texts
    }

    func named<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(MessageError) -> Choice where Choice.RawValue == String {
        let text = try string(name)
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(name, "is '\(text)', not one of: \(all)")
        }
        return choice
    }

    /// The only one of these members that is there.
    func exactlyOne(of names: [String]) throws(MessageError) -> String {
        let given = names.filter(has)
        guard given.count == 1, let name = given.first else {
            let all = names.joined(separator: ", ")
            throw MessageError(
                member: path.isEmpty ? nil : path,
                problem: given.isEmpty
                    ? "needs one of: \(all)"
                    : "has more than one of: \(given.joined(separator: ", "))")
        }
        return name
    }

    private func mistyped(_ name: String, _ value: MessageValue, _ wanted: String) -> MessageError {
        wrong(name, "is \(value.kind), not \(wanted)")
    }
}
