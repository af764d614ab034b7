import Foundation
import Testing

/// Every kind of call that the product pages show, the rule that it belongs to, and the file of tests
/// in which it is made.
private let usage: [(rule: String, call: String, file: String)] = [
    ("D1", "storage.reference()", "UploadPageTests"),
    ("D1", "storageRef.child(\"images/mountains.jpg\")", "UploadPageTests"),
    ("D2", "mountainsRef.name == mountainImagesRef.name", "UploadPageTests"),
    ("D2", "mountainsRef.fullPath != mountainImagesRef.fullPath", "UploadPageTests"),
    ("D3", "storage.reference(withPath: \"", "DownloadPageTests"),
    ("D3", "storage.reference(forURL: \"gs://", "DownloadPageTests"),
    ("D3", "forURL: \"https://firebasestorage.googleapis.com/b/", "DownloadPageTests"),
    ("D3", "storage.reference(for: own)", "FurtherUsageTests"),
    ("D4", "storageRef.putFile(from:", "UploadPageTests"),
    ("D5", "riversRef.putData(UsageBackend.content, metadata: nil) {", "UploadPageTests"),
    (
        "D5", "riversRef.putFile(from: localFile, metadata: nil) { metadata, error in",
        "UploadPageTests"
    ),
    ("D5", "mountainsRef.putData(UsageBackend.content, metadata: metadata)", "UploadPageTests"),
    ("D5", "mountainsRef.putFile(from: localFile, metadata: metadata)", "UploadPageTests"),
    ("D6", "guard let metadata = metadata else {", "UploadPageTests"),
    ("D6", "let size = metadata.size", "UploadPageTests"),
    ("D7", "riversRef.downloadURL { (url, error) in", "UploadPageTests"),
    ("D8", "metadata.contentType = \"image/jpeg\"", "UploadPageTests"),
    ("D9", "URL(string: \"path/to/image\")!", "UploadPageTests"),
    ("D10", "starsRef.downloadURL { url, error in", "DownloadPageTests"),
    ("D11", "islandRef.getData(maxSize: 1 * 1024 * 1024) { data, error in", "DownloadPageTests"),
    ("D12", "islandRef.write(toFile: localURL) { url, error in", "DownloadPageTests"),
    ("D12", "starsRef.write(toFile: localURL)", "DownloadPageTests"),
    ("D13", "starsRef.getMetadata {", "DownloadPageTests"),
    ("D13", "starsRef.updateMetadata(metadata) {", "DownloadPageTests"),
    ("D14", "uploadTask.pause()", "UploadPageTests"),
    ("D14", "uploadTask.resume()", "UploadPageTests"),
    ("D14", "uploadTask.cancel()", "UploadPageTests"),
    ("D14", "downloadTask.pause()", "DownloadPageTests"),
    ("D14", "downloadTask.resume()", "DownloadPageTests"),
    ("D14", "downloadTask.cancel()", "DownloadPageTests"),
    ("D15", "case .cancelled: seen.append(\"cancelled\")", "UploadPageTests"),
    ("D16", "let observer = uploadTask.observe(.progress)", "UploadPageTests"),
    ("D16", "let observer = downloadTask.observe(.progress)", "DownloadPageTests"),
    ("D17", "uploadTask.observe(.resume) {", "UploadPageTests"),
    ("D17", "downloadTask.observe(.resume) {", "DownloadPageTests"),
    ("D18", "snapshot.progress!.completedUnitCount", "UploadPageTests"),
    ("D18", "snapshot.progress!.totalUnitCount", "DownloadPageTests"),
    ("D19", "uploadTask.observe(.pause) {", "UploadPageTests"),
    ("D19", "downloadTask.observe(.pause) {", "DownloadPageTests"),
    ("D20", "uploadTask.observe(.success) {", "UploadPageTests"),
    ("D20", "downloadTask.observe(.failure) {", "DownloadPageTests"),
    ("D21", "uploadTask.snapshot.reference", "UploadPageTests"),
    ("D22", "snapshot.metadata?.contentType", "UploadPageTests"),
    ("D22", "snapshot.metadata == nil", "DownloadPageTests"),
    ("D23", "snapshot.task.resume()", "DownloadPageTests"),
    ("D24", "uploadTask.removeObserver(withHandle: observer)", "UploadPageTests"),
    ("D24", "uploadTask.removeAllObservers(for: .progress)", "UploadPageTests"),
    ("D24", "downloadTask.removeAllObservers()", "DownloadPageTests"),
    ("D26", "if let error = snapshot.error as? NSError {", "UploadPageTests"),
    ("D26", "guard let errorCode = (snapshot.error as? NSError)?.code else {", "DownloadPageTests"),
    ("D26", "guard let error = StorageErrorCode(rawValue: errorCode) else {", "DownloadPageTests"),
    ("D27", "tokens: Alice()", "FurtherUsageTests"),
]

@Suite("Documented usage")
struct UsageTableTests {
    @Test("Each kind of call of the pages is made in the tests, which import the library plainly")
    func calls() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var sources: [String: String] = [:]
        for row in usage where sources[row.file] == nil {
            let url = folder.appendingPathComponent(row.file + ".swift")
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(
                text.contains("\nimport CloudStorage\n") || text.hasPrefix("import CloudStorage\n"))
            #expect(!text.contains("@testable"))
            sources[row.file] = text
        }
        for row in usage {
            let isThere = sources[row.file]?.contains(row.call) == true
            #expect(isThere, "\(row.rule): \(row.file) does not call \(row.call)")
        }
    }

    @Test("Each rule on references, uploads, downloads, tasks, observers and errors has its call")
    func rules() {
        let named = Set(usage.map(\.rule))
        // What follows by itself from others, or is the server's: D25, D28; images have their own tests: D29.
        let wanted = (1...27).filter { $0 != 25 }.map { "D\($0)" }
        for rule in wanted { #expect(named.contains(rule), "no call for \(rule)") }
    }
}
