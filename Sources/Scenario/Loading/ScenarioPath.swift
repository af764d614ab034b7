import Glibc
import StorageModel

/// A scenario file that was found, and the id that it has in this run.
struct ScenarioPath: Hashable, Sendable {
    let file: String
    let id: String
    /// `[how=reset]`, where one row was asked for.
    let row: String?

    private static let extensions = [".yaml", ".yml", ".json"]

    /// Finds what paths of the command line mean, each by itself.
    ///
    /// Ids are the paths below the directory given, or a file's name. Where several paths are given
    /// that lie in one suite, they are the paths below the suite, for many files have the same name.
    ///
    /// - Parameter takesUndecided: whether a generated row that is not decided may be meant by its id.
    static func find(
        _ paths: [String], takesUndecided: Bool = false
    ) -> [Result<[ScenarioPath], Diagnostic>] {
        // Generated rows have their ids wherever they are named.
        let places = paths.map { isGenerated($0) ? nil : SuitePlace($0) }
        let others = paths.indices.filter { !isGenerated(paths[$0]) }
        let suites = Set(others.map { places[$0]?.suite })
        let isOfOneSuite = others.count > 1 && suites.count == 1 && suites.first != nil
        return zip(paths, places).map { path, place in
            let found = find(path, takesUndecided: takesUndecided)
            guard isOfOneSuite, let place else { return found }
            return found.map { paths in
                paths.map {
                    ScenarioPath(file: $0.file, id: place.prefix + $0.id, row: $0.row)
                }
            }
        }
    }

    /// True for what stands for rows of the generated matrix, and for nothing that is really there.
    private static func isGenerated(_ path: String) -> Bool {
        GeneratedMatrix.holds(path) && kind(of: path) == .missing
    }

    /// Finds what a path of the command line means.
    static func find(
        _ path: String, takesUndecided: Bool = false
    ) -> Result<[ScenarioPath], Diagnostic> {
        switch kind(of: path) {
        case .file:
            return .success([ScenarioPath(file: path, id: id(of: name(of: path)), row: nil)])
        case .directory: return all(below: path)
        case .other: return .failure(problem(path, "this is neither a file nor a directory"))
        case .missing where GeneratedMatrix.holds(path):
            return GeneratedMatrix.find(path, takesUndecided: takesUndecided)
        case .missing: return row(of: path)
        }
    }

    private static func all(below path: String) -> Result<[ScenarioPath], Diagnostic> {
        var root = path
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        let names = files(below: root, prefix: "", depth: 0).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        guard !names.isEmpty else {
            return .failure(problem(path, "there is no scenario in this directory"))
        }
        let start = root == "/" ? root : root + "/"
        return .success(names.map { ScenarioPath(file: start + $0, id: id(of: $0), row: nil) })
    }

    /// A path with a matrix row behind it.
    private static func row(of path: String) -> Result<[ScenarioPath], Diagnostic> {
        guard path.hasSuffix("]"), let bracket = path.firstIndex(of: "[") else {
            return .failure(problem(path, "there is no such file or directory"))
        }
        let base = String(path[..<bracket])
        for file in [base] + extensions.map({ base + $0 }) where kind(of: file) == .file {
            let row = String(path[bracket...])
            return .success([ScenarioPath(file: file, id: id(of: name(of: file)), row: row)])
        }
        return .failure(problem(base, "there is no such file or directory"))
    }

    /// The bytes of the file; more than the limit are not read.
    func bytes() -> Result<[UInt8], Diagnostic> {
        if Self.isGenerated(file), let text = GeneratedMatrix.text(ofFile: file) {
            return .success(Array(text.utf8))
        }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(Self.unreadable(file, errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= SourceText.limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(Self.unreadable(file, errno)) }
            if count == 0 { return .success(bytes) }
            bytes += buffer[..<count]
        }
        return .failure(SourceText.tooLarge(file))
    }

    /// The id of a file in its own folder.
    static func id(ofFile file: String) -> String { id(of: name(of: file)) }

    static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
    }

    /// The line of a file that a message points to.
    static func line(of place: SourcePlace) -> String? {
        guard case .success(let bytes) = ScenarioPath(file: place.file, id: "", row: nil).bytes()
        else { return nil }
        return (try? SourceText(bytes: bytes, file: place.file))?.line(place.line)
    }

    private enum Kind {
        case file
        case directory
        case other
        case missing
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    static func isFile(_ path: String) -> Bool { kind(of: path) == .file }

    /// Names of the YAML files right in a directory, in any order; empty where there is none.
    static func names(in directory: String) -> [String] {
        files(below: directory, prefix: "", depth: 0).filter { !$0.contains("/") }
    }

    /// Files with a scenario's extension, as paths below the directory; hidden ones are left out.
    private static func files(below root: String, prefix: String, depth: Int) -> [String] {
        guard depth < 32, let directory = opendir(prefix.isEmpty ? root : "\(root)/\(prefix)")
        else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            switch kind(of: "\(root)/\(path)") {
            case .directory: found += files(below: root, prefix: path, depth: depth + 1)
            case .file where extensions.contains(where: name.hasSuffix): found.append(path)
            case .file, .other, .missing: break
            }
        }
        return found
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private static func id(of name: String) -> String {
        for end in extensions where name.hasSuffix(end) { return String(name.dropLast(end.count)) }
        return name
    }

    private static func problem(_ path: String, _ message: String) -> Diagnostic {
        Diagnostic(place: SourcePlace(file: path, line: 1, column: 1), message: message)
    }

    private static func unreadable(_ file: String, _ code: Int32) -> Diagnostic {
        problem(file, "the file cannot be read: \(String(cString: strerror(code)))")
    }
}
