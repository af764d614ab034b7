import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@testable import ControlAPI

@Suite("Filters of the journal")
struct JournalFilterTests {
    private func record(_ ordinal: Int, _ change: (inout ExchangeRecord) -> Void = { _ in })
        -> ExchangeRecord
    {
        var record = ExchangeRecord(
            ordinal: ordinal, connection: 1, operation: .uploadChunk, method: "POST", target: "/")
        record.bucket = "b"
        record.path = "images/a.png"
        record.status = 200
        change(&record)
        return record
    }

    private func filter(_ query: String) throws -> JournalFilter {
        try JournalFilter(RequestTarget("/?" + query).query)
    }

    @Test(
        "Everything that a query gives must hold",
        arguments: [
            ("", true), ("operation=upload.chunk", true), ("operation=upload.body", true),
            ("operation=upload.*", true), ("operation=download", false), ("operation=*", true),
            ("path=images/*", true), ("path=*.png", false), ("path=**.png", true),
            ("bucket=b", true), ("bucket=c", false), ("status=200", true), ("status=2", false),
            ("status=200..299", true), ("status=%3E%3D500", false), ("status=none", false),
            ("since=6", true), ("since=7", false), ("fault=cut", true), ("fault=3", true),
            ("fault=2", false), ("complaints", false),
            ("operation=upload.chunk&status=404", false), ("limit=3", true),
        ])
    func holds(query: String, isSo: Bool) throws {
        let record = record(7) { $0.faults = [FiredFault(rule: 3, name: "cut", time: .zero)] }
        #expect(try filter(query).holds(record) == isSo)
    }

    @Test("An exchange without an answer has the status none, one that a client broke a complaint")
    func absent() throws {
        let record = record(1) {
            $0.status = nil
            $0.path = nil
            $0.complaints = [Complaint(.brokenHTTP, sentence: "X.")]
        }
        #expect(try filter("status=none&complaints").holds(record))
        #expect(try !filter("status=200").holds(record))
        #expect(try !filter("path=*").holds(record))
    }

    @Test(
        "A value that is none is refused with its key",
        arguments: [
            ("operation=uplod.chunk", "operation", "upload.chunk"), ("status=4xx", "status", nil),
            ("since=-1", "since", nil), ("since=x", "since", nil),
        ] as [(String, String, String?)])
    func mistakes(query: String, key: String, suggestion: String?) {
        let mistake = #expect(throws: JournalFilter.Mistake.self) { try filter(query) }
        #expect(mistake?.key == key)
        #expect(mistake?.suggestion == suggestion)
    }
}

@Suite("The journal through the control API", .serialized)
struct JournalRoutesTests {
    @Test("Exchanges are told as in the file, filtered, in pages that say where to go on")
    func pages() throws {
        try withControl { run throws in
            for _ in 0..<5 { #expect(try run.download("a") == 200) }
            #expect(try run.download("nothing") == 404)
            let first = try run.ask("GET", "/v1/journal?limit=2")
            #expect(first["format"] == "\(JournalLine.format)")
            #expect(first["exchanges.1.ordinal"] == "2")
            #expect(first["exchanges.2"] == nil)
            #expect(first["more"] == "true")
            #expect(first["last"] == "2")
            let rest = try run.ask("GET", "/v1/journal?since=2")
            #expect(rest["exchanges.0.ordinal"] == "3")
            #expect(rest["more"] == "false")
            let failed = try run.ask("GET", "/v1/journal?status=400..499&path=no*")
            #expect(failed["exchanges.0.ordinal"] == "6")
            #expect(failed["exchanges.1"] == nil)
            let record = try run.on { $0.records[5] }
            #expect(failed["exchanges.0"] == JournalLine.value(of: record).text)
        }
    }

    @Test(
        "A query that is none is refused",
        arguments: ["limit=0", "limit=x", "limit=10001", "statu=4"])
    func wrongQuery(query: String) throws {
        try withControl { run throws in
            let key = query.prefix { $0 != "=" }
            for path in ["/v1/journal", "/v1/journal/follow"] {
                let reply = try run.ask("GET", "\(path)?\(query)")
                #expect(reply.status == 400)
                #expect(reply["error.path"] == "?\(key)")
            }
        }
    }

    /// Reads one line of a stream.
    private func line(_ probe: WireProbe) throws -> JSONValue {
        let size = try #require(
            Int(
                String(decoding: try probe.read(through: "\r\n").dropLast(2), as: UTF8.self),
                radix: 16))
        let bytes = try probe.read(exactly: size)
        _ = try probe.read(exactly: 2)
        #expect(bytes.last == UInt8(ascii: "\n"))
        return try #require(JSONValue(parsing: bytes))
    }

