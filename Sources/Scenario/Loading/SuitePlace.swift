import Glibc

/// Where in a suite a path of the command line lies. A suite is a directory with a `VERSION` file.
struct SuitePlace {
    /// The suite, as a path without links.
    let suite: String
    /// What stands in an id before the ids of this path: `pause/`, or nothing for the suite itself.
    let prefix: String

    /// Nil for a path that lies in no suite, or that leads nowhere.
    init?(_ path: String) {
        guard let place = Self.directory(of: path), let suite = Self.suite(around: place) else {
            return nil
        }
        self.suite = suite
        let rest = place.dropFirst(suite.count).drop { $0 == "/" }
        prefix = rest.isEmpty ? "" : rest + "/"
    }

    /// The directory itself, or the one of a file or of a file's row.
    private static func directory(of path: String) -> String? {
        if let real = realPath(path), access(real + "/.", F_OK) == 0 { return real }
        // The values of a row may have slashes.
        let file = String(path.prefix { $0 != "[" })
        let folder = ScenarioPath.folder(of: file)
        return realPath(folder.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : folder)
    }

    private static func suite(around directory: String) -> String? {
        var place = directory
        while access(place + "/VERSION", F_OK) != 0 {
            guard let slash = place.lastIndex(of: "/"), !place.isEmpty else { return nil }
            place = String(place[..<slash])
        }
        return place
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
