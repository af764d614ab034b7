import CloudStorage
import Foundation

// The code of Conformance/CLOUDSTORAGE.md, piece by piece in its order.

struct ServiceAccount: StorageTokenProvider {
    func token(forcingRefresh: Bool) async throws -> String? { "a token" }
}

func setUp() -> Storage {
    StorageApp.configure(bucket: "demo.appspot.com", tokenProvider: ServiceAccount())
    let storage = Storage.storage()
    storage.maxUploadRetryTime = 60
    return storage
}

func setUpForTests() -> Storage {
    let app = StorageApp(name: "tests", bucket: "demo.appspot.com")
    let storage = Storage.storage(app: app)
    storage.useEmulator(withHost: "127.0.0.1", port: 9199)
    return storage
}

func archive(_ report: URL, in storage: Storage) async throws -> [String] {
    let folder = storage.reference(withPath: "reports")
    let metadata = StorageMetadata()
    metadata.customMetadata = ["origin": "nightly"]
    let stored = try await folder.child(report.lastPathComponent)
        .putFileAsync(from: report, metadata: metadata)
    print("\(stored.name ?? "") has \(stored.size) bytes")
    return try await folder.listAll().items.map(\.name)
}

func content(at path: String, in storage: Storage) async throws -> Data? {
    do {
        return try await storage.reference(withPath: path).data(maxSize: 10 << 20)
    } catch StorageError.objectNotFound {
        return nil
    } catch let error as StorageError {
        if case .downloadSizeExceeded(let total, let maxSize) = error.kind {
            print("\(path) has \(total) bytes, and \(maxSize) are allowed")
        }
        throw error
    }
}

func upload(_ data: Data, to reference: StorageReference) async -> Bool {
    let task = reference.putData(data)
    for await snapshot in task.snapshots {
        switch snapshot.status {
        case .progress: print(snapshot.progress?.fractionCompleted ?? 0)
        case .success: return true
        default: break
        }
    }
    return false
}
