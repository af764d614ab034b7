import ControlAPI
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Objects through the control API", .serialized)
struct ObjectRoutesTests {
    @Test(
        "An object that is put is served to clients, with its type and metadata, and can be got back"
    )
    func put() throws {
        try withControl { run throws in
            let target =
                "/v1/objects/images/x%20y.bin?custom.Mood=calm%20%26%20bright&cacheControl=no-cache"
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let made = try run.ask("PUT", target, bytes, fields: ["Content-Type: image/x-test"])
            #expect(made.status == 201)
            #expect(made["path"] == "images/x y.bin")
            #expect(made["bucket"] == "demo.appspot.com")
            #expect(made["size"] == "100000")
            #expect(made["custom.Mood"] == "calm & bright")
            #expect(made["cacheControl"] == "no-cache")
            #expect(made["live"] == "true")

            let probe = try run.app()
            try probe.ask("/v0/b/demo.appspot.com/o/images%2Fx%20y.bin?alt=media")
            let served = try probe.readAnswer()
            #expect(served.body == bytes)
            #expect(served.head["Content-Type"] == "image/x-test")

            let got = try run.ask("GET", "/v1/objects/images/x%20y.bin").answer
            #expect(got.body == bytes)
            #expect(got.head["Content-Type"] == "image/x-test")
            #expect(got.head["X-Squall-Generation"] == made["generation"])
            let metadata = try run.ask("GET", "/v1/objects/images%2Fx%20y.bin?metadata")
            #expect(metadata["md5Hash"] == made["md5Hash"])
            #expect(metadata["contentType"] == "image/x-test")
        }
    }

    @Test("A second content is a new generation; the first can still be got")
    func generations() throws {
        try withControl { run throws in
            let first = try run.ask("PUT", "/v1/objects/b", "one")
            let second = try run.ask("PUT", "/v1/objects/b", "second")
            #expect(second.status == 200)
            let old = try #require(first["generation"])
            #expect(try run.text("GET", "/v1/objects/b?generation=\(old)") == "one")
            #expect(try run.text("GET", "/v1/objects/b") == "second")
            #expect(try run.status("GET", "/v1/objects/b?generation=7") == 404)
            #expect(try run.value("removed.size", "DELETE", "/v1/objects/b") == "6")
            #expect(try run.status("GET", "/v1/objects/b") == 404)
            let all = try run.ask("GET", "/v1/objects?generations&prefix=b")
            #expect(all["objects.0.size"] == "3")
            #expect(all["objects.1.size"] == "6")
            #expect(all["objects.1.live"] == "false")
            #expect(try run.value("objects", "GET", "/v1/objects?prefix=b") == "[]")
        }
    }

