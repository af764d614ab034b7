import ObjectStore
import Testing

@Suite("Kept bytes")
struct KeptBytesTests {
    @Test(
        "Counts what a session keeps of a body",
        arguments: [
            (KeptBytes.wholeUnits, 100_000, 0, 0), (.wholeUnits, 300_000, 0, 262_144),
            (.wholeUnits, 262_144, 262_144, 262_144), (.wholeUnits, 100, 262_000, 0),
            (.wholeUnits, 300, 262_000, 144), (.wholeUnits, 262_143, 262_144, 0),
            (.none, 300_000, 0, 0), (.all, 300_001, 5, 300_001),
            (.exactly(100_000), 100_000, 0, 100_000),
            (.exactly(7), 100, 0, 7), (.exactly(200), 100, 0, 100), (.exactly(-1), 100, 0, 0),
            (.percent(50), 400, 0, 250), (.percent(100), 400, 0, 400), (.more(5), 100, 0, 100),
            (.twice, 100, 0, 100),
        ] as [(KeptBytes, Int64, Int64, Int64)])
    func counts(kept: KeptBytes, received: Int64, start: Int64, wanted: Int64) {
        let count = kept.count(
            received: received, declared: 500, start: start, granularity: 262_144)
        #expect(count == wanted)
    }
}
