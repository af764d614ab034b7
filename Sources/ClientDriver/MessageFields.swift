/// The members of one JSON object, read strictly by its shape: no member is unknown or missing, none
/// has another type or is out of range. Objects inside are looked at when they are read.
struct MessageFields {
    let path: String
    private let shape: MessageShape
    private let members: [String: MessageValue]

    /// - Parameter path: where the object stands in its message; empty for the message itself.
    init(
        _ value: MessageValue, path: String = "", _ shape: MessageShape
    ) throws(MessageError) {
        guard case .object(let members) = value else {
            throw MessageError(
                member: path.isEmpty ? nil : path, problem: "is \(value.kind), not an object")
        }
        self.path = path
        self.shape = shape
        self.members = members
        try checkNames()
        for member in shape.members {
            guard let value = members[member.name] else {
                if member.isRequired { throw wrong(member.name, "is missing") }
                continue
            }
            if value == .null, !member.isRequired { continue }
            try member.kind.check(value, at: at(member.name))
        }
        if let choice = shape.choice { try check(choice) }
    }

    private func checkNames() throws(MessageError) {
        for name in members.keys.sorted() where shape.member(name) == nil {
            let known = shape.members.map(\.name).sorted().joined(separator: ", ")
            throw wrong(name, "is unknown here; known: \(known)")
        }
    }

    private func check(_ choice: MessageShape.Choice) throws(MessageError) {
        let given = choice.names.filter(has)
        guard given.count > 1 || given.isEmpty && choice.isRequired else { return }
        throw MessageError(
            member: path.isEmpty ? nil : path,
            problem: given.isEmpty
                ? "needs one of: \(choice.names.joined(separator: ", "))"
                : "has more than one of: \(given.joined(separator: ", "))")
    }

    func at(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func wrong(_ name: String, _ problem: String) -> MessageError {
        MessageError(member: at(name), problem: problem)
    }

    // MARK: Reading

    /// Whether it is there and not `null`.
    func has(_ name: String) -> Bool { optional(name) != nil }

    /// Absent and `null` are the same.
    func optional(_ name: String) -> MessageValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    /// The one of the shape's choice that is there.
    var chosen: String? { shape.choice?.names.first(where: has) }

    func value(_ name: String) throws(MessageError) -> MessageValue {
        guard let value = members[name] else { throw wrong(name, "is missing") }
        return value
    }

    func string(_ name: String) throws(MessageError) -> String {
        guard case .string(let text) = try value(name) else { throw wrong(name, "is no text") }
        return text
    }

    func optionalString(_ name: String) throws(MessageError) -> String? {
        has(name) ? try string(name) : nil
    }

    func integer(_ name: String) throws(MessageError) -> Int64 {
        guard case .integer(let integer) = try value(name) else {
            throw wrong(name, "is no whole number")
        }
        return integer
    }

    func optionalInteger(_ name: String) throws(MessageError) -> Int64? {
        has(name) ? try integer(name) : nil
    }

    func number(_ name: String) throws(MessageError) -> Double {
        switch try value(name) {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        case .null, .bool, .string, .array, .object: throw wrong(name, "is no number")
        }
    }

    func milliseconds(_ name: String) throws(MessageError) -> Duration {
        .milliseconds(try integer(name))
    }

    /// - Parameter absent: what a flag that is not there says.
    func flag(_ name: String, absent: Bool = false) throws(MessageError) -> Bool {
        guard let value = optional(name) else { return absent }
        return value == .bool(true)
    }

    /// Absent: none.
    func list(_ name: String) throws(MessageError) -> [MessageValue] {
        guard case .array(let elements)? = optional(name) else { return [] }
        return elements
    }

    func strings(_ name: String) throws(MessageError) -> [String] {
        try list(name).compactMap { element in
            if case .string(let text) = element { text } else { nil }
        }
    }

    /// An object whose values are all texts; absent: empty.
    func texts(_ name: String) throws(MessageError) -> [String: String] {
        guard case .object(let members)? = optional(name) else { return [:] }
        return members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }

    func named<Choice: RawRepresentable>(
        _ name: String, _ type: Choice.Type
    ) throws(MessageError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try string(name)) else {
            throw wrong(name, "is not known")
        }
        return choice
    }

    /// The object inside, read by its own shape.
    func object(_ name: String, _ shape: ShapeName) throws(MessageError) -> MessageFields {
        try MessageFields(value(name), path: at(name), .shape(shape))
    }

    func optionalObject(
        _ name: String, _ shape: ShapeName
    ) throws(MessageError) -> MessageFields? {
        has(name) ? try object(name, shape) : nil
    }

    /// The objects of a list, each read by its own shape.
    func objects(_ name: String, _ shape: ShapeName) throws(MessageError) -> [MessageFields] {
        var all: [MessageFields] = []
        for (index, value) in try list(name).enumerated() {
            all.append(
                try MessageFields(value, path: "\(at(name))[\(index)]", .shape(shape)))
        }
        return all
    }
}
