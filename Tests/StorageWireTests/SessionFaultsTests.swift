import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Faults of upload sessions, and overlapping requests")
struct SessionFaultsTests {
    private func offsets(_ rule: BackendSettings.OffsetMismatch) -> Wire {
        Wire { $0.offsetMismatch = rule }
    }

    @Test("A body at another offset gets the set status and a complaint", arguments: [400, 503])
    func refusesOffset(status: Int) {
        let wire = offsets(.refuse(status: status))
        let url = wire.start()
        _ = wire.command("upload", url, offset: 0, body: sample(unit))
        for offset in [0, unit - 1, unit + 1, 2 * unit] {
            let answer = wire.command("upload", url, offset: offset, body: sample(unit))
            #expect(answer.status == status && answer.uploadStatus == "active")
            #expect(wire.complaints == ["offset-mismatch"])
        }
        #expect(wire.command("query", url).sizeReceived == String(unit))
    }

    @Test("With append the offset is ignored")
    func appends() {
        let wire = offsets(.append)
        let url = wire.start()
        _ = wire.command("upload", url, offset: 77, body: sample(unit))
        _ = wire.command("upload, finalize", url, offset: 0, body: [1, 2])
        #expect(difference(wire.get("a.bin").bytes, sample(unit) + [1, 2]) == nil)
        #expect(wire.complaints.isEmpty)
    }

    @Test("With overlap bytes that are there are skipped, and a hole is refused")
    func overlaps() {
        let wire = offsets(.overlap)
        let url = wire.start()
        let content = sample(3 * unit)
        _ = wire.command("upload", url, offset: 0, body: Array(content[..<(2 * unit)]))
        let hole = wire.command("upload", url, offset: 3 * unit, body: sample(unit))
        #expect(hole.status == 400 && wire.complaints == ["offset-mismatch"])
        let answer = wire.command(
            "upload, finalize", url, offset: unit, body: Array(content[unit...]))
        #expect(answer.status == 200)
        #expect(difference(wire.get("a.bin").bytes, content) == nil)
    }

    @Test("Lost bytes are sent again without blame, and the sums are right")
    func loses() throws {
        let wire = Wire()
        let url = wire.start()
        let content = sample(3 * unit, seed: 4)
        _ = wire.command("upload", url, offset: 0, body: Array(content[..<(2 * unit)]))
        try #require(wire.store.allSessions.first).lose(Int64(unit))
        let late = wire.command("upload", url, offset: 2 * unit, body: sample(unit))
        #expect(late.status == 400 && wire.complaints.isEmpty)
        #expect(wire.command("query", url).sizeReceived == String(unit))
        let answer = wire.command(
            "upload, finalize", url, offset: unit, body: Array(content[unit...]))
        #expect(answer.status == 200)
        #expect(difference(wire.get("a.bin").bytes, content) == nil)
        #expect(answer.field("md5Hash") == wire.md5(content))
    }

    @Test("A session may claim more than it holds: the hole is zeros")
    func claimsMore() throws {
        let wire = Wire()
        let url = wire.start()
        try #require(wire.store.allSessions.first).claim(10)
        #expect(wire.command("query", url).sizeReceived == "10")
        #expect(wire.command("upload, finalize", url, offset: 10, body: [1]).status == 200)
        #expect(wire.get("a.bin").bytes == [UInt8](repeating: 0, count: 10) + [1])
        #expect(wire.complaints.isEmpty)
    }

    @Test(
        "A claim beyond everything leads to a refusal, not to a huge object",
        arguments: [
            Int64.max, 6 << 40,
        ])
    func claimsEverything(claim: Int64) throws {
        let wire = Wire()
        let url = wire.start()
        try #require(wire.store.allSessions.first).claim(claim)
        let told = try #require(Int(wire.command("query", url).sizeReceived ?? ""))
        #expect(wire.command("upload, finalize", url, offset: told, body: [1]).status == 413)
        #expect(wire.command("upload, finalize", url, offset: .max, body: [1]).status == 400)
    }

    @Test("A session may claim less than it holds: bytes come again and are skipped")
    func claimsLess() throws {
        let wire = Wire()
        let url = wire.start()
        let content = sample(2 * unit)
        _ = wire.command("upload", url, offset: 0, body: Array(content[..<unit]))
        try #require(wire.store.allSessions.first).claim(5)
        #expect(wire.command("query", url).sizeReceived == "5")
        let answer = wire.command("upload, finalize", url, offset: 5, body: Array(content[5...]))
        #expect(answer.status == 200 && wire.complaints.isEmpty)
        #expect(difference(wire.get("a.bin").bytes, content) == nil)
    }

