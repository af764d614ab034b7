import Foundation
import Glibc

/// The certificate that clients of `squall serve --tls` have to trust, in a file of a folder that only
/// this user can enter. Keys are in no file.
struct AuthorityFile {
    /// Absolute.
    let path: String
    private let folder: String

    /// - Throws: where the folder for temporary files takes nothing.
    init(_ certificate: [UInt8]) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "squall-tls-XXXXXX")
        var template = Array(place.path.utf8CString)
        guard let made = mkdtemp(&template) else {
            throw UsageError("no folder can be made in \(place.deletingLastPathComponent().path)")
        }
        folder = String(cString: made)
        path = folder + "/ca.pem"
        do {
            try Data(certificate).write(to: URL(filePath: path))
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the file and its folder.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
