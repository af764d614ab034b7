import EventLoop
import Foundation
import StorageModel
import Testing

@testable import CloudStorage

/// The numbers are those of `scenarios/BEHAVIOURS.md`: what the public tests of the SDKs assert.
@Suite("Behaviours of the SDKs that need no server")
struct BehaviourTests {
    private final class NoTransport: HTTPTransport {
        func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int { 0 }
        func cancel(_ id: Int) {}
        func shutDown() {}
    }

    private func storage(of bucket: String) throws -> Storage {
        Storage(
            bucket: bucket, engine: StorageEngine(loop: try EventLoop(), transport: NoTransport()))
    }

    @Test("A download URL has the first token, escaped, and there is none without (C103 to C106)")
    func downloadURLs() throws {
        let reference = try storage(of: "my bucket").reference(withPath: "a b/ü+?.txt")
        func url(_ dictionary: [String: Any]) -> String? {
            StorageOperation.downloadURL(MetadataFields(dictionary: dictionary), reference)?
                .absoluteString
        }
        #expect(url([:]) == nil)
        #expect(url(["downloadTokens": ""]) == nil)
        let whole =
            "https://firebasestorage.googleapis.com/v0/b/my%20bucket/o/a%20b%2F%C3%BC%2B%3F.txt"
            + "?alt=media&token=o%2Fne"
        #expect(url(["downloadTokens": "o/ne,two"]) == whole)
        #expect(url(["downloadTokens": "o/ne", "metadata": [String: String]()]) == whole)
    }

    @Test("A negative retry time, and one that is no number, counts as none (C173)")
    func negativeTimes() throws {
        let storage = try storage(of: "bucket")
        for time in [-1, -.infinity, .nan] as [TimeInterval] {
            storage.maxUploadRetryTime = time
            storage.maxDownloadRetryTime = time
            storage.maxOperationRetryTime = time
            #expect(storage.maxUploadRetryTime == 0)
            #expect(storage.maxDownloadRetryTime == 0)
            #expect(storage.maxOperationRetryTime == 0)
        }
    }
}
