import CloudStorage
import Foundation
import TestSupport
import Testing

/// What the page on uploads shows, call by call.
@Suite("Documented uploads")
struct UploadPageTests {
    @Test("References go down from the root, with one name for two places")
    func references() async throws {
        try await UsageBackend.with { (backend) async throws in
            let storage = backend.storage
            let storageRef = storage.reference()
            let mountainsRef = storageRef.child("mountains.jpg")
            let mountainImagesRef = storageRef.child("images/mountains.jpg")
            #expect(mountainsRef.name == mountainImagesRef.name)
            #expect(mountainsRef.fullPath != mountainImagesRef.fullPath)
            #expect(mountainsRef != mountainImagesRef)
        }
    }

    @Test("Bytes in memory are stored, and the completion gets the metadata and then a URL")
    func data() async throws {
        try await UsageBackend.with { (backend) async throws in
            let riversRef = backend.storage.reference().child("images/rivers.jpg")
            let seen = Recorder<String>()
            let uploadTask = riversRef.putData(UsageBackend.content, metadata: nil) {
                (metadata, error) in
                guard let metadata = metadata else {
                    seen.append("\(String(describing: error))")
                    return
                }
                let size = metadata.size
                seen.append("\(size)")
                riversRef.downloadURL { (url, error) in
                    guard let downloadURL = url else {
                        seen.append("\(String(describing: error))")
                        return
                    }
                    seen.append(downloadURL.path)
                }
            }
            try seen.wait(count: 2)
            #expect(seen.values == ["700000", "/v0/b/demo.appspot.com/o/images/rivers.jpg"])
            #expect(uploadTask.snapshot.status == .success)
            #expect(try await riversRef.data(maxSize: 1 << 20) == UsageBackend.content)
        }
    }

    @Test("A local file is stored with the type that its name tells")
    func file() async throws {
        try await UsageBackend.with { (backend) async throws in
            let localFile = try backend.localFile("rivers.png")
            let riversRef = backend.storage.reference().child("images/rivers")
            let seen = Recorder<StorageMetadata?>()
            let uploadTask = riversRef.putFile(from: localFile, metadata: nil) { metadata, error in
                seen.append(error == nil ? metadata : nil)
            }
            let metadata = try #require(try seen.wait(count: 1)[0])
            #expect(metadata.size == 700_000)
            #expect(metadata.contentType == "image/png")
            #expect(uploadTask.snapshot.reference == riversRef)
        }
    }

    @Test("The caller's type wins, and uploads need no completion")
    func metadata() async throws {
        try await UsageBackend.with { (backend) async throws in
            let mountainsRef = backend.storage.reference().child("images/mountains.jpg")
            let localFile = try backend.localFile("mountains.png")
            let metadata = StorageMetadata()
            metadata.contentType = "image/jpeg"
            let tasks = [
                mountainsRef.putData(UsageBackend.content, metadata: metadata),
                mountainsRef.putFile(from: localFile, metadata: metadata),
            ]
            for task in tasks {
                let ended = Recorder<StorageTaskSnapshot>()
                task.observe(.success) { ended.append($0) }
                let snapshot = try ended.wait(count: 1)[0]
                #expect(snapshot.metadata?.contentType == "image/jpeg")
            }
        }
    }

