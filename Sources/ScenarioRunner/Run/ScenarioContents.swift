import ClientDriver
import Scenario
import StorageModel

/// Bytes for the content that a scenario gives.
struct ScenarioContents: Sendable {
    /// The directory of the scenario file, for content that lies beside it.
    let directory: String

    /// - Parameter file: the path of the scenario file.
    init(besideFile file: String) {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        directory = parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// - Throws: `WorkspaceError` when the file beside the scenario cannot be read.
    func source(_ content: Content) throws -> any ByteSource {
        if let source = content.source { return source }
        guard case .file(let path) = content.kind else { return ByteArraySource([]) }
        for candidate in [path, directory + "/" + path] {
            if let file = FileSource(path: candidate) { return file }
        }
        throw WorkspaceError(path)
    }

    /// The object with its content looked for beside the scenario file.
    func found(_ object: BackendSettings.GivenObject) -> BackendSettings.GivenObject {
        guard case .file(let path) = object.content.kind, !path.hasPrefix("/") else {
            return object
        }
        var object = object
        object.content.kind = .file(path: directory + "/" + path)
        return object
    }
}