    private func follow(_ run: ControlRun, _ query: String = "", buffer: Int32? = nil) throws
        -> WireProbe
    {
        let probe = try run.control(receiveBuffer: buffer)
        try probe.send(run.head("GET", "/v1/journal/follow\(query)"))
        let head = try probe.readHead()
        #expect(head.status == 200)
        #expect(head["Content-Type"] == "application/jsonl")
        #expect(head["Transfer-Encoding"] == "chunked")
        #expect(try line(probe)["format"] == .number("\(JournalLine.format)"))
        return probe
    }

    @Test("A follower gets each exchange that fits when it is over, and the end of the server")
    func stream() throws {
        try withControl { run throws in
            #expect(try run.download("a") == 200)
            let probe = try follow(run, "?status=404")
            #expect(try run.download("a") == 200)
            #expect(try run.download("x") == 404)
            let record = try line(probe)
            #expect(record["ordinal"] == .number("3"))
            #expect(record["path"] == .string("x"))
            #expect(probe.isSilent(for: .milliseconds(20)))
            run.stop()
            #expect(try line(probe)["end"] == .string("the server stopped"))
            let (rest, ending) = probe.readToEnd()
            #expect(String(decoding: rest, as: UTF8.self) == "0\r\n\r\n")
            #expect(ending == .closed)
        }
    }

    @Test("With an ordinal to go on from nothing between is lost")
    func since() throws {
        try withControl { run throws in
            for _ in 0..<3 { #expect(try run.download("a") == 200) }
            let probe = try follow(run, "?since=1")
            #expect(try line(probe)["ordinal"] == .number("2"))
            #expect(try line(probe)["ordinal"] == .number("3"))
            #expect(try run.download("a") == 200)
            #expect(try line(probe)["ordinal"] == .number("4"))
        }
    }

    @Test("A reset is told, and ordinals begin anew behind it")
    func reset() throws {
        try withControl { run throws in
            let probe = try follow(run)
            #expect(try run.download("a") == 200)
            #expect(try line(probe)["ordinal"] == .number("1"))
            try run.ask("POST", "/v1/reset")
            #expect(try line(probe)["reset"] == .number("1"))
            #expect(try run.download("a") == 200)
            #expect(try line(probe)["ordinal"] == .number("1"))
        }
    }

    @Test("A reader that is too slow is told how many it missed, and which, and then goes on")
    func slowReader() throws {
        var options = ControlOptions()
        options.streamSize = 1000
        options.streamRecords = 10
        try withControl(options: options) { run throws in
            let probe = try follow(run, buffer: 2048)
            // Some of it the kernel keeps: as many as are surely too many.
            let long = String(repeating: "x", count: 1000)
            let count = 1500
            let app = try run.app()
            for _ in 0..<count {
                try app.ask("/v0/b/demo.appspot.com/o/\(long)?alt=media")
                _ = try app.readAnswer()
            }
            var ordinals: [Int] = []
            var missed: (count: Int, first: Int, last: Int)?
            while (ordinals.last ?? 0) < count, missed?.last != count {
                let line = try line(probe)
                if let number = line["ordinal"]?.scalarText.flatMap({ Int($0) }) {
                    ordinals.append(number)
                } else if let number = line["missed"]?.scalarText.flatMap({ Int($0) }) {
                    let first = line["first"]?.scalarText.flatMap { Int($0) } ?? 0
                    let last = line["last"]?.scalarText.flatMap { Int($0) } ?? 0
                    missed = ((missed?.count ?? 0) + number, first, last)
                    #expect(first == (ordinals.last ?? 0) + 1)
                    #expect(last - first + 1 == number)
                }
            }
            #expect(missed != nil, "nothing was missed")
            #expect(ordinals.count + (missed?.count ?? 0) == count)
            #expect(ordinals == ordinals.sorted())
            // The reader has caught up.
            #expect(try run.download("a") == 200)
            #expect(try line(probe)["ordinal"] == .number("\(count + 1)"))
        }
    }

    @Test("HEAD of a stream has its head alone, and followers who left are forgotten")
    func leaving() throws {
        try withControl { run throws in
            let head = try run.control()
            try head.send(run.head("HEAD", "/v1/journal/follow"))
            #expect(try head.readHead().status == 200)
            #expect(head.readToEnd().bytes.isEmpty)
            let probe = try follow(run)
            probe.reset()
            for _ in 0..<3 { #expect(try run.download("a") == 200) }
            #expect(try run.status("GET", "/v1/health") == 200)
        }
    }
}
