import CloudStorage
import Foundation
import TestSupport
import Testing

/// What the page on downloads shows, call by call.
@Suite("Documented downloads")
struct DownloadPageTests {
    @Test("References come from a path, a gs:// URL and an escaped https:// URL")
    func references() async throws {
        try await UsageBackend.with { (backend) async throws in
            let storage = backend.storage
            let pathReference = storage.reference(withPath: "images/stars.jpg")
            let gsReference = storage.reference(forURL: "gs://demo.appspot.com/images/stars.jpg")
            let httpsReference = storage.reference(
                forURL: "https://firebasestorage.googleapis.com/b/demo.appspot.com/o/"
                    + "images%2Fstars.jpg")
            #expect(pathReference == gsReference)
            #expect(pathReference == httpsReference)
            for reference in [pathReference, gsReference, httpsReference] {
                #expect(try await reference.getMetadata().size == 700_000)
            }
        }
    }

    @Test("An object comes into memory, and one that is larger than allowed does not")
    func memory() async throws {
        try await UsageBackend.with { (backend) async throws in
            let islandRef = backend.storage.reference().child("images/stars.jpg")
            let seen = Recorder<(data: Data?, error: (any Error)?)>()
            islandRef.getData(maxSize: 1 * 1024 * 1024) { data, error in seen.append((data, error))
            }
            let first = try seen.wait(count: 1)[0]
            #expect(first.data == UsageBackend.content)
            #expect(first.error == nil)
            islandRef.getData(maxSize: 699_999) { data, error in seen.append((data, error)) }
            let second = try seen.wait(count: 2)[1]
            let error = try #require(second.error as? NSError)
            #expect(second.data == nil)
            #expect(error.code == StorageErrorCode.downloadSizeExceeded.rawValue)
            #expect(error.userInfo["totalSize"] as? Int64 == 700_000)
            #expect(error.userInfo["maxAllowedSize"] as? Int64 == 699_999)
        }
    }

    @Test("An object comes into a local file, whose URL the completion gets")
    func file() async throws {
        try await UsageBackend.with { (backend) async throws in
            let islandRef = backend.storage.reference().child("images/stars.jpg")
            let localURL = URL(fileURLWithPath: backend.folder.path(of: "new/island.jpg"))
            let seen = Recorder<URL?>()
            let downloadTask = islandRef.write(toFile: localURL) { url, error in
                seen.append(error == nil ? url : nil)
            }
            #expect(try seen.wait(count: 1) == [localURL])
            #expect(try Data(contentsOf: localURL) == UsageBackend.content)
            #expect(downloadTask.snapshot.metadata == nil)
        }
    }

    @Test("A download URL fetches the object without credentials")
    func url() async throws {
        try await UsageBackend.with { (backend) async throws in
            let starsRef = backend.storage.reference().child("images/stars.jpg")
            let seen = Recorder<URL?>()
            starsRef.downloadURL { url, error in seen.append(error == nil ? url : nil) }
            let url = try #require(try seen.wait(count: 1)[0])
            #expect(url.query?.contains("alt=media&token=") == true)
            #expect(backend.storage.reference(forURL: url.absoluteString) == starsRef)
        }
    }

    @Test("A download pauses, goes on and is observed until its success, in the order of the page")
    func managed() async throws {
        try await UsageBackend.with(["download#1 @ response-body 300000: stall forever"]) {
            (backend) async throws in
            let starsRef = backend.storage.reference().child("images/stars.jpg")
            let localURL = URL(fileURLWithPath: backend.folder.path(of: "stars.jpg"))
            let seen = Recorder<String>()
            backend.inTurn {
                let downloadTask = starsRef.write(toFile: localURL)
                downloadTask.observe(.resume) { _ in seen.append("resume") }
                downloadTask.observe(.pause) { snapshot in
                    seen.append("pause")
                    snapshot.task.resume()
                }
                downloadTask.observe(.progress) { snapshot in
                    let percentComplete =
                        100.0 * Double(snapshot.progress!.completedUnitCount)
                        / Double(snapshot.progress!.totalUnitCount)
                    if snapshot.progress?.completedUnitCount == 262_144 { downloadTask.pause() }
                    if percentComplete == 100 { seen.append("100 %") }
                    #expect(snapshot.metadata == nil)
                }
                downloadTask.observe(.success) { _ in seen.append("success") }
                downloadTask.observe(.failure) { seen.append("\($0)") }
            }
            try seen.wait(for: "the end") { $0.contains("success") }
            #expect(seen.values == ["resume", "pause", "resume", "100 %", "success"])
            #expect(try Data(contentsOf: localURL) == UsageBackend.content)
        }
    }

