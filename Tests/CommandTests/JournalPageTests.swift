import Foundation
import TestSupport
import Testing
import WireProbe

/// `Conformance/JOURNAL.md` against what `squall serve --journal` writes.
@Suite("The journal's page", .serialized)
struct JournalPageTests {
    /// The members that the table under a heading names.
    private static func documented(under heading: String) throws -> Set<String> {
        let page = try String(
            contentsOf: Command.root.appending(path: "Conformance/JOURNAL.md"), encoding: .utf8)
        let part = try #require(
            page.components(separatedBy: "\n## ").first {
                $0.hasPrefix(heading)
            })
        var names: Set<String> = []
        for row in part.components(separatedBy: "\n") where row.hasPrefix("| `") {
            let cell = row.dropFirst().prefix { $0 != "|" }
            names.formUnion(
                cell.split(separator: "`").filter { $0.allSatisfy(\.isLetter) }.map(String.init))
        }
        return names
    }

    private static func members(_ line: String) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// Everything that gives a line some member.
    private func exerciseAll(_ served: Served) throws {
        // Uploads: a session, its transfer, a told size, a refused chunk, a query meanwhile.
        let target = try served.start("a", size: 600_000)
        try served.request(
            "POST", target,
            fields: ["X-Goog-Upload-Command: upload", "X-Goog-Upload-Offset: 5"], body: [1])
        // A fault with a draw and a delay, and a connection that is used twice.
        let reader = try served.probe()
        for _ in 1...20 {
            try reader.ask("\(Served.objects)/big?alt=media")
            #expect(try reader.readAnswer().status == 200)
        }
    }

    /// A query while a body of its session is being received.
    private func overlap(_ served: Served) throws {
        let target = try served.start("b", size: 600_000)
        let probe = try served.probe()
        try probe.ask(
            target, method: "POST",
            fields: [
                "X-Goog-Upload-Command: upload", "X-Goog-Upload-Offset: 0",
                "Content-Length: 262144",
            ])
        try probe.send([1, 2, 3])
        #expect(try served.query(target) == 0)
        probe.reset()
    }

    /// A request whose used connection dies, and the same at once on another.
    private func resend(_ served: Served) throws {
        let probe = try served.probe()
        try probe.ask("\(Served.objects)/big")
        #expect(try probe.readAnswer().status == 200)
        try probe.ask("\(Served.objects)/gone?x=1")
        let other = try served.probe()
        _ = probe.readToEnd()
        try other.ask("\(Served.objects)/gone?x=1")
        _ = other.readToEnd()
    }

    @Test("Every member is documented, and every documented member is written")
    func members() throws {
        let served = try Served(
            [
                "--journal", "journal", "--data", "big=big", "--fault",
                "metadata.get path=gone @ request-head: disconnect reset", "--scenario", "s.yaml",
            ],
            files: [
                "big": Data(repeating: 7, count: 1000),
                "s.yaml": Data(
                    """
                    title: Some downloads are slow
                    level: may
                    faults: [{match: download, do: {delay: {uniform: [0ms, 1ms]}}, chance: 50%, may-miss: true}]
                    steps: [{wait: 1s}]
                    """.utf8),
            ])
        try exerciseAll(served)
        // On a busy machine the query may come before the body, and the resend later than 50 ms.
        for (member, provoke) in [("overlaps", overlap), ("resendOf", resend)] {
            for _ in 1...50 {
                try provoke(served)
                if try served.scratch.text("journal").contains(member) { break }
            }
        }
        _ = try served.end()
        let lines = try served.scratch.text("journal").split(separator: "\n").map(String.init)
        let opening = try Self.members(try #require(lines.first))
        #expect(Set(opening.keys) == (try Self.documented(under: "The first line")))
        let records = try lines.dropFirst().map(Self.members)
        let written = records.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        let page = try Self.documented(under: "An exchange")
        // A handshake comes with --tls alone, and is tested there.
        #expect(written.symmetricDifference(page).subtracting(["handshake"]) == [])
        let faults = records.compactMap { $0["faults"] as? [[String: Any]] }.joined()
        #expect(
            faults.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
                == (try Self.documented(under: "A fault")))
    }

    private static let secrets = [
        "s3cret-bearer", "s3cret-check", "s3cret-download", "s3cret-key", "s3cret-cookie",
        "s3cret-json",
    ]

    @Test("No credential gets into the console, the journal file or an explanation")
    func secrets() throws {
        let served = try Served(
            [
                "--journal", "journal", "--explain", "--fault",
                "metadata.get @ response-head: delay 1ms", "--data", "big=big",
            ], files: ["big": Data(repeating: 7, count: 10)])
        let fields = [
            "Authorization: Firebase s3cret-bearer", "X-Firebase-AppCheck: s3cret-check",
            "Cookie: a=s3cret-cookie", "X-Goog-Api-Key: s3cret-key",
        ]
        var heads: [String] = []
        for target in [
            "\(Served.objects)/big?token=s3cret-download", "/nowhere?token=s3cret-download&x=1",
            "\(Served.objects)/big?alt=media&to%6Ben=s3cret-download",
            "\(Served.objects)/big?key=s3cret-key&access_token=s3cret-bearer",
        ] {
            let answer = try #require(try served.request("GET", target, fields: fields))
            heads.append(answer.head.text)
        }
        let metadata = #"{"metadata":{"firebaseStorageDownloadTokens":"s3cret-json"}}"#
        try served.request(
            "PATCH", "\(Served.objects)/big?delete_token=s3cret-download",
            fields: fields + ["Content-Type: application/json"], body: Array(metadata.utf8))
        try served.request("BROKEN", "/a?token=s3cret-download", fields: fields)
        let outcome = try served.end()
        let journal = try served.scratch.text("journal")
        #expect(heads[0].contains("X-Squall-Fault"))
        #expect(journal.contains("token=present"))
        for text in [outcome.output, outcome.errors, journal] + heads {
            for secret in Self.secrets { #expect(!text.contains(secret)) }
        }
    }

    @Test("A signal loses no exchange, also none that is under way", arguments: [SIGTERM, SIGINT])
    func signalled(_ number: Int32) throws {
        for _ in 1...5 {
            let served = try Served([
                "--journal", "journal", "--fault",
                "metadata.get path=held @ request-head: stall forever",
            ])
            let held = try served.probe()
            try held.ask("\(Served.objects)/held")
            let probe = try served.probe()
            for _ in 1...100 {
                try probe.ask("\(Served.objects)/absent")
                #expect(try probe.readAnswer().status == 404)
            }
            #expect(try served.end(number).status == 0)
            let lines = try served.scratch.text("journal").split(separator: "\n").dropFirst()
            #expect(lines.count == 101)
            #expect(lines.filter { $0.contains("\"ending\":\"open\"") }.count == 1)
        }
    }

    @Test("A served scenario is not judged by a journal that lost something")
    func truncated() throws {
        let scenario = """
            title: Nothing happens
            level: may
            steps: [{wait: 1s}]
            expect: {requests: []}
            """
        let served = try Served(
            ["--scenario", "s.yaml", "--journal-limit", "2", "--journal", "journal"],
            files: ["s.yaml": Data(scenario.utf8)])
        for _ in 1...5 { try served.request("GET", Served.objects) }
        let outcome = try served.end()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("lost the 3 before them"))
        #expect(outcome.output.contains("the 3 oldest exchanges are not in memory any more"))
        #expect(try served.scratch.text("journal").split(separator: "\n").count == 6)
    }

    @Test("The seed is said, and with it a command that makes the same draws again")
    func seed() throws {
        let arguments = ["--seed", "42", "--fault", "download: delay {uniform: [0ms, 1ms]}"]
        let outcome = try Served(arguments).end()
        #expect(outcome.output.contains("seed: 42)"))
        #expect(
            outcome.output.contains(
                "the same draws again: squall serve --fault "
                    + "'download: delay {uniform: [0ms, 1ms]}' --port 0 --seed 42"))
    }
}
