import Foundation
import Testing
import WireProbe

@Suite("A served scenario", .serialized)
struct ServedScenarioTests {
    private static let scenario = """
        title: An upload that is cut goes on where the backend stands
        source: [D5]
        faults:
          - {name: cut, match: upload.body#1, at: request-body 60%, do: {disconnect: reset}}
        steps:
          - {upload: images/rivers.jpg, as: up, data: {size: 600000, seed: 1}}
        expect:
          up: {events: [resume, progress+, success]}
          stored:
            images/rivers.jpg: {same-as: up}
          requests: [upload.start, upload.finalize, upload.query, upload.finalize]
          sessions: {started: 1, open: 0}

        """

    private func serve(_ text: String) throws -> Served {
        try Served(
            ["--scenario", "up.yaml", "--sources", "made"], files: ["up.yaml": Data(text.utf8)])
    }

    private func source(_ served: Served, _ task: String = "up") throws -> [UInt8] {
        Array(try Data(contentsOf: served.scratch.url.appending(path: "made/\(task)")))
    }

    @Test("Is green where the client did as the file says, and tells what it could not see")
    func green() throws {
        let served = try serve(Self.scenario)
        #expect(
            try served.output.contains("upload 600000 to images/rivers.jpg from made/up   (up)"))
        try served.upload("images%2Frivers.jpg", source(served))
        let outcome = try served.end()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("\npassed up\n"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("not judged here: up (events)\n"), "\(outcome.output)")
    }

    @Test("Fails where other bytes are stored, and says from which byte on")
    func otherBytes() throws {
        let served = try serve(Self.scenario)
        var bytes = try source(served)
        bytes[300_000] ^= 1
        try served.upload("images%2Frivers.jpg", bytes)
        let outcome = try served.end()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "FAILED up: images/rivers.jpg: the object differs from the source of 'up' "
                    + "at byte 300000"), "\(outcome.output)")
        #expect(outcome.output.contains("at up.yaml:10:"), "\(outcome.output)")
    }

    @Test("Fails where another session was begun, with the difference of the requests")
    func otherRequests() throws {
        let served = try serve(Self.scenario)
        let bytes = try source(served)
        let target = try served.start("images%2Frivers.jpg", size: bytes.count)
        #expect(try served.finalize(target, bytes) == nil)
        let other = try served.start("images%2Frivers.jpg", size: bytes.count)
        // A new start after body bytes is a new try: the fault comes back.
        #expect(try served.finalize(other, bytes) == nil)
        let size = try served.query(other)
        try served.finalize(other, offset: size, Array(bytes[size...]))
        let outcome = try served.end()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("upload sessions started: 2"), "\(outcome.output)")
        #expect(outcome.output.contains("expected         seen"), "\(outcome.output)")
    }

    @Test("Is void where its fault never fired")
    func unfired() throws {
        let text = """
            title: A download is told its end
            source: [D5]
            faults: [{name: late, match: "download#2", do: {respond: 404}}]
            backend:
              objects:
                a.txt: {size: 10, seed: 1}
            steps:
              - {download: a.txt, as: down, to: file}
            expect:
              down: {events: [resume, progress+, success]}

            """
        let served = try serve(text)
        #expect(try served.request("GET", "\(Served.objects)/a.txt?alt=media")?.status == 200)
        let outcome = try served.end()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(
            outcome.output.contains("VOID up: the fault 'late' never fired"), "\(outcome.output)")
    }

    @Test("Is void where no request came")
    func nothing() throws {
        let served = try serve("title: Nothing is asked\nsource: [D5]\nsteps: [{delete: a}]\n")
        let outcome = try served.end()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("VOID up: no request came"), "\(outcome.output)")
    }

    @Test("Fails where the server complained of the client")
    func complaint() throws {
        let served = try serve("title: Nothing is asked\nsource: [D5]\nsteps: [{delete: a}]\n")
        let target = try served.start("a", size: 10)
        try served.finalize(target, offset: 5, [1, 2, 3, 4, 5])
        let outcome = try served.end()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("FAILED up"), "\(outcome.output)")
        #expect(outcome.output.contains("[no-complaint]"), "\(outcome.output)")
    }

    @Test("Its link goes down and comes back at the times of the file")
    func link() throws {
        let text = """
            title: An object is deleted when the link is there again
            source: [D5]
            backend:
              link:
                - {at: 0s, state: down, how: refuse}
                - {at: 1s, state: up}
              objects:
                a.txt: {size: 10, seed: 1}
            steps: [{delete: a.txt}]
            expect:
              stored:
                a.txt: absent
              exchanges:
                - {match: delete, count: 1}

            """
        let served = try serve(text)
        #expect(throws: (any Error).self) { try served.probe() }
        // Nothing tells of a port that listens but an attempt to connect.
        let deadline = ContinuousClock.now + .seconds(10)
        while (try? served.probe()) == nil { try #require(ContinuousClock.now < deadline) }
        #expect(try served.request("DELETE", "\(Served.objects)/a.txt")?.status == 204)
        let outcome = try served.end()
        #expect(outcome.status == 0, "\(outcome.all)")
    }

    @Test("A token of the file is asked for, and another is refused")
    func tokens() throws {
        let text = """
            title: Only the signed-in user may read
            source: [D5]
            backend:
              access: signed-in
              tokens: {alice: {}}
              objects:
                a.txt: {size: 10, seed: 1}
            steps: [{get-metadata: a.txt}]
            expect:
              exchanges:
                - {match: metadata.get, count: 2}

            """
        let served = try serve(text)
        let target = "\(Served.objects)/a.txt"
        let good = try served.request("GET", target, fields: ["Authorization: Bearer alice"])
        #expect(good?.status == 200)
        let bad = try served.request("GET", target, fields: ["Authorization: Bearer mallory"])
        #expect(bad?.status == 401)
        _ = try served.end()
    }

    @Test("A file with a matrix is refused with a row that would do")
    func matrix() throws {
        let scratch = try Scratch()
        try scratch.file(
            "rows.yaml",
            """
            title: A download of ${size} bytes is whole
            source: [D5]
            matrix: {size: [1, 2]}
            backend:
              objects:
                a.txt: {size: "${size}", seed: 1}
            steps: [{download: a.txt, as: down, to: file}]

            """)
        let outcome = try Command.squall(
            "serve", "--port", "0", "--scenario", "rows.yaml", in: scratch.url)
        #expect(outcome.status == 3, "\(outcome.all)")
        #expect(outcome.errors.contains("did you mean 'rows.yaml[size=1]'?"), "\(outcome.errors)")
    }

    @Test("A file that waits for an event of the client is refused with the place")
    func clientTrigger() throws {
        let scratch = try Scratch()
        try scratch.file(
            "wait.yaml",
            """
            title: A download is held until the upload has ended
            source: [D5]
            faults:
              - {match: download, at: response-head, do: {hold: up success}}
            steps:
              - {upload: a.txt, as: up, data: {size: 10, seed: 1}}
              - {download: a.txt, as: down, to: file}

            """)
        let outcome = try Command.squall(
            "serve", "--port", "0", "--scenario", "wait.yaml", in: scratch.url)
        #expect(outcome.status == 3, "\(outcome.all)")
        #expect(outcome.errors.contains("wait.yaml:4:"), "\(outcome.errors)")
        #expect(outcome.errors.contains("never an event of the task 'up'"), "\(outcome.errors)")
    }
}