    @Test("A session that a fault ended is no one's fault")
    func ended() throws {
        let wire = Wire()
        var url = wire.start()
        wire.store.allSessions[0].cancelByFault()
        #expect(wire.command("upload", url, offset: 0, body: sample(unit)).status == 400)
        #expect(wire.complaints.isEmpty)
        url = wire.start()
        wire.store.allSessions[1].expire()
        #expect(wire.command("query", url).status == 404)
        #expect(wire.complaints.isEmpty)
    }

    @Test("A session that ends while a body comes takes nothing of it and stores nothing")
    func endsMeanwhile() throws {
        let wire = Wire()
        let url = wire.start()
        _ = wire.command("upload", url, offset: 0, body: sample(unit))
        let headers = Wire.headers("upload, finalize", offset: unit)
        let call = wire.begin("POST", url, headers, length: 1000)
        call.receive(sample(500))
        try #require(wire.store.allSessions.first).expire()
        call.receive(sample(500))
        #expect(call.finish().status == 404)
        #expect(wire.get("a.bin").status == 404)
    }

    @Test("Two finishing requests at once give one object and two equal answers")
    func twoFinishingRequests() {
        let wire = Wire()
        let content = sample(300 * 1024)
        let url = wire.start(size: content.count)
        let headers = Wire.headers("upload, finalize", offset: 0)
        let first = wire.begin("POST", url, headers, length: content.count)
        let second = wire.begin("POST", url, headers, length: content.count)
        first.receive(content)
        second.receive(Array(content[..<1000]))
        let one = first.finish()
        second.receive(Array(content[1000...]))
        let two = second.finish()
        for answer in [one, two] {
            #expect(answer.status == 200 && answer.uploadStatus == "final")
        }
        #expect(one.bytes == two.bytes)
        #expect(one.field("generation") == two.field("generation"))
        #expect(wire.store.versions(of: "a.bin", in: "demo.appspot.com").count == 1)
        #expect(!first.overlaps && second.overlaps)
    }

    @Test("The same finishing request again, after the answer was lost, gets the same answer")
    func repeatedFinish() {
        let wire = Wire()
        let url = wire.start(size: 100)
        let one = wire.command("upload, finalize", url, offset: 0, body: sample(100))
        let two = wire.command("upload, finalize", url, offset: 0, body: sample(100))
        #expect(one.bytes == two.bytes && two.status == 200)
        #expect(wire.complaints.isEmpty)
        #expect(wire.store.versions(of: "a.bin", in: "demo.appspot.com").count == 1)
        let other = wire.command("upload, finalize", url, offset: 100, body: sample(100))
        #expect(other.status == 400 && other.uploadStatus == "final")
        #expect(wire.complaints == ["bytes-after-end"])
    }

    @Test("Two bodies at once are a complaint, unless the first client has left")
    func overlappingBodies() {
        func second(_ between: (CallInProgress) -> Void) -> [String] {
            let wire = Wire()
            let url = wire.start()
            let headers = Wire.headers("upload", offset: 0)
            let first = wire.begin("POST", url, headers, length: unit)
            first.receive(sample(1000))
            let second = wire.begin("POST", url, headers, length: unit)
            between(first)
            second.receive(sample(unit))
            _ = second.finish()
            return second.complaints.map(\.name)
        }
        #expect(second { _ in } == ["overlapping-requests"])
        #expect(second { $0.clientLeft() } == [])
        #expect(second { $0.cut(keeping: .none) } == [])
    }

    @Test("A query during a body is answered and marked, and is no complaint")
    func queryDuringBody() {
        let wire = Wire()
        let url = wire.start()
        let body = wire.begin("POST", url, Wire.headers("upload", offset: 0), length: unit)
        body.receive(sample(unit))
        let query = wire.begin("POST", url, Wire.headers("query"))
        #expect(query.overlaps)
        #expect(query.finish().sizeReceived == "0")
        #expect(query.complaints.isEmpty)
        let other = wire.begin("POST", wire.start(), Wire.headers("query"))
        #expect(!other.overlaps)
    }

    @Test("After a refusal the bytes are freed and the next 20 uploads succeed")
    func refusedThenGood() {
        let wire = Wire {
            $0.access = .signedIn
            $0.tokens = ["alice": .init()]
        }
        let url = wire.start()
        let refused = wire.command("upload, finalize", url, offset: 0, body: sample(unit))
        #expect(refused.status == 401 && refused.uploadStatus == "final")
        #expect(wire.store.memoryUsed == 0)
        for round in 1...20 {
            let next = wire.start(["Authorization": "Bearer alice"])
            let answer = wire.command("upload, finalize", next, offset: 0, body: sample(round))
            #expect(answer.status == 200)
        }
        #expect(wire.store.versions(of: "a.bin", in: "demo.appspot.com").count == 20)
    }
}