    @Test("An upload to the root, and one of a file that is not there, fail with an error")
    func refusals() async throws {
        try await UsageBackend.with { (backend) async throws in
            let storageRef = backend.storage.reference()
            let seen = Recorder<Int?>()
            let missing = URL(string: "path/to/image")!
            for task in [
                storageRef.putFile(from: try backend.localFile()),
                storageRef.child("images/mountains.jpg").putFile(from: missing),
            ] {
                task.observe(.failure) { snapshot in
                    seen.append((snapshot.error as? NSError)?.code)
                }
            }
            let codes = Set(try seen.wait(count: 2))
            #expect(
                codes == [
                    StorageErrorCode.invalidArgument.rawValue, StorageErrorCode.unknown.rawValue,
                ])
        }
    }

    @Test("An upload pauses, goes on and is observed until its success, in the order of the page")
    func managed() async throws {
        try await UsageBackend.with { (backend) async throws in
            let localFile = try backend.localFile()
            let storageRef = backend.storage.reference().child("images/mountains.jpg")
            let metadata = StorageMetadata()
            metadata.contentType = "image/jpeg"
            let seen = Recorder<String>()
            backend.inTurn {
                let uploadTask = storageRef.putFile(from: localFile, metadata: metadata)
                uploadTask.observe(.resume) { _ in seen.append("resume") }
                uploadTask.observe(.pause) { snapshot in
                    seen.append("pause")
                    snapshot.task.resume()
                }
                uploadTask.observe(.progress) { snapshot in
                    let percentComplete =
                        100.0 * Double(snapshot.progress!.completedUnitCount)
                        / Double(snapshot.progress!.totalUnitCount)
                    seen.append("\(Int(percentComplete)) %")
                    #expect(snapshot.metadata?.contentType == "image/jpeg")
                }
                uploadTask.observe(.success) { _ in seen.append("success") }
                uploadTask.observe(.failure) { seen.append("\($0)") }
                uploadTask.pause()
            }
            try seen.wait(for: "the end") { $0.contains("success") }
            #expect(
                seen.values == [
                    "resume", "pause", "resume", "37 %", "74 %", "100 %", "success",
                ])
        }
    }

    @Test("A cancelled upload fails, and the error says that it was cancelled")
    func cancelled() async throws {
        try await UsageBackend.with(["upload.start#1 @ request-head: stall forever"]) {
            (backend) async throws in
            let reference = backend.storage.reference().child("images/mountains.jpg")
            let seen = Recorder<String>()
            let uploadTask = reference.putFile(from: try backend.localFile())
            uploadTask.observe(.failure) { snapshot in
                if let error = snapshot.error as? NSError {
                    switch StorageErrorCode(rawValue: error.code)! {
                    case .objectNotFound: seen.append("not found")
                    case .unauthorized: seen.append("unauthorized")
                    case .cancelled: seen.append("cancelled")
                    case .unknown: seen.append("unknown")
                    default: seen.append("another error")
                    }
                }
            }
            uploadTask.pause()
            uploadTask.resume()
            uploadTask.cancel()
            #expect(try seen.wait(count: 1) == ["cancelled"])
        }
    }

    @Test("Observers are removed by handle, by status and all at once")
    func removal() async throws {
        try await UsageBackend.with { (backend) async throws in
            let reference = backend.storage.reference().child("images/mountains.jpg")
            let seen = Recorder<String>()
            backend.inTurn {
                let uploadTask = reference.putData(UsageBackend.content) { _, _ in
                    seen.append("completion")
                }
                let observer = uploadTask.observe(.progress) { _ in seen.append("one") }
                uploadTask.observe(.progress) { _ in seen.append("by status") }
                uploadTask.observe(.success) { _ in seen.append("all") }
                uploadTask.removeObserver(withHandle: observer)
                uploadTask.removeAllObservers(for: .progress)
                uploadTask.removeAllObservers()
            }
            let calls = try seen.wait(count: 1)
            #expect(calls == ["completion"])
        }
    }

    @Test("What the server refuses is told by its code, with the server's answer underneath")
    func unauthorized() async throws {
        try await UsageBackend.with(["upload.start: respond 403"]) { (backend) async throws in
            let reference = backend.storage.reference().child("images/mountains.jpg")
            let seen = Recorder<NSError?>()
            reference.putData(Data([1])) { metadata, error in
                seen.append(metadata == nil ? error as? NSError : nil)
            }
            let error = try #require(try seen.wait(count: 1)[0])
            #expect(error.domain == StorageErrorDomain)
            #expect(StorageErrorCode(rawValue: error.code) == .unauthorized)
            #expect(error.userInfo["bucket"] as? String == "demo.appspot.com")
            #expect(error.userInfo["object"] as? String == "images/mountains.jpg")
            #expect(error.userInfo["ResponseErrorCode"] as? Int == 403)
            #expect(error.userInfo["ResponseErrorDomain"] as? String == "com.google.HTTPStatus")
        }
    }
}
