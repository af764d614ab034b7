/// The members that one kind of JSON object has: the codec reads by it, and the schema is made of it.
struct MessageShape: Sendable {
    struct Member: Sendable {
        let name: String
        let kind: MemberKind
        /// A member that is not may be left out or be `null`.
        let isRequired: Bool
    }

    /// Of some members at most one is there.
    struct Choice: Sendable {
        let names: [String]
        /// One of them must be there.
        let isRequired: Bool
    }

    let members: [Member]
    var choice: Choice?

    init(_ members: [Member], choice: Choice? = nil) {
        self.members = members
        self.choice = choice
    }

    func member(_ name: String) -> Member? { members.first { $0.name == name } }

    /// With members before its own.
    func adding(_ more: [Member]) -> MessageShape {
        MessageShape(more + members, choice: choice)
    }
}

extension MessageShape.Member {
    static func required(_ name: String, _ kind: MemberKind) -> Self {
        Self(name: name, kind: kind, isRequired: true)
    }

    static func optional(_ name: String, _ kind: MemberKind) -> Self {
        Self(name: name, kind: kind, isRequired: false)
    }
}

/// What a member may hold.
enum MemberKind: Sendable {
    case text
    /// A text, or `null` that means something.
    case textOrNull
    /// This text alone.
    case word(String)
    /// One of these texts.
    case name([String])
    /// A list of such texts; what one of them is called.
    case names([String], String)
    case integer(ClosedRange<Int64>)
    /// Above 0.
    case number(through: Int64)
    case flag
    case texts
    /// An object whose values are all texts.
    case fields
    /// Metadata in the wire's own shape.
    case metadata
    /// A list of `[name, value]`.
    case headers
    case object(ShapeName)
    case objects(ShapeName)
    /// A list of commands without ids.
    case commands
}

extension MemberKind {
    static let ids = MemberKind.integer(0...Int64(Int32.max))
    /// What every language can count.
    static let bytes = MemberKind.integer(0...(1 << 53))
    static let milliseconds = MemberKind.integer(0...9_000_000_000_000)
}

/// The shapes that stand inside others.
enum ShapeName: String, CaseIterable, Sendable {
    case moment
    case stream
    case gap
    case memory
    case reading
    case hello
    case error
    case page
    case fetched
    case image
    case reference
    case snapshot
    /// What `burst` and `parallel` give for each of their commands.
    case reply
}
