import Dispatch
import Foundation

// The one place that chooses the library: on a Mac with the Apple SDK that, else the reference client.
#if canImport(FirebaseStorage)
    @_exported import FirebaseCore
    @_exported import FirebaseStorage
#else
    @_exported import CloudStorage
#endif

/// Where the two libraries differ: how a storage is made, and what they can do.
enum StorageLibrary {
    #if canImport(FirebaseStorage)
        static let name = "firebase-apple"
        static let profile = "apple"
        static let extraCapabilities: [String] = []

        /// An app for each run: an emulator's address cannot be changed once a storage is in use.
        static func storage(bucket: String, run: Int64, queue: DispatchQueue) throws -> Storage {
            let name = "run-\(run)"
            if FirebaseApp.app(name: name) == nil {
                let options = FirebaseOptions(
                    googleAppID: "1:1:ios:1", gcmSenderID: "1")
                options.projectID = "demo"
                options.apiKey = "demo"
                FirebaseApp.configure(name: name, options: options)
            }
            guard let app = FirebaseApp.app(name: name) else { throw Missing() }
            let storage = Storage.storage(app: app, url: "gs://\(bucket)")
            storage.callbackQueue = queue
            return storage
        }

        struct Missing: Error {}
    #else
        static let name = "cloud-storage-swift"
        static let profile = "documented"
        static let extraCapabilities = [
            "checksums", "local-faults", "session-restart", "decoding", "keep-alive", "no-resend",
        ]

        static func storage(bucket: String, run: Int64, queue: DispatchQueue) throws -> Storage {
            let app = StorageApp(name: "run-\(run)")
            let storage = Storage.storage(app: app, url: "gs://\(bucket)")
            storage.callbackQueue = queue
            return storage
        }
    #endif
}
