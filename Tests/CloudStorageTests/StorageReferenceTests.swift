import EventLoop
import Foundation
import Testing

@testable import CloudStorage

@Suite("Storage reference")
struct StorageReferenceTests {
    private func storage(of bucket: String = "bucket") throws -> Storage {
        let engine = StorageEngine(loop: try EventLoop(), transport: NoTransport())
        return Storage(bucket: bucket, engine: engine)
    }

    private final class NoTransport: HTTPTransport {
        func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int { 0 }
        func cancel(_ id: Int) {}
        func shutDown() {}
    }

    @Test(
        "Reads URLs",
        arguments: [
            ("gs://bucket", "gs://bucket/"), ("gs://bucket/", "gs://bucket/"),
            ("gs://bucket/path/to/object", "gs://bucket/path/to/object"),
            ("gs://bucket/child/", "gs://bucket/child"),
            ("gs://bucket//child", "gs://bucket/child"),
            ("gs://bucket//a///b////", "gs://bucket/a/b"),
            ("gs://bucket/a?b#c%20d", "gs://bucket/a?b#c%20d"),
            ("http://host/v0/b/bucket/o/a%2Fb%20c?token=x", "gs://bucket/a/b c"),
            ("http://localhost:9199/v0/b/bucket", "gs://bucket/"),
            ("https://host/v0/b/bucket/", "gs://bucket/"),
            ("https://host/v0/b/bucket/o", "gs://bucket/"),
            ("https://host/v0/b/bucket/o/a%3Fb%2B", "gs://bucket/a?b+"),
            ("https://host/b/bucket/o/images%20stars.jpg", "gs://bucket/images stars.jpg"),
        ])
    func urls(url: String, text: String) throws {
        let storage = try self.storage()
        #expect(storage.reference(forURL: url).description == text)
    }

    @Test(
        "Refuses URLs that name no place in a bucket",
        arguments: [
            "gs://", "gs:///", "gs:///a", "http://host", "http://host/v0/b/", "http://host/v0/c/b",
            "http://host/v0/b/bucket/x/a", "http://host/v1/b/bucket/o/a", "ftp://bucket/a", "",
            "http://host/b/", "http://host/b/bucket/x/a",
            "bucket/a", "/v0/b/bucket/o/a",
        ])
    func badURLs(url: String) throws {
        let storage = try self.storage()
        do {
            let reference = try storage.checkedReference(forURL: url)
            Issue.record("it is \(reference)")
        } catch { #expect(StorageFailure(error)?.code == .pathError) }
    }

    @Test("Refuses another bucket, naming both, unless any may be referred to")
    func otherBucket() throws {
        let storage = try self.storage()
        do {
            _ = try storage.checkedReference(forURL: "gs://other/a")
            Issue.record("it is taken")
        } catch {
            #expect(StorageFailure(error)?.code == .bucketMismatch)
            #expect(error.message.contains("`other`"))
            #expect(error.message.contains("`bucket`"))
        }
        let any = try self.storage(of: "")
        #expect(any.reference(forURL: "gs://other/a").bucket == "other")
    }

    @Test("Goes up and down, and tells its name and path")
    func places() throws {
        let storage = try self.storage()
        let root = storage.reference()
        let deep = root.child("images/space.jpg")
        #expect(deep == root.child("images").child("space.jpg"))
        #expect(deep == storage.reference(withPath: "/images//space.jpg/"))
        #expect(deep != root.child("space.jpg"))
        #expect(deep.name == root.child("space.jpg").name)
        #expect(deep.fullPath == "images/space.jpg")
        #expect(deep.bucket == "bucket")
        #expect(deep.root() == root)
        #expect(deep.parent()?.fullPath == "images")
        #expect(deep.parent()?.parent() == root)
        #expect(root.parent() == nil)
        #expect(root.name == "")
        #expect(root.fullPath == "")
        #expect(root.child("") == root)
        #expect(root.child("///") == root)
        #expect(storage.reference(withPath: "path/to////").parent()?.fullPath == "path")
        #expect(storage.reference(withPath: "////").parent() == nil)
    }

    @Test("Made of a wrong URL, fails in each place that is reached from it, with that error")
    func flaws() async throws {
        let storage = Storage.storage(app: StorageApp(bucket: "bucket"))
        for (url, code) in [
            ("ftp://a/b", StorageErrorCode.pathError), ("gs://x/b", .bucketMismatch),
        ] {
            let wrong = storage.reference(forURL: url)
            for reference in [wrong, wrong.child("a"), wrong.child("a").root()] {
                do {
                    _ = try await reference.getMetadata()
                    Issue.record("it has metadata")
                } catch { #expect(code ~= error) }
            }
            #expect(wrong.parent() == nil)
            #expect(wrong != storage.reference())
        }
    }

    @Test("Escapes its path as one segment")
    func address() throws {
        let storage = try self.storage()
        #expect(
            storage.reference(withPath: "a b/ü+?#").address
                == "https://firebasestorage.googleapis.com/v0/b/bucket/o/a%20b%2F%C3%BC%2B%3F%23"
        )
        let emulated = try self.storage()
        emulated.useEmulator(withHost: "::1", port: 9199)
        #expect(emulated.reference().address == "http://[::1]:9199/v0/b/bucket/o")
    }

    @Test(
        "Gives the token over TLS or to this machine alone",
        arguments: [
            ("https://example.com", true), ("http://example.com", false),
            ("http://localhost:9199", true), ("http://127.0.0.1", true), ("http://[::1]:1", true),
            ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false),
        ])
    func tokenSafety(url: String, isSafe: Bool) throws {
        #expect(try #require(StorageEndpoint(url: url)).mayCarryToken == isSafe)
    }

    @Test(
        "Refuses what is no endpoint",
        arguments: [
            "", "host", "ftp://host", "http://", "http://host:0", "http://host:x", "http://[::1",
        ]
    )
    func badEndpoints(url: String) {
        #expect(StorageEndpoint(url: url) == nil)
    }
}
