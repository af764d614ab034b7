import FaultEngine
import StorageModel

/// A run of bytes to be falsified.
struct Damage: Equatable {
    enum Kind: Equatable {
        case flip
        case zero
        case random(seed: UInt64)
    }

    let kind: Kind
    /// Offset in the body of the first byte meant.
    let start: Int64
    let count: Int64

    /// Nil for the corruptions that change the body's length.
    init?(_ corruption: Corruption, at start: Int64, seed: UInt64) {
        self.start = start
        switch corruption {
        case .flip(let count): (kind, self.count) = (.flip, count)
        case .zero(let count): (kind, self.count) = (.zero, count)
        case .random(let count): (kind, self.count) = (.random(seed: seed), count)
        case .drop, .duplicate, .insert: return nil
        }
    }

    /// Falsifies those of the bytes that are meant.
    ///
    /// - Parameter offset: the place in the body of the buffer's first byte.
    func apply(to buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
        let first = max(start, offset)
        let last = min(start + count, offset + Int64(buffer.count))
        guard first < last else { return }
        for place in first..<last {
            let index = Int(place - offset)
            switch kind {
            case .flip: buffer[index] = ~buffer[index]
            case .zero: buffer[index] = 0
            case .random(let seed):
                let other = UInt8(truncatingIfNeeded: SplitMix64.mix(seed &+ UInt64(place)))
                // Never the byte that was there.
                buffer[index] = other == buffer[index] ? ~other : other
            }
        }
    }
}

/// A body of which parts may yet be falsified while it is being sent.
final class DamagedSource: ByteSource, @unchecked Sendable {
    // Invariant: used on the server's loop alone.
    private let base: any ByteSource
    private var damages: [Damage] = []

    init(_ base: any ByteSource) { self.base = base }

    var count: Int64 { base.count }

    func add(_ damage: Damage) { damages.append(damage) }

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let size = base.copy(from: offset, into: buffer)
        guard size > 0, !damages.isEmpty else { return size }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
        for damage in damages { damage.apply(to: part, at: offset) }
        return size
    }
}

/// A body with further bytes, zeros, behind its end.
struct LongerSource: ByteSource {
    let base: any ByteSource
    let extra: Int64

    var count: Int64 { base.count + extra }

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= base.count else { return base.copy(from: offset, into: buffer) }
        let size = Int(min(Int64(buffer.count), count - offset))
        guard size > 0 else { return 0 }
        buffer[..<size].initializeMemory(as: UInt8.self, repeating: 0)
        return size
    }
}

/// Several bodies, one behind the other.
struct JoinedSource: ByteSource {
    private let parts: [any ByteSource]
    let count: Int64

    init(_ parts: [any ByteSource]) {
        self.parts = parts.filter { $0.count > 0 }
        count = parts.reduce(0) { $0 + $1.count }
    }

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var start = offset
        var filled = 0
        for part in parts where filled < buffer.count {
            if start >= part.count {
                start -= part.count
                continue
            }
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            filled += part.copy(from: start, into: rest)
            start = 0
        }
        return filled
    }

    /// The body without a run of bytes, with the run twice, or with made-up bytes before the place; nil
    /// for a corruption that leaves the length as it is.
    ///
    /// - Parameter place: from 0 to the body's length. What it asks for behind the end is not there.
    init?(_ body: any ByteSource, _ corruption: Corruption, at place: Int64, seed: UInt64) {
        func part(_ range: Range<Int64>) -> any ByteSource { SliceSource(body, range) }
        func end(_ count: Int64) -> Int64 { min(body.count, place + max(0, count)) }
        switch corruption {
        case .drop(let count):
            self.init([part(0..<place), part(end(count)..<body.count)])
        case .duplicate(let count):
            self.init([part(0..<end(count)), part(place..<body.count)])
        case .insert(let count):
            let made = SyntheticContent(size: count, seed: seed)
            self.init([part(0..<place), made, part(place..<body.count)])
        case .flip, .zero, .random: return nil
        }
    }
}
