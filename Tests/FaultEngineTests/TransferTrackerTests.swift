import FaultEngine
import StorageModel
import Testing

@Suite("Transfers")
struct TransferTrackerTests {
    @Test("Both directions of an object are transfers of their own")
    func directions() {
        var tracker = TransferTracker()
        let up = tracker.transfer(of: .uploadStart, bucket: "b", path: "a", session: nil)
        let down = tracker.transfer(of: .download, bucket: "b", path: "a", session: nil)
        #expect(up?.ordinal == 1)
        #expect(down?.ordinal == 2)
        #expect(tracker.transfer(of: .uploadMedia, bucket: "b", path: "a", session: nil) == up)
    }

    @Test("A session's requests stay with its transfer after the transfer is over")
    func sessions() throws {
        var tracker = TransferTracker()
        let start = tracker.transfer(of: .uploadStart, bucket: "b", path: "a", session: nil)
        let first = try #require(start)
        tracker.bind(session: 1, to: first)
        tracker.finish(first)
        let next = tracker.transfer(of: .uploadStart, bucket: "b", path: "a", session: nil)
        #expect(next?.ordinal == 2)
        #expect(tracker.transfer(of: .uploadQuery, bucket: "b", path: "a", session: 1) == first)
    }

    @Test("A served start after body bytes begins a new transfer", arguments: [true, false])
    func served(isServed: Bool) throws {
        var tracker = TransferTracker(isServed: isServed)
        let start = tracker.transfer(of: .uploadStart, bucket: "b", path: "a", session: nil)
        let first = try #require(start)
        let again = tracker.transfer(of: .uploadStart, bucket: "b", path: "a", session: nil)
        #expect(again == first)
        tracker.noteBytes(of: first)
        let later = tracker.transfer(of: .uploadStart, bucket: "b", path: "a", session: nil)
        #expect(later?.ordinal == (isServed ? 2 : 1))
    }

    @Test("Requests without an object belong to no transfer, other requests to one without number")
    func others() {
        var tracker = TransferTracker()
        #expect(tracker.transfer(of: .list, bucket: "b", path: "x/", session: nil) == nil)
        #expect(tracker.transfer(of: .unknown, bucket: nil, path: nil, session: nil) == nil)
        let get = tracker.transfer(of: .metadataGet, bucket: "b", path: "a", session: nil)
        #expect(get?.direction == .other)
        #expect(get?.ordinal == nil)
    }
}
