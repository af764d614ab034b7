import FaultEngine
import Testing

@Suite("Byte offsets")
struct ByteOffsetTests {
    @Test(
        "An offset is resolved exactly, or not at all",
        arguments: [
            (ByteOffset.bytes(0), 100, 0), (.bytes(99), 100, 99), (.bytes(100), 100, nil),
            (.bytes(101), 100, nil), (.bytes(0), 0, 0), (.percent(50), 101, 50),
            (.percent(100), 100, 100), (.percent(0), 0, 0), (.beforeEnd(0), 100, 100),
            (.beforeEnd(1), 100, 99), (.beforeEnd(101), 100, nil), (.object(1000), 100, 0),
            (.object(1099), 100, 99), (.object(1100), 100, nil), (.object(999), 100, nil),
        ] as [(ByteOffset, Int64, Int64?)])
    func resolved(offset: ByteOffset, length: Int64, expected: Int64?) {
        #expect(offset.resolved(length: length, start: 1000) == expected)
    }

    @Test("A place that needs the length waits for it, a plain one does not")
    func unknownLength() {
        #expect(ByteOffset.percent(50).resolved(length: nil, start: 0) == nil)
        #expect(ByteOffset.beforeEnd(0).resolved(length: nil, start: 0) == nil)
        #expect(ByteOffset.bytes(5000).resolved(length: nil, start: 0) == 5000)
        #expect(ByteOffset.object(5000).resolved(length: nil, start: 4000) == 1000)
    }

    @Test("A place in the object is in no body that carries no object bytes")
    func noObject() {
        #expect(ByteOffset.object(0).resolved(length: 10, start: nil) == nil)
    }
}
