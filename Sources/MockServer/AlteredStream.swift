import FaultEngine
import StorageModel

/// Turns the bytes of a request's body into those that the backend sees.
///
/// Every place is an offset of the body as it was sent, whatever was left out or put in before it.
struct AlteredStream {
    private enum Change {
        case overwrite(Damage)
        case drop(Range<Int64>)
        /// The run comes a second time behind its end, or behind the body's end if that is earlier.
        case duplicate(Range<Int64>, copy: [UInt8])
        /// Made-up bytes before the byte at the offset.
        case insert(at: Int64, [UInt8])
    }

    /// In the order in which they began.
    private var changes: [Change] = []
    /// Bytes of the body, as it was sent, that have passed.
    private(set) var position: Int64 = 0
    /// True once a change makes the body longer or shorter.
    private(set) var changesLength = false

    /// Bytes of `insert` beyond which a scenario is surely mistaken: they are kept in memory.
    static let longestInsertion: Int64 = 16 << 20

    /// - Parameter position: body bytes that have passed before.
    init(position: Int64) { self.position = position }

    /// - Parameter start: the body offset of the first byte meant; at or behind `position`.
    mutating func add(_ corruption: Corruption, at start: Int64, seed: UInt64) {
        if let damage = Damage(corruption, at: start, seed: seed) {
            changes.append(.overwrite(damage))
            return
        }
        changesLength = true
        switch corruption {
        case .drop(let count): changes.append(.drop(start..<start + count))
        case .duplicate(let count):
            changes.append(.duplicate(start..<start + count, copy: []))
        case .insert(let count):
            let size = min(count, Self.longestInsertion)
            changes.append(
                .insert(at: start, SyntheticContent(size: size, seed: seed).allBytes))
        case .flip, .zero, .random: break
        }
    }

    /// The bytes that the backend sees of the next ones that came.
    mutating func pass(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var rest = [UInt8](bytes)
        rest.withUnsafeMutableBytes { rest in
            for case .overwrite(let damage) in changes { damage.apply(to: rest, at: position) }
        }
        var seen: [UInt8] = []
        var passed = 0
        while passed < rest.count {
            emitWhatIsDue(into: &seen, atEnd: false)
            let edge = nextEdge ?? .max
            let count = Int(min(Int64(rest.count - passed), edge - position))
            take(rest[passed..<passed + count], into: &seen)
            passed += count
            position += Int64(count)
        }
        return seen
    }

    /// What is still to come when the body has ended.
    mutating func finish() -> [UInt8] {
        var seen: [UInt8] = []
        emitWhatIsDue(into: &seen, atEnd: true)
        return seen
    }

    /// The next offset behind `position` at which something begins or ends.
    private var nextEdge: Int64? {
        let edges = changes.flatMap { change -> [Int64] in
            switch change {
            case .overwrite: []
            case .drop(let run), .duplicate(let run, _): [run.lowerBound, run.upperBound]
            case .insert(let place, _): [place]
            }
        }
        return edges.filter { $0 > position }.min()
    }

    /// Bytes between two edges: each change holds for all of them or for none.
    private mutating func take(_ bytes: ArraySlice<UInt8>, into seen: inout [UInt8]) {
        var isDropped = false
        for index in changes.indices {
            switch changes[index] {
            case .drop(let run) where run.contains(position): isDropped = true
            case .duplicate(let run, var copy) where run.contains(position):
                copy += bytes
                changes[index] = .duplicate(run, copy: copy)
            case .overwrite, .drop, .duplicate, .insert: break
            }
        }
        if !isDropped { seen += bytes }
    }

    private mutating func emitWhatIsDue(into seen: inout [UInt8], atEnd: Bool) {
        for index in changes.indices {
            switch changes[index] {
            case .insert(let place, let bytes) where place <= position:
                seen += bytes
                changes[index] = .insert(at: .max, [])
            case .duplicate(let run, let copy) where run.upperBound <= position || atEnd:
                seen += copy
                changes[index] = .duplicate(run, copy: [])
            case .overwrite, .drop, .duplicate, .insert: break
            }
        }
    }
}