    @Test("An empty object is one; a path that is none is refused")
    func edges() throws {
        try withControl { run throws in
            #expect(try run.value("size", "PUT", "/v1/objects/empty") == "0")
            let long = String(repeating: "x", count: 1025)
            #expect(try run.status("PUT", "/v1/objects/\(long)", "x") == 400)
            #expect(try run.status("DELETE", "/v1/objects/nothing") == 404)
            #expect(
                try run.value("error.path", "PUT", "/v1/objects/a?custm.x=1", "x") == "?custm.x")
        }
    }

    @Test("Objects are given by their description as in a scenario: made content costs no memory")
    func given() throws {
        try withControl { run throws in
            let reply = try run.ask(
                "POST", "/v1/objects",
                """
                {"images/stars.jpg": {"size": "5TiB", "seed": 7, "contentType": "image/jpeg",
                    "custom": {"mood": "calm"}},
                 "batch/${n}.bin": {"size": "10KiB", "seed": 1, "copies": 3},
                 "note.txt": {"text": "hello"}}
                """)
            #expect(reply.status == 201, "\(reply.answer.text)")
            #expect(reply["objects.0.size"] == "5497558138880")
            #expect(reply["objects.0.custom.mood"] == "calm")
            #expect(reply["objects.3.path"] == "batch/3.bin")
            #expect(try run.value("bytes", "GET", "/v1/health") == "0")
            let probe = try run.app()
            try probe.ask(
                "/v0/b/demo.appspot.com/o/images%2Fstars.jpg?alt=media",
                fields: ["Range: bytes=5497558138870-"])
            let wanted = SyntheticContent(size: 5 << 40, seed: 7)
                .bytes(in: (5 << 40) - 10..<(5 << 40))
            #expect(try probe.readAnswer().body == wanted)
        }
    }

    @Test("A description that is wrong is told with its place, and names no file of this machine")
    func wrongDescription() throws {
        try withControl { run throws in
            let file = try run.ask("POST", "/v1/objects", #"{"x": {"file": "passwd"}}"#)
            #expect(file.status == 400)
            #expect(file["error.path"] == "x.file")
            let size = try run.ask("POST", "/v1/objects", #"{"x": {"size": "10KB", "seed": 1}}"#)
            #expect(size["error.suggestion"] == "10KiB")
            #expect(size["error.column"] == "16")
            #expect(try run.value("objects", "GET", "/v1/objects?prefix=x") == "[]")
        }
    }

    @Test("Another bucket is meant by its name, and has its own objects")
    func buckets() throws {
        try withControl { run throws in
            #expect(try run.value("bucket", "PUT", "/v1/objects/b?bucket=other", "x") == "other")
            #expect(try run.status("GET", "/v1/objects/b") == 404)
            #expect(try run.text("GET", "/v1/objects/b?bucket=other") == "x")
            let list = try run.ask("GET", "/v1/objects?bucket=other")
            // What the server was started with is there, too.
            #expect(list["objects.0.path"] == "a")
            #expect(list["objects.1.path"] == "b")
        }
    }

    @Test("A full backend takes no object, and says so")
    func full() throws {
        try withControl { run throws in
            #expect(try run.status("POST", "/v1/backend", "{server: {full: true}}") == 200)
            #expect(try run.status("PUT", "/v1/objects/b", "x") == 507)
        }
    }
}

@Suite("Snapshots through the control API", .serialized)
struct SnapshotRoutesTests {
    @Test("A snapshot brings every object back, also after uploads, deletions and changes")
    func restores() throws {
        try withControl { run throws in
            let before = try run.ask("PUT", "/v1/objects/keep?custom.a=1", "one")
            let made = try run.ask("PUT", "/v1/snapshots/before")
            #expect(made.status == 201)
            #expect(made["objects"] == "2")
            try run.ask("DELETE", "/v1/objects/keep")
            try run.ask("PUT", "/v1/objects/keep", "another")
            #expect(try run.finish(try run.start("new"), [1, 2, 3]) == 200)
            #expect(try run.status("POST", "/v1/snapshots/before/restore") == 200)
            #expect(try run.text("GET", "/v1/objects/keep") == "one")
            #expect(try run.json("GET", "/v1/objects/keep?metadata") == before.json)
            #expect(try run.download("new") == 404)
            // Again, after further changes.
            try run.ask("PUT", "/v1/objects/keep", "third")
            try run.ask("POST", "/v1/snapshots/before/restore")
            #expect(try run.download("keep") == 200)
            #expect(try run.text("GET", "/v1/objects/keep") == "one")
        }
    }

    @Test("Snapshots have names, and are listed, replaced and removed by them")
    func names() throws {
        try withControl { run throws in
            #expect(try run.status("PUT", "/v1/snapshots/b") == 201)
            try run.ask("PUT", "/v1/objects/x", "1")
            #expect(try run.status("PUT", "/v1/snapshots/a") == 201)
            #expect(try run.status("PUT", "/v1/snapshots/b") == 200)
            let list = try run.ask("GET", "/v1/snapshots")
            #expect(list["snapshots.0.snapshot"] == "a")
            #expect(list["snapshots.1.snapshot"] == "b")
            #expect(try run.value("bytes", "GET", "/v1/snapshots/b") == list["snapshots.1.bytes"])
            #expect(try run.status("DELETE", "/v1/snapshots/a") == 200)
            #expect(try run.status("POST", "/v1/snapshots/a/restore") == 404)
            #expect(try run.status("PUT", "/v1/snapshots/Not%20a%20name") == 400)
        }
    }

    @Test("There are only so many")
    func limit() throws {
        var options = ControlOptions()
        options.snapshots = 1
        try withControl(options: options) { run throws in
            #expect(try run.status("PUT", "/v1/snapshots/a") == 201)
            #expect(try run.status("PUT", "/v1/snapshots/b") == 409)
            #expect(try run.status("PUT", "/v1/snapshots/a") == 200)
        }
    }
}
