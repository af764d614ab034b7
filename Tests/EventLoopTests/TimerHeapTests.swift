import Testing

@testable import EventLoop

@Suite("Timer heap")
struct TimerHeapTests {
    @Test("Entries leave by deadline, equal ones in the order of arrival")
    func order() {
        var heap = TimerHeap<Int>()
        let deadlines = (0..<500).map { Int64(($0 &* 7919) % 17) }
        for (index, due) in deadlines.enumerated() { _ = heap.add(due: due, index) }
        var seen: [Int] = []
        while let entry = heap.pop() { seen.append(entry.payload) }
        #expect(seen == deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) })
    }

    @Test("Cancelled entries do not show, whether few or most are cancelled", arguments: [3, 300])
    func cancelled(every step: Int) {
        var heap = TimerHeap<Int>()
        let ids = (0..<300).map { heap.add(due: Int64(300 - $0), $0) }
        for (index, id) in ids.enumerated() where index % step != 0 { heap.cancel(id) }
        #expect(heap.count == 300 / step)
        var seen: [Int] = []
        while let entry = heap.pop() { seen.append(entry.payload) }
        #expect(seen == (0..<300).reversed().filter { $0 % step == 0 })
        #expect(heap.due == nil)
    }

    @Test("Cancelling an entry that has left does nothing")
    func cancelLater() {
        var heap = TimerHeap<Int>()
        let id = heap.add(due: 1, 1)
        #expect(heap.pop()?.id == id)
        heap.cancel(id)
        _ = heap.add(due: 2, 2)
        #expect(heap.due == 2)
    }
}
