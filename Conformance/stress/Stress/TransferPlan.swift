import CloudStorage
import StorageModel

/// One real transfer by chance: what, where, with which faults, and what is done to it at which moments.
/// A pure function of seed and number.
struct TransferPlan: Sendable, CustomStringConvertible {
    enum Direction: String, Sendable { case upload, download }

    enum Place: String, Sendable { case memory, file }

    enum Moment: Hashable, Sendable {
        /// Inside the n-th callback, from 1.
        case inside(Int)
        /// On a caller's thread, so long after the start and so many turns of its loop later.
        case outside(caller: Int, Duration, turns: Int)
    }

    struct Action: Hashable, Sendable {
        var call: TaskCall
        var moment: Moment
    }

    /// Bytes that the server keeps uploads in units of.
    static let unit: Int64 = 65_536

    let number: Int
    let direction: Direction
    let place: Place
    let size: Int64
    let contentSeed: UInt64
    let chunkSize: Int64
    /// A download into a file finds another there.
    let hasOldFile: Bool
    let faults: [TransferFault]
    let actions: [Action]

    var path: String { "t/\(number)" }

    var content: SyntheticContent { SyntheticContent(size: size, seed: contentSeed) }

    var oldContent: SyntheticContent { SyntheticContent(size: 100, seed: contentSeed &+ 1) }

    init(_ number: Int, seed: UInt64, isVirtual: Bool) {
        var random = SplitMix64(seed: SplitMix64.derive(seed, "transfer \(number)"))
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        self.number = number
        direction = pick([.upload, .download])
        place = pick([.memory, .file])
        let unit = Self.unit
        let edges: [Int64] = [
            0, 1, unit - 1, unit, unit + 1, 2 * unit - 1, 2 * unit, 2 * unit + 1, 3 * unit,
            3 * unit + 1, 4 * unit - 1, 4 * unit,
        ]
        size =
            Bool.random(using: &random) ? pick(edges) : .random(in: 0...(5 * unit), using: &random)
        contentSeed = random.next()
        chunkSize = pick([1, unit, unit, 2 * unit, 8 << 20])
        hasOldFile = Bool.random(using: &random)
        let path = "t/\(number)"
        let faultCount = pick([0, 0, 0, 1, 1, 1, 2, 2, 3])
        let direction = direction
        faults = (0..<faultCount).map { _ in
            TransferFault.random(direction, path: path, isVirtual: isVirtual, &random)
        }
        actions = Self.actions(isVirtual: isVirtual, &random)
    }

    private static func actions(isVirtual: Bool, _ random: inout SplitMix64) -> [Action] {
        let cancels = Int.random(in: 0..<10, using: &random) < 3
        let count = Int.random(in: 0..<8, using: &random)
        var actions = (0..<count).map { _ in
            Action(call: call(&random), moment: moment(isVirtual, &random))
        }
        if cancels { actions.append(Action(call: .cancel, moment: moment(isVirtual, &random))) }
        return actions
    }

    private static func call(_ random: inout SplitMix64) -> TaskCall {
        let status = StorageTaskStatus.allCases.randomElement(using: &random) ?? .progress
        return switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: .pause
        case 4..<8: .resume
        case 8: .look
        default: .observe(status)
        }
    }

    private static func moment(_ isVirtual: Bool, _ random: inout SplitMix64) -> Moment {
        let caller = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .inside(Int.random(in: 1...8, using: &random))
        case 1:
            return .outside(
                caller: caller, .zero,
                turns: Int.random(in: 0...(isVirtual ? 60 : 400), using: &random))
        default:
            // Waits between tries, stalls and idle timeouts last seconds in virtual time.
            let longest = isVirtual ? 20_000_000 : 12_000
            let microseconds = Int.random(in: 0...longest, using: &random)
            return .outside(caller: caller, .microseconds(microseconds), turns: 0)
        }
    }

    /// Whether a cancel is among the actions; whether it comes in time is another matter.
    var description: String {
        let acts = actions.map { "\($0.call) \($0.moment)" }.joined(separator: "; ")
        let faults = faults.map(\.text).joined(separator: " | ")
        return "\(direction) \(path) \(place) of \(size) bytes, chunks of \(chunkSize), "
            + "faults [\(faults)], actions [\(acts)]"
    }
}
