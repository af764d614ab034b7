import StorageModel
import Testing

@testable import ScenarioRunner

@Suite("Bytes told with those of the metadata")
struct MetadataBytesTests {
    @Test(
        "Those of the metadata are taken off both counters, and a wrong number stays wrong",
        arguments: [
            (1100, 1100, 1000, 1000), (100, 1100, 0, 1000), (30, 1100, 0, 1000),
            (-1, 1100, -1, 1000), (1101, 1100, 1001, 1000),
        ] as [(Int64, Int64, Int64, Int64)])
    func taken(completed: Int64, total: Int64, own: Int64, ownTotal: Int64) {
        let event = TransferEvent(kind: .progress, completed: completed, total: total)
            .without(100)
        #expect(event.completed == own)
        #expect(event.total == ownTotal)
    }

    @Test("An unknown total stays unknown, and without metadata nothing changes")
    func unchanged() {
        let event = TransferEvent(kind: .progress, completed: 5)
        #expect(event.without(2).total == nil)
        #expect(event.without(0) == event)
    }
}
