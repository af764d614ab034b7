import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// The numbers are those of the behaviours that the product's own public tests assert.
@Suite("Storage app")
struct StorageAppTests {
    private let app = StorageApp(name: "one", bucket: "demo.appspot.com")

    @Test("Gives one storage for a bucket, and another one for another bucket (44, 50)")
    func cache() {
        let storage = Storage.storage(app: app)
        #expect(storage === Storage.storage(app: app))
        #expect(storage === Storage.storage(app: app, url: "gs://demo.appspot.com"))
        #expect(storage === Storage.storage(app: app, url: "gs://demo.appspot.com/"))
        let other = Storage.storage(app: app, url: "gs://other")
        #expect(storage !== other)
        #expect(storage != other)
        #expect(storage.app === app)
        #expect(storage.bucket == "demo.appspot.com")
    }

    @Test("Has storages that differ from those of another app of the same name (49)")
    func otherApps() {
        let twin = StorageApp(name: "one", bucket: "demo.appspot.com")
        #expect(twin != app)
        #expect(Storage.storage(app: app) != Storage.storage(app: twin))
        #expect(Storage.storage(app: app).reference() != Storage.storage(app: twin).reference())
    }

    @Test("Keeps what a storage was told, though nobody holds the storage (48)")
    func settings() {
        Storage.storage(app: app).maxUploadRetryTime = 7
        Storage.storage(app: app, url: "gs://other").maxUploadRetryTime = 8
        #expect(Storage.storage(app: app).maxUploadRetryTime == 7)
        #expect(Storage.storage(app: app).hashValue == Storage.storage(app: app).hashValue)
    }

    @Test("Goes with its storages when nobody holds them (51)")
    func release() {
        weak var app: StorageApp?
        weak var storage: Storage?
        func use() {
            let made = StorageApp(bucket: "b")
            let reference = Storage.storage(app: made).reference(withPath: "a")
            (app, storage) = (made, reference.storage)
            #expect(storage != nil)
        }
        use()
        #expect(app == nil)
        #expect(storage == nil)
    }

    @Test(
        "Takes its bucket with and without a scheme (43)",
        arguments: ["bucket", "gs://bucket", "gs://bucket/", "GS://bucket"])
    func bucketNames(name: String) {
        let storage = Storage.storage(app: StorageApp(bucket: name))
        #expect(storage.reference().description == "gs://bucket/")
        #expect(storage == Storage.storage(app: storage.app, url: "gs://bucket"))
    }

    @Test("Refers to any bucket where its own is empty, and not to the empty one (41)")
    func anyBucket() async {
        let storage = Storage.storage(app: StorageApp(bucket: ""))
        #expect(storage.reference(forURL: "gs://other/a").bucket == "other")
        let failure = await Self.failure(storage.reference(withPath: "a"))
        #expect(failure?.code == .invalidArgument)
    }

    @Test(
        "Gives a storage that fails for what is no bucket's URL (47)",
        arguments: [
            ("gs://bucket/a", StorageErrorCode.invalidArgument),
            ("https://bucket", .pathError), ("http://host/v0/b/bucket", .invalidArgument),
            ("bucket", .pathError), ("gs://", .pathError), ("", .pathError),
        ])
    func badURLs(url: String, code: StorageErrorCode) async {
        let storage = Storage.storage(app: app, url: url)
        #expect(storage.app === app)
        let failure = await Self.failure(storage.reference(withPath: "a"))
        #expect(failure?.code == code)
        #expect(failure?.message.contains("\"\(url)\"") == true)
    }

    @Test("Gives a storage that fails where the app has no bucket, and one that works for a URL")
    func noBucket() async {
        let app = StorageApp(name: "lonely")
        let failure = await Self.failure(Storage.storage(app: app).reference(withPath: "a"))
        #expect(failure?.code == .invalidArgument)
        #expect(failure?.message.contains("lonely") == true)
        #expect(Storage.storage(app: app, url: "gs://b").reference().bucket == "b")
    }

    @Test("Gives a storage that fails where no app was configured, in each kind of operation")
    func noApp() async {
        let storage = Storage.storage(of: nil, url: nil)
        let reference = storage.reference().child("a")
        let seen = Recorder<StorageErrorCode?>()
        let note: @Sendable ((any Error)?) -> Void = { error in
            seen.append(error.flatMap { StorageFailure($0)?.code })
        }
        reference.putData(Data()) { _, error in note(error) }
        reference.putFile(from: URL(fileURLWithPath: "/nowhere")) { _, error in note(error) }
        reference.getData(maxSize: 1) { _, error in note(error) }
        reference.write(toFile: URL(fileURLWithPath: "/nowhere")) { _, error in note(error) }
        reference.getMetadata { _, error in note(error) }
        reference.updateMetadata(StorageMetadata()) { _, error in note(error) }
        reference.downloadURL { _, error in note(error) }
        reference.delete { note($0) }
        reference.listAll { _, error in note(error) }
        reference.list(maxResults: 1) { _, error in note(error) }
        do {
            let codes = try seen.wait(count: 10)
            #expect(codes == Array(repeating: .invalidArgument, count: 10))
        } catch { Issue.record("\(error)") }
    }

    // MARK: Emulators

    @Test("Fails until an emulator's address is good (45, 46)", arguments: [("", 9199), ("h", -1)])
    func badEmulator(host: String, port: Int) async {
        let storage = Storage.storage(app: app, url: "gs://emulated")
        storage.useEmulator(withHost: host, port: port)
        let failure = await Self.failure(storage.reference(withPath: "a"))
        #expect(failure?.code == .invalidArgument)
        #expect(failure?.message.contains("useEmulator") == true)
    }

    @Test("Fails for good when an emulator is named after a reference was made (46)")
    func lateEmulator() async {
        let storage = Storage.storage(app: app, url: "gs://late")
        let before = storage.reference(withPath: "a")
        storage.useEmulator(withHost: "127.0.0.1", port: 1)
        for reference in [before, storage.reference(withPath: "b")] {
            let failure = await Self.failure(reference)
            #expect(failure?.code == .invalidArgument)
            #expect(failure?.message.contains("call it first") == true)
        }
    }

    @Test("May be told the same emulator again at any time")
    func sameEmulator() {
        let storage = Storage.storage(app: app, url: "gs://same")
        storage.useEmulator(withHost: "127.0.0.1", port: 1)
        let reference = storage.reference(withPath: "a")
        storage.useEmulator(withHost: "127.0.0.1", port: 1)
        #expect((try? reference.engine.get()) != nil)
        #expect(reference.address == "http://127.0.0.1:1/v0/b/same/o/a")
    }

    private static func failure(_ reference: StorageReference) async -> StorageFailure? {
        do {
            let metadata = try await reference.getMetadata()
            Issue.record("it has \(metadata)")
            return nil
        } catch { return StorageFailure(error) }
    }
}
