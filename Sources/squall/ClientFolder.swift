import Foundation

/// The folder of a client file, from which the client is started, as seen from our working directory.
struct ClientFolder {
    /// Never empty.
    let path: String

    /// - Parameter file: the path of the client file.
    init(of file: String) {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
        path = folder.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : folder
    }

    /// The words of a command that was given in our working directory, for this folder: relative paths
    /// of files that are there lead from this folder to them.
    func moved(_ command: [String]) -> [String] {
        command.enumerated().map { index, word in
            // A program without a slash is found by PATH.
            let isPath = index > 0 || word.contains("/")
            guard isPath, !word.hasPrefix("/"), Self.isFile(word) else { return word }
            let path = moved(word)
            return index == 0 && !path.contains("/") ? "./" + path : path
        }
    }

    /// A profile is a name or a path.
    func moved(profile: String) -> String {
        profile.contains("/") || profile.hasSuffix(".yaml") || profile.hasSuffix(".yml")
            ? (profile.hasPrefix("/") ? profile : moved(profile)) : profile
    }

    /// The path from this folder to what a path from our working directory names.
    private func moved(_ path: String) -> String {
        let from = URL(filePath: self.path, directoryHint: .isDirectory).standardizedFileURL
            .resolvingSymlinksInPath().pathComponents
        let file = URL(filePath: path).standardizedFileURL
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath().pathComponents
        let shared = zip(from, folder).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: from.count - shared)
        let words = up + folder.dropFirst(shared) + [file.lastPathComponent]
        return words.joined(separator: "/")
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return isThere && !isFolder.boolValue
    }
}
