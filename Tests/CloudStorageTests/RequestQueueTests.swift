import Testing

@testable import CloudStorage

@Suite("Request queue")
struct RequestQueueTests {
    private final class Nobody: TransportSink {
        func received(_ head: ResponseHead) {}
        func received(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
        func ended(_ failure: TransportFailure?) {}
    }

    private func queue(_ ids: some Sequence<Int>) -> RequestQueue {
        var queue = RequestQueue()
        for id in ids {
            queue.append(id, TransportRequest(method: "GET", url: "\(id)"), Nobody())
        }
        return queue
    }

    private func drain(_ queue: inout RequestQueue) -> [Int] {
        var ids: [Int] = []
        while let next = queue.next() {
            #expect(next.entry.request.url == "\(next.id)")
            ids.append(next.id)
        }
        return ids
    }

    @Test("Gives in the order of coming, however many there are")
    func order() {
        var queue = queue(1...1000)
        #expect(drain(&queue) == Array(1...1000))
        #expect(queue.isEmpty)
    }

    @Test("Leaves out what was taken away, also the first and the last")
    func removal() {
        var queue = queue(1...300)
        for id in [1, 70, 71, 300] { queue.remove(id) }
        #expect(drain(&queue) == (1...300).filter { ![1, 70, 71, 300].contains($0) })
    }

    @Test("Is empty when all that waited was taken away")
    func empty() {
        var queue = queue([1, 2])
        queue.remove(1)
        #expect(!queue.isEmpty)
        queue.remove(2)
        queue.remove(2)
        #expect(queue.isEmpty)
        #expect(queue.next()?.id == nil)
    }

    @Test("Keeps the order when some come while others go")
    func interleaved() {
        var queue = queue(1...200)
        var taken: [Int] = []
        for id in 201...600 {
            if let next = queue.next() { taken.append(next.id) }
            queue.append(id, TransportRequest(method: "GET", url: "\(id)"), Nobody())
        }
        #expect(taken + drain(&queue) == Array(1...600))
    }
}
