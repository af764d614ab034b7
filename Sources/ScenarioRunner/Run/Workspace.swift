import ClientDriver
import Glibc
import Scenario
import StorageModel

/// What the machine refused while a scenario's files were handled: ours, not the client's.
struct WorkspaceError: Error, CustomStringConvertible {
    let path: String
    let problem: String

    /// With the text of `errno`.
    init(_ path: String, problem: String = String(cString: strerror(errno))) {
        self.path = path
        self.problem = problem
    }

    var description: String { "\(path): \(problem)" }
}

/// The temporary directory of one scenario, and the files in it. It is gone when the scenario is over.
final class Workspace {
    let path: String
    /// Where each task's source or destination file is.
    private(set) var taskFiles: [String: String] = [:]
    /// What the runner put into files itself, by path.
    private var contents: [String: any ByteSource] = [:]

    /// - Parameter parent: the directory for temporary ones.
    init(in parent: String) throws(WorkspaceError) {
        var template = Array((parent + "/squall-XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { name in
            name.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        guard isMade else { throw WorkspaceError(parent) }
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in ["files", "tasks", "client"] { try makeDirectory(path + "/" + name) }
    }

    deinit { remove() }

    /// Where the client may write.
    var clientDirectory: String { path + "/client" }

    /// The path of a local file of the scenario, or of a task's own file by the task's name.
    func path(of name: String) -> String { taskFiles[name] ?? path + "/files/" + name }

    func hasFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

    // MARK: What is in the files

    /// What a file holds now; nil when there is none that can be read.
    func content(ofFile path: String) -> (any ByteSource)? {
        contents[path] ?? FileSource(path: path)
    }

    func write(_ source: any ByteSource, to path: String) throws(WorkspaceError) {
        do throws(FileSpool.Failure) {
            try FileSpool.write(source, to: path)
        } catch {
            throw WorkspaceError(error.path, problem: error.problem)
        }
        contents[path] = source
    }

    /// The file that a task uploads from.
    func makeSource(_ source: any ByteSource, forTask task: String) throws(WorkspaceError) -> String
    {
        let file = path + "/tasks/" + task
        try write(source, to: file)
        taskFiles[task] = file
        return file
    }

    func useFile(_ name: String, asSourceOf task: String) -> String {
        let file = path(of: name)
        taskFiles[task] = file
        return file
    }

    /// The file that a task downloads to.
    func makeDestination(
        forTask task: String, existing: (any ByteSource)?, _ obstacle: DownloadStep.Obstacle?
    ) throws(WorkspaceError) -> String {
        let directory = path + "/tasks/" + task + "-folder"
        let file = directory + "/" + task
        taskFiles[task] = file
        if obstacle == .missingFolder { return file }
        try makeDirectory(directory)
        if let existing { try write(existing, to: file) }
        contents[file] = nil
        if obstacle == .readOnly, chmod(directory, 0o555) != 0 { throw WorkspaceError(directory) }
        return file
    }

    // MARK: Steps on files

    func carryOut(_ action: LocalAction, contentOf read: (Content) throws -> any ByteSource) throws
    {
        switch action {
        case .create(let name, let content): try write(try read(content), to: path(of: name))
        case .delete(let name):
            let file = path(of: name)
            contents[file] = nil
            if unlink(file) != 0, rmdir(file) != 0 { throw WorkspaceError(file) }
        case .truncate(let name, let size):
            let file = path(of: name)
            if let before = contents[file], size <= before.count {
                contents[file] = SliceSource(before, 0..<size)
            } else {
                contents[file] = nil
            }
            guard truncate(file, Int(size)) == 0 else { throw WorkspaceError(file) }
        case .grow(let name, let bytes): try grow(path(of: name), by: bytes)
        case .forbid(let name):
            guard chmod(path(of: name), 0) == 0 else { throw WorkspaceError(path(of: name)) }
        case .directory(let name): try makeDirectory(path(of: name))
        case .link(let name, let target):
            guard symlink(path(of: target), path(of: name)) == 0 else {
                throw WorkspaceError(path(of: name))
            }
        case .purge: break
        }
    }

    private func grow(_ file: String, by bytes: Int64) throws(WorkspaceError) {
        var status = stat()
        guard stat(file, &status) == 0 else { throw WorkspaceError(file) }
        contents[file] = nil
        guard truncate(file, Int(status.st_size) + Int(bytes)) == 0 else {
            throw WorkspaceError(file)
        }
    }

    private func makeDirectory(_ path: String) throws(WorkspaceError) {
        guard mkdir(path, 0o755) == 0 else { throw WorkspaceError(path) }
    }

    /// Removes the directory with all that is in it, also what may not be read any more.
    func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        chmod(path, 0o755)
        if let directory = opendir(path) {
            var names: [String] = []
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { names.append(name) }
            }
            closedir(directory)
            for name in names { remove(path + "/" + name) }
        }
        rmdir(path)
    }
}

extension LocalAction {
    /// The local file, or the task whose file it is.
    var name: String {
        switch self {
        case .create(let name, _), .delete(let name), .truncate(let name, _), .grow(let name, _),
            .forbid(let name), .directory(let name), .link(let name, _), .purge(let name):
            name
        }
    }
}
