import FaultEngine
import StorageModel

/// The names that a scenario gives, and what each of them is.
struct NameTable {
    enum Kind: Hashable {
        case upload
        case download
        case observer
        /// Of the step with this verb.
        case result(verb: String)
        /// A named step without a result.
        case step
        case fault
        case token
    }

    struct Entry {
        var kind: Kind
        var place: SourcePlace
        /// Rounds of the `repeat` that it stands in; 1 outside of any.
        var rounds: Int
    }

    /// Words of triggers, and the keys of `expect` that are no names.
    static let reserved =
        ["wire", "gate", "fault", "step", "time", "none", "skip"] + expectKeys

    static let expectKeys = Shape.expectation.keys

    private(set) var entries: [String: Entry] = [:]
    /// Every step that has a name.
    var steps: Set<String> = []
    var instances: Set<String> = []
    var processes: Set<String> = []
    /// Paths of the objects that the backend is given, as they are written.
    var objects: Set<String> = []
    /// False: no token table is given, and any token is known to a served backend.
    var hasTokens = false

    /// Takes a name in; returns the entry that already has it.
    mutating func add(_ name: String, _ entry: Entry) -> Entry? {
        if let old = entries[name], !(old.kind == .observer && entry.kind == .observer) {
            return old
        }
        entries[name] = entry
        return nil
    }

    /// The entry of a name, which may carry a round: `up#3`.
    func entry(_ text: String) -> Entry? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let entry = entries[String(name)] else { return nil }
        guard parts.count == 2 else { return entry }
        guard let round = Int(parts[1]), round >= 1, round <= entry.rounds, entry.rounds > 1 else {
            return nil
        }
        return entry
    }

    /// The entry of a task.
    func task(_ text: String) -> Entry? {
        entry(text).flatMap { $0.kind == .upload || $0.kind == .download ? $0 : nil }
    }

    /// The names of these kinds, sorted.
    func names(of kinds: [Kind]) -> [String] {
        entries.filter { kinds.contains($0.value.kind) }.map(\.key).sorted()
    }

    var taskNames: [String] { names(of: [.upload, .download]) }

    var resultNames: [String] {
        entries.filter {
            if case .result = $0.value.kind { true } else { false }
        }.map(\.key).sorted()
    }
}

/// A trigger and where it is written.
typealias PlacedTrigger = Placed<Trigger>
