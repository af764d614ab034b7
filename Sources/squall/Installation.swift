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
        guard let file = fopen(suite + "/VERSION", "r") else { return "0.0" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = fread(&buffer, 1, buffer.count, file)
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        return String(text.prefix { $0.isNumber || $0 == "." })
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
