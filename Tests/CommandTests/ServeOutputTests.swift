import Foundation
import Glibc
import Testing
import WireProbe

@Suite("What squall serve tells", .serialized)
struct ServeOutputTests {
    private static let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    private static let cut = "upload.body#1 @ request-body 60%: disconnect reset"

    @Test("The banner has a line to paste for each platform")
    func banner() throws {
        let served = try Served()
        let outcome = try served.end()
        #expect(outcome.status == 0, "\(outcome.all)")
        let port = served.port
        for line in [
            "Storage.storage().useEmulator(withHost: \"127.0.0.1\", port: \(port))",
            "Firebase.storage.useEmulator(\"127.0.0.1\", \(port))",
            "connectStorageEmulator(getStorage(), \"127.0.0.1\", \(port))",
            "http://127.0.0.1:\(port)/v0/b/demo.appspot.com/o/OBJECT?alt=media",
        ] {
            #expect(outcome.output.contains(line), "\(outcome.output)")
        }
    }

    @Test("An upload that was cut and taken up again is told in full, then the table of faults")
    func cutUpload() throws {
        let served = try Served(["--fault", Self.cut, "--fault", "upload.body#9: respond 503"])
        try served.upload("a.bin", Self.bytes)
        let outcome = try served.end()
        #expect(outcome.status == 0, "\(outcome.all)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        for text in [
            "#1 upload.start  a.bin  200",
            "#2 upload.finalize  a.bin  360000 bytes from 0  no answer, "
                + "cut after 360000 bytes of the request  fault:",
            "#3 upload.query  a.bin  200",
            ", then upload.query, then upload.finalize from 256KiB (97856 bytes sent twice)",
            "#4 upload.finalize  a.bin  337856 bytes from 256KiB  200",
        ] {
            #expect(lines.count { $0.contains(text) } == 1, "\(text)\n\(outcome.output)")
        }
        #expect(outcome.output.contains("the client waited "))
        let table = try #require(lines.firstIndex(of: "fired  fault"), "\(outcome.output)")
        #expect(lines[(table + 1)...].contains("    1  \(Self.cut)"), "\(outcome.output)")
        #expect(lines[(table + 1)...].contains("    0  upload.body#9: respond 503"))
        #expect(
            lines.last?.contains("`upload.body#9` never came: this upload had upload.start")
                == true,
            "\(outcome.output)")
    }

    @Test("A client that does not come again is told")
    func noFurtherRequest() throws {
        let served = try Served(["--fault", Self.cut])
        let target = try served.start("a.bin", size: Self.bytes.count)
        #expect(try served.finalize(target, Self.bytes) == nil)
        let outcome = try served.end()
        #expect(outcome.output.contains(": no further request in "), "\(outcome.output)")
    }

    @Test("A local file is there as an object, in whatever bucket")
    func data() throws {
        let served = try Served(
            ["--data", "rivers.jpg=images/rivers.jpg"], files: ["rivers.jpg": Data("ab".utf8)])
        for bucket in ["one.appspot.com", "two.appspot.com"] {
            let answer = try served.request(
                "GET", "/v0/b/\(bucket)/o/images%2Frivers.jpg?alt=media")
            #expect(answer?.status == 200)
            #expect(answer?.text == "ab")
        }
        _ = try served.end()
    }

    @Test("A server that is idle long enough stops by itself")
    func untilIdle() throws {
        let served = try Served(["--until-idle", "300ms"])
        try served.request("GET", "\(Served.objects)/a")
        let outcome = try served.wait()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("#1 metadata.get  a  404"), "\(outcome.output)")
    }

    @Test("A port in use is told by its number, without a trace")
    func portInUse() throws {
        let first = try Served()
        let outcome = try Command.squall("serve", "--port", "\(first.port)")
        #expect(outcome.status == 5)
        #expect(outcome.errors.contains("port \(first.port) on 127.0.0.1 is in use"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        _ = try first.end()
    }

    @Test("Serves on the IPv6 loopback address, too")
    func ipv6() throws {
        let served = try Served(host: .ipv6)
        #expect(try served.request("GET", "\(Served.objects)/a")?.status == 404)
        #expect(try served.end().status == 0)
    }

    @Test("Refuses an address that others can reach, and a file that is not there")
    func refusals() throws {
        let remote = try Command.squall("serve", "--port", "0", "--host", "0.0.0.0")
        #expect(remote.status == 2)
        #expect(remote.errors.contains("--allow-remote"))
        let missing = try Command.squall("serve", "--port", "0", "--data", "no-such-file=a")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("no-such-file"))
        let fault = try Command.squall("serve", "--port", "0", "--fault", "download: explode")
        #expect(fault.status == 2)
        #expect(fault.errors.contains("explode"))
    }

    @Test("Goes on when a client is killed in the middle of an upload, and says so")
    func killedClient() throws {
        let served = try Served()
        let probe = try served.probe()
        try probe.ask(
            "\(Served.objects)?name=a", method: "POST",
            fields: ["Content-Length: 1000000", "Content-Type: a/b"])
        try probe.send([UInt8](repeating: 1, count: 1000))
        probe.close()
        try served.scratch.wait(for: "the line") { try served.output.contains("the client left") }
        try served.upload("b", Self.bytes)
        let outcome = try served.end()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("upload.finalize  b  600000 bytes from 0  200"))
    }

    @Test(
        "Stops in order on a signal, also where a shell has it ignored",
        arguments: [SIGINT, SIGTERM], [false, true])
    func signals(number: Int32, ignoresInterrupts: Bool) throws {
        let served = try Served(
            ["--fault", "download: respond 404"], ignoresInterrupts: ignoresInterrupts)
        let outcome = try served.end(number)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix("never came: no request came at all.\n"))
    }

    @Test("The journal is lines of JSON whose members its page explains")
    func journal() throws {
        let served = try Served(["--journal", "journal", "--fault", "\(Self.cut)"])
        try served.upload("a.bin", Self.bytes)
        try served.request(
            "GET", "\(Served.objects)/a.bin?alt=media",
            fields: ["Authorization: Bearer secret-word"])
        try served.request("GET", "/v0/b/app.appspot.com/o/none")
        _ = try served.end()
        let text = try served.scratch.text("journal")
        #expect(!text.contains("secret-word"))
        let lines = try text.split(separator: "\n").map { line in
            try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.count == 7, "\(text)")
        #expect(lines[0]["format"] as? Int == 1)
        #expect(lines[2]["received"] as? Int == 360_000)
        #expect(lines[2]["committed"] as? Int == 262_144)
        #expect(lines[2]["ending"] as? String == "disconnected")
        #expect(lines[2]["status"] == nil)
        #expect(lines[5]["credentials"] as? Bool == true)
        let page = try String(
            contentsOf: Command.root.appending(path: "Conformance/JOURNAL.md"), encoding: .utf8)
        for name in Set(lines.flatMap(\.keys)) { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
