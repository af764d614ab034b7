import Glibc
import Scenario

/// Files that tests read.
enum Fixtures {
    /// The folder of the fixtures, found beside this file.
    static var folder: String {
        let file = #filePath
        return file.lastIndex(of: "/").map { String(file[..<$0]) + "/Fixtures" } ?? "Fixtures"
    }

    /// The text of a page of `Conformance`; nil when it cannot be read.
    static func text(ofPage name: String) -> String? {
        guard let file = fopen("\(folder)/../../../Conformance/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    static var cases: String { folder + "/cases" }

    /// The bytes of a field case; nil when it cannot be read.
    static func bytes(of name: String) -> [UInt8]? {
        guard let file = fopen("\(cases)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&buffer, 1, buffer.count, file)
        return Array(buffer[..<count])
    }
}
