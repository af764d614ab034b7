import FaultEngine
import StorageModel
import Testing

@Suite("Faults that never fired")
struct UnfiredFaultTests {
    private func message(
        _ rule: FaultRule, _ run: (inout FaultBench) -> Void = { _ in }
    ) throws -> String {
        var bench = FaultBench([rule])
        run(&bench)
        return try #require(bench.injector.unfired.first).message
    }

    @Test("An ordinal that did not come is told with what the upload had")
    func ordinal() throws {
        let message = try message(rule("upload.chunk", .exactly(2))) { bench in
            _ = bench.head(.uploadStart)
            _ = bench.head(.uploadFinalize, length: 3 << 20, offset: 0)
        }
        #expect(
            message == "`upload.chunk#2` never came: this upload had upload.start, "
                + "upload.finalize (bytes 0 to 3MiB). Did you mean `upload.body#1`?")
    }

    @Test("The transfer that came nearest is the one that is told")
    func nearest() throws {
        let message = try message(rule("upload.chunk", .exactly(3))) { bench in
            _ = bench.head(.download, path: "other")
            _ = bench.head(.uploadStart, path: "far")
            _ = bench.head(.uploadStart, path: "near")
            _ = bench.head(.uploadChunk, path: "near", length: 1024, offset: 0)
            _ = bench.head(.uploadChunk, path: "near", length: 1024, offset: 1024)
        }
        #expect(message.contains("this upload had upload.start, upload.chunk x2 (bytes 0 to 2KiB)"))
    }

    @Test("A run without requests says so")
    func nothing() throws {
        #expect(try message(rule("download")) == "`download` never came: no request came at all.")
    }

    @Test("A path that fits nothing is told with the paths that came")
    func path() throws {
        let message = try message(rule("download") { $0.path = Glob("imgs/*") }) { bench in
            _ = bench.head(.download, path: "images/a")
        }
        #expect(
            message == "`download` came once, but never with all that `where` asks for: "
                + "path=imgs/* fits none of images/a.")
    }

    @Test("A place beyond the body is told with the body's length")
    func beyond() throws {
        let far = rule("upload.body", at: .requestBody(.bytes(262_144)))
        let message = try message(far) { bench in
            let plan = bench.head(.uploadChunk, length: 65_536, offset: 0)
            bench.injector.finish(plan, received: 65_536, sent: 0)
        }
        #expect(
            message == "`upload.body` came, but never got to request-body 256KiB: its body ended "
                + "at 64KiB.")
    }

    @Test("A fault that chance kept back says that")
    func chance() throws {
        let message = try message(rule("download", chance: 0)) { bench in
            _ = bench.exchange(.download)
        }
        #expect(message.contains("chance decided against"))
    }

    @Test("A fault that fired is not listed")
    func fired() {
        var bench = FaultBench([rule("download"), rule(2, "list")])
        _ = bench.exchange(.download)
        #expect(bench.injector.unfired.map(\.rule.position) == [2])
        #expect(bench.injector.firedCounts == [1, 0])
    }
}