    @Test("A failed download tells why in its failure alone, by the page's own switch")
    func failure() async throws {
        try await UsageBackend.with { (backend) async throws in
            let starsRef = backend.storage.reference().child("images/no-such.jpg")
            let localURL = URL(fileURLWithPath: backend.folder.path(of: "stars.jpg"))
            let seen = Recorder<String>()
            let downloadTask = starsRef.write(toFile: localURL)
            downloadTask.observe(.success) { _ in seen.append("success") }
            downloadTask.observe(.failure) { snapshot in
                guard let errorCode = (snapshot.error as? NSError)?.code else {
                    return seen.append("no NSError")
                }
                guard let error = StorageErrorCode(rawValue: errorCode) else {
                    return seen.append("no code")
                }
                switch error {
                case .objectNotFound: seen.append("not found")
                case .unauthorized: seen.append("unauthorized")
                case .cancelled: seen.append("cancelled")
                case .unknown: seen.append("unknown")
                default: seen.append("another error")
                }
            }
            #expect(try seen.wait(count: 1) == ["not found"])
            #expect(try backend.folder.names.isEmpty)
        }
    }

    @Test("A cancelled download fails, and its observers go one by one, by status and at once")
    func cancelled() async throws {
        try await UsageBackend.with(["download#1 @ response-body 100000: stall forever"]) {
            (backend) async throws in
            let starsRef = backend.storage.reference().child("images/stars.jpg")
            let seen = Recorder<Int?>()
            let downloadTask = starsRef.getData(maxSize: 1 << 20) { _, error in
                seen.append((error as? NSError)?.code)
            }
            let observer = downloadTask.observe(.progress) { _ in }
            downloadTask.removeObserver(withHandle: observer)
            downloadTask.removeAllObservers(for: .progress)
            downloadTask.removeAllObservers()
            downloadTask.pause()
            downloadTask.resume()
            downloadTask.cancel()
            let codes = try seen.wait(count: 1)
            #expect(codes == [StorageErrorCode.cancelled.rawValue])
        }
    }

    @Test("Metadata of a stored object are read, changed and cleared")
    func metadata() async throws {
        try await UsageBackend.with { (backend) async throws in
            let starsRef = backend.storage.reference().child("images/stars.jpg")
            let seen = Recorder<StorageMetadata?>()
            starsRef.getMetadata { metadata, error in seen.append(error == nil ? metadata : nil) }
            let metadata = try #require(try seen.wait(count: 1)[0])
            #expect(metadata.name == "stars.jpg")
            #expect(metadata.path == "images/stars.jpg")
            #expect(metadata.cacheControl == "no-store")
            metadata.cacheControl = nil
            metadata.contentLanguage = "de"
            metadata.customMetadata = ["Größe": "⭐️"]
            starsRef.updateMetadata(metadata) { metadata, error in
                seen.append(error == nil ? metadata : nil)
            }
            let changed = try #require(try seen.wait(count: 2)[1])
            #expect(changed.cacheControl == nil)
            #expect(changed.contentLanguage == "de")
            #expect(changed.customMetadata == ["Größe": "⭐️"])
            #expect(changed.contentType == "image/jpeg")
            #expect(changed.metageneration == metadata.metageneration + 1)
        }
    }
}
