import Checksums
import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Uploads whose connection breaks")
struct CutUploadTests {
    @Test(
        "Credits what was to be kept of what came, never more",
        arguments: [
            (KeptBytes.wholeUnits, 100_000, 0), (.exactly(100_000), 100_000, 100_000),
            (.wholeUnits, unit, unit), (.wholeUnits, 2 * unit - 1, unit),
            (.exactly(99_999), 100_000, 99_999), (.exactly(500_000), 100_000, 100_000),
            (.none, 300_000, 0), (.all, 300_001, 300_001), (.percent(50), 300_000, unit),
            (.more(4096), 1000, 5096), (.twice, 1000, 2000), (.more(10), 0, 10),
        ] as [(KeptBytes, Int, Int)])
    func credits(kept: KeptBytes, count: Int, wanted: Int) {
        let wire = Wire()
        let url = wire.start(size: 4 * unit)
        let call = wire.sendBroken(
            url, Wire.headers("upload", offset: 0), body: sample(2 * unit), after: count,
            keeping: kept)
        #expect(wire.command("query", url).sizeReceived == String(wanted))
        #expect(call.committed == (kept.isLie ? Int64(count) : Int64(wanted)))
    }

    @Test("Keeps whole units counted in the object, not in the body")
    func unitsOfTheObject() {
        let wire = Wire()
        let url = wire.start()
        wire.sendBroken(
            url, Wire.headers("upload", offset: 0), body: sample(unit), after: 1000,
            keeping: .exactly(1000))
        wire.sendBroken(
            url, Wire.headers("upload", offset: 1000), body: sample(2 * unit - 1000), after: unit)
        #expect(wire.command("query", url).sizeReceived == String(unit))
    }

    @Test(
        "The object is whole when the rest is sent after a break, sums included",
        arguments: [
            KeptBytes.wholeUnits, .none, .exactly(70_001), .all, .percent(33.3),
        ])
    func goesOn(kept: KeptBytes) throws {
        let wire = Wire()
        let content = sample(3 * unit + 5)
        let url = wire.start(size: content.count)
        wire.sendBroken(
            url, Wire.headers("upload, finalize", offset: 0), body: content, after: 2 * unit + 9,
            keeping: kept)
        let text = try #require(wire.command("query", url).sizeReceived)
        let offset = try #require(Int(text))
        let answer = wire.command(
            "upload, finalize", url, offset: offset, body: Array(content[offset...]))
        #expect(answer.status == 200 && wire.complaints.isEmpty)
        #expect(answer.field("md5Hash") == Base64.encode(MD5.digest(of: content)))
        #expect(difference(wire.get("a.bin").bytes, content) == nil)
    }

    @Test("A finishing request that broke finishes nothing, even with all its bytes kept")
    func finishesNothing() {
        let wire = Wire()
        let url = wire.start(size: 100)
        wire.sendBroken(
            url, Wire.headers("upload, finalize", offset: 0), body: sample(100), after: 100,
            keeping: .all)
        let query = wire.command("query", url)
        #expect(query.uploadStatus == "active" && query.sizeReceived == "100")
        #expect(wire.get("a.bin").status == 404)
        #expect(wire.command("finalize", url, offset: 100).status == 200)
    }

    @Test("Nothing of a broken upload in one request is kept")
    func wholeUploads() {
        let wire = Wire()
        let call = wire.begin("POST", "/v0/b/demo.appspot.com/o?name=m.bin", length: 100)
        call.receive(sample(100))
        call.cut(keeping: .all)
        #expect(call.committed == 0)
        #expect(wire.store.versions(of: "m.bin", in: "demo.appspot.com").isEmpty)
    }

    @Test("Bytes beyond the announced total are not kept")
    func beyondTheTotal() {
        let wire = Wire()
        let url = wire.start(size: 100)
        let call = wire.begin("POST", url, Wire.headers("upload, finalize", offset: 0))
        call.receive(sample(150))
        call.cut(keeping: .all)
        #expect(wire.command("query", url).sizeReceived == "100")
    }

    @Test("A request that keeps less than it got is answered with what is held")
    func keepsLess() {
        let wire = Wire()
        let url = wire.start(size: 2 * unit)
        let first = wire.command(
            "upload", url, offset: 0, body: sample(unit), keeping: .exactly(1000))
        #expect(first.status == 200 && first.sizeReceived == "1000")
        let last = wire.command(
            "upload, finalize", url, offset: 1000, body: sample(2 * unit - 1000),
            keeping: .exactly(5))
        #expect(last.status == 200 && last.uploadStatus == "active" && last.sizeReceived == "1005")
    }

    @Test("Ten queries in a row change nothing")
    func queriesChangeNothing() {
        let wire = Wire()
        let url = wire.start(size: unit)
        _ = wire.command("upload", url, offset: 0, body: sample(unit))
        let first = wire.command("query", url)
        for _ in 0..<10 {
            wire.clock.time += 1000
            let next = wire.command("query", url)
            #expect(next.headers == first.headers && next.status == first.status)
        }
        #expect(first.uploadStatus == "active" && first.sizeReceived == String(unit))
        #expect(wire.command("finalize", url, offset: unit).status == 200)
    }

    @Test("Zeros stand where a fault credited what never came")
    func creditedZeros() {
        let wire = Wire()
        let url = wire.start()
        _ = wire.command("upload", url, offset: 0, body: sample(unit), keeping: .more(3))
        let answer = wire.command("upload, finalize", url, offset: unit + 3, body: [9])
        #expect(answer.status == 200)
        #expect(difference(wire.get("a.bin").bytes, sample(unit) + [0, 0, 0, 9]) == nil)
        #expect(
            answer.field("md5Hash")
                == Base64.encode(MD5.digest(of: sample(unit) + [0, 0, 0, 9])))
    }

    @Test("A body counted two times stands there two times")
    func twice() {
        let wire = Wire()
        let url = wire.start()
        _ = wire.command("upload", url, offset: 0, body: sample(unit), keeping: .twice)
        #expect(wire.command("finalize", url, offset: 2 * unit).status == 200)
        #expect(difference(wire.get("a.bin").bytes, sample(unit) + sample(unit)) == nil)
    }
}
