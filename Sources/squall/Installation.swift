import Glibc

/// Where the files that belong to the program are.
enum Installation {
    /// The suite: `scenarios` in the working directory, else beside the program or above it.
    static let suite: String = {
        let candidates = ["scenarios"] + ancestors(of: program).map { $0 + "/scenarios" }
        return candidates.first { access($0 + "/VERSION", R_OK) == 0 } ?? "scenarios"
    }()

    static var hasSuite: Bool { access(suite + "/VERSION", R_OK) == 0 }

    /// The profiles: `Conformance/profiles` in the working directory, else beside the program or
    /// above it, there also as `profiles`.
    static let profiles: String = {
        let known = "Conformance/profiles"
        let beside = ancestors(of: program).flatMap { [$0 + "/" + known, $0 + "/profiles"] }
        return ([known] + beside).first { access($0 + "/documented.yaml", R_OK) == 0 } ?? known
    }()

    /// The page for clients that dial in: where the profiles are, `adapters/browser`.
    static let browserPage: String = {
        let known = "Conformance/adapters/browser"
        let beside = ancestors(of: program).flatMap {
            [$0 + "/" + known, $0 + "/adapters/browser"]
        }
        return ([known] + beside).first { access($0 + "/index.html", R_OK) == 0 } ?? known
    }()

    /// The version in `scenarios/VERSION`; `0.0` where there is none.
    static var suiteVersion: String {
        versionFile(in: suite).map { String($0.prefix { $0.isNumber || $0 == "." }) } ?? "0.0"
    }

    /// How many scenarios a suite has, as the second line of its `VERSION` says: `325 scenarios`; nil
    /// where it does not.
    static func scenarioCount(ofSuite folder: String) -> Int? {
        guard let text = versionFile(in: folder) else { return nil }
        let lines = text.split(separator: "\n")
        return lines.count > 1 ? Int(lines[1].prefix(while: \.isNumber)) : nil
    }

    private static func versionFile(in folder: String) -> String? {
        guard let file = fopen(folder + "/VERSION", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static let program: String = {
        guard let path = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }()

    /// The folders above a path, nearest first.
    private static func ancestors(of path: String) -> [String] {
        var folders: [String] = []
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash > rest.startIndex {
            rest = rest[..<slash]
            folders.append(String(rest))
        }
        return folders
    }
}
