import CloudStorage
import Foundation
import TestSupport
import Testing

/// What the product's reference pages name beside the two guides: results, async forms, lists, errors,
/// credentials, the default app.
@Suite("Documented usage beside the guides")
struct FurtherUsageTests {
    @Test("Every completion has a form with a result")
    func results() async throws {
        try await UsageBackend.with { (backend) async throws in
            let reference = backend.storage.reference(withPath: "a/b.bin")
            let local = URL(fileURLWithPath: backend.folder.path(of: "b.bin"))
            let file = try backend.localFile()
            let seen = Recorder<String>()
            @Sendable func note<Value>(_ what: String, _ result: Result<Value, any Error>) {
                do {
                    _ = try result.get()
                    seen.append(what)
                } catch { seen.append("\(what): \(error)") }
            }
            reference.putData(Data([1])) { result in note("putData", result) }
            try seen.wait(count: 1)
            reference.putFile(from: file) { result in note("putFile", result) }
            try seen.wait(count: 2)
            reference.getData(maxSize: 1 << 20) { result in note("getData", result) }
            reference.write(toFile: local) { result in note("write", result) }
            reference.downloadURL { result in note("downloadURL", result) }
            reference.getMetadata { result in note("getMetadata", result) }
            reference.updateMetadata(StorageMetadata()) { result in note("updateMetadata", result) }
            reference.root().listAll { result in note("listAll", result) }
            reference.root().list(maxResults: 1) { result in note("list", result) }
            let first = try await reference.root().list(maxResults: 1)
            let token = try #require(first.pageToken)
            reference.root().list(maxResults: 1, pageToken: token) { result in note("page", result)
            }
            try seen.wait(count: 10)
            #expect(
                Set(seen.values) == [
                    "putData", "putFile", "getData", "write", "downloadURL", "getMetadata",
                    "updateMetadata", "listAll", "list", "page",
                ])
        }
    }

    @Test("Every call has an async form, and transfers tell their progress")
    func asyncForms() async throws {
        try await UsageBackend.with { (backend) async throws in
            let reference = backend.storage.reference(withPath: "a/b.bin")
            let seen = Recorder<Int64?>()
            let note: @Sendable (Progress?) -> Void = { seen.append($0?.completedUnitCount) }
            let local = URL(fileURLWithPath: backend.folder.path(of: "b.bin"))
            let stored = try await reference.putDataAsync(UsageBackend.content, onProgress: note)
            #expect(stored.size == 700_000)
            #expect(seen.values == [262_144, 524_288, 700_000])
            seen.removeAll()
            let file = try backend.localFile()
            let again = try await reference.putFileAsync(from: file, onProgress: note)
            #expect(again.contentType == "image/jpeg")
            #expect(again.generation > stored.generation)
            #expect(seen.values == [262_144, 524_288, 700_000])
            seen.removeAll()
            #expect(try await reference.writeAsync(toFile: local, onProgress: note) == local)
            #expect(seen.values.last == 700_000)
            #expect(try await reference.data(maxSize: 1 << 20) == UsageBackend.content)
            let change = try await reference.getMetadata()
            change.contentType = "image/png"
            #expect(try await reference.updateMetadata(change).contentType == "image/png")
            #expect(try await reference.downloadURL().scheme == "http")
            #expect(try await reference.root().list(maxResults: 10).prefixes.count == 2)
            try await reference.delete()
            #expect(try await reference.root().listAll().prefixes.map(\.name) == ["images"])
        }
    }

    @Test("Lists come page by page")
    func list() async throws {
        try await UsageBackend.with { (backend) async throws in
            let folder = backend.storage.reference().child("images")
            for name in ["a", "b", "c/d"] {
                _ = try await folder.child(name).putDataAsync(Data([1]))
            }
            let seen = Recorder<StorageListResult?>()
            folder.list(maxResults: 2) { list, error in seen.append(error == nil ? list : nil) }
            let first = try #require(try seen.wait(count: 1)[0])
            #expect(first.items == [folder.child("a"), folder.child("b")])
            let token = try #require(first.pageToken)
            folder.list(maxResults: 2, pageToken: token) { list, _ in seen.append(list) }
            let second = try #require(try seen.wait(count: 2)[1])
            #expect(second.prefixes == [folder.child("c")])
            #expect(second.items == [folder.child("stars.jpg")])
            #expect(second.pageToken == nil)
            let refused = Recorder<NSError?>()
            folder.list(maxResults: 1001) { _, error in refused.append(error as? NSError) }
            let code = try refused.wait(count: 1)[0]?.code
            #expect(code == StorageErrorCode.invalidArgument.rawValue)
        }
    }

    @Test("Errors are caught by code, by case with what they carry, and as NSError")
    func errors() async throws {
        try await UsageBackend.with { (backend) async throws in
            let reference = backend.storage.reference(withPath: "images/no-such.jpg")
            do {
                try await reference.delete()
                Issue.record("it was deleted")
            } catch StorageError.unauthorized {
                Issue.record("the wrong code")
            } catch StorageError.objectNotFound {
                // As it should be.
            }
            do {
                _ = try await reference.getMetadata()
            } catch let error as StorageError {
                guard case .objectNotFound(let object, let answer) = error.kind else {
                    Issue.record("it is \(error.kind)")
                    return
                }
                #expect(object == "images/no-such.jpg")
                #expect(answer["ResponseErrorCode"] as? Int == 404)
                #expect(answer["bucket"] as? String == "demo.appspot.com")
            }
            do {
                _ = try await reference.data(maxSize: 1)
            } catch let error as NSError {
                #expect(error.domain == StorageErrorDomain)
                #expect(error.code == StorageErrorCode.objectNotFound.rawValue)
                #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
                #expect(!error.localizedDescription.isEmpty)
            }
        }
    }

    @Test("A reference of a wrong URL fails, and the throwing form throws")
    func wrongURLs() async throws {
        try await UsageBackend.with { (backend) async throws in
            let storage = backend.storage
            let wrong = storage.reference(forURL: "https://example.com/stars.jpg")
            await #expect(throws: StorageError.self) { try await wrong.getMetadata() }
            let other = try #require(URL(string: "gs://another-bucket/stars.jpg"))
            #expect { try storage.reference(for: other) } throws: {
                StorageErrorCode.bucketMismatch ~= $0
            }
            let own = try #require(URL(string: "gs://demo.appspot.com/images/stars.jpg"))
            #expect(try storage.reference(for: own).name == "stars.jpg")
        }
    }

    private struct Alice: StorageTokenProvider {
        func token(forcingRefresh: Bool) async throws -> String? { "alice" }
    }

    @Test("A signed-in user reads what nobody else may")
    func tokens() async throws {
        try await UsageBackend.with(signedIn: true, tokens: Alice()) { (backend) async throws in
            let reference = backend.storage.reference(withPath: "images/stars.jpg")
            #expect(try await reference.getMetadata().size == 700_000)
        }
        try await UsageBackend.with(signedIn: true) { (backend) async throws in
            let reference = backend.storage.reference(withPath: "images/stars.jpg")
            await #expect(throws: StorageError.self) { try await reference.getMetadata() }
        }
    }

    @Test("Snapshots come as a sequence that ends with the task")
    func snapshots() async throws {
        try await UsageBackend.with { (backend) async throws in
            let reference = backend.storage.reference(withPath: "a.bin")
            var seen: [StorageTaskStatus] = []
            let task = reference.putData(UsageBackend.content)
            for await snapshot in task.snapshots { seen.append(snapshot.status) }
            // It may begin in the middle, but never without saying that the task runs.
            #expect(seen.first == .resume || seen == [.success])
            #expect(seen.last == .success)
            #expect(seen.count { $0 == .success || $0 == .failure } == 1)
        }
    }

    @Test("The default app is the one that was configured, and gives one storage for a bucket")
    func defaultApp() {
        // The one test of this process that changes the default app.
        let app = StorageApp(name: "mine", bucket: "gs://demo.appspot.com")
        StorageApp.configure(app)
        #expect(StorageApp.default === app)
        let storage = Storage.storage()
        #expect(storage === Storage.storage(url: "gs://demo.appspot.com"))
        #expect(storage === Storage.storage(app: app))
        #expect(storage.app === app)
        #expect(Storage.storage(app: app, url: "gs://other") != storage)
        let made = StorageApp.configure(bucket: "made")
        #expect(Storage.storage().app === made)
        #expect(Storage.storage().bucket == "made")
    }
}
