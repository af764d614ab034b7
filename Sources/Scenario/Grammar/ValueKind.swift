import EventMatching
import StorageModel

/// What may be written in a place of a scenario file.
indirect enum ValueKind: Sendable {
    /// Any single value but null.
    case text
    case boolean
    /// Any data.
    case data
    case null
    case integer(ClosedRange<Int>)
    /// Bytes, at least so many: 0 or 1.
    case size(atLeast: Int)
    case duration
    /// More than zero.
    case someDuration
    case rate
    case percent
    /// A decimal number that is 0 or more.
    case decimal
    /// `[a-z][a-z0-9-]*`
    case name
    case fileName
    case bucket
    case words([String])
    case numberTest(NumberTest.Unit)
    case statusTest
    /// Text with a grammar of its own.
    case inner(InnerText)
    case list(ValueKind, mayBeEmpty: Bool)
    /// A mapping whose keys are free.
    case map(ValueKind, keys: KeyForm)
    case shape(Shape)
    case any([ValueKind])

    /// What the keys of a free mapping look like.
    enum KeyForm: Sendable {
        case any
        case name
        case header
        /// An event of a task, with an ordinal or without.
        case moment
        /// `documented` is written in `expect` itself.
        case profile
    }

    /// Texts whose inside has a grammar.
    enum InnerText: String, CaseIterable, Sendable {
        case match
        case phase
        case commit
        case trigger
        case faultLine = "fault-line"
        case eventPattern = "event-pattern"
        case requestPattern = "request-pattern"
        case declaredLength = "declared-length"
        case signedSize = "signed-size"
        case suiteVersion = "suite-version"
        case repetition
        case base64
        case address
        case task = "task-name"
    }

    static func list(_ kind: ValueKind) -> ValueKind { .list(kind, mayBeEmpty: true) }

    static func some(_ kind: ValueKind) -> ValueKind { .list(kind, mayBeEmpty: false) }

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type
    ) -> ValueKind {
        .words(type.allCases.map(\.rawValue))
    }

    /// The name of a task or a result, perhaps with a round: `up#3`.
    static let task = ValueKind.inner(.task)
    static let anyNumber = ValueKind.integer(0...Int.max)
    static let positive = ValueKind.integer(1...Int.max)
    static let anySize = ValueKind.size(atLeast: 0)
    static let someSize = ValueKind.size(atLeast: 1)
    static let glob = ValueKind.text
    static let trigger = ValueKind.any([.inner(.trigger), .some(.inner(.trigger))])
    static let textTest = ValueKind.any([.text, .shape(.textTest)])
    static let textTests = ValueKind.map(.textTest, keys: .any)
    static let codes = ValueKind.choice(ErrorCode.self)
    static let eventPatterns = ValueKind.list(
        .any([.inner(.eventPattern), .shape(.eventSequence)]))
    static let requestPatterns = ValueKind.list(
        .any([.inner(.requestPattern), .shape(.requestSequence)]))
    static let content = ValueKind.shape(.content)
}
