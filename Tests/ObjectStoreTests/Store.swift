import ObjectStore
import StorageModel

/// Milliseconds since 1970, moved by hand.
final class Clock {
    var time: Int64 = 1_714_564_800_000
}

/// A store with a bucket `b`.
func makeStore(
    _ clock: Clock = Clock(), limits: StoreLimits = StoreLimits(), seed: UInt64 = 1
) -> ObjectStore {
    ObjectStore(buckets: ["b"], limits: limits, seed: seed, wallClock: { clock.time })
}

func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    SyntheticContent(size: Int64(count), seed: seed).allBytes
}

extension StagedBody {
    func append(_ bytes: [UInt8], piece: Int = 4096) {
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + piece)
            bytes[position..<end].withUnsafeBytes { append($0) }
            position = end
        }
    }
}

/// Where two contents differ first; nil for equal ones. (The test library's own comparison of long
/// arrays takes minutes once they differ.)
func difference(_ one: [UInt8]?, _ other: [UInt8]) -> Int? {
    guard let one else { return -1 }
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return place ?? (one.count == other.count ? nil : min(one.count, other.count))
}
