import Scenario

/// Files that tests read.
enum Fixtures {
    /// The folder of the fixtures, found beside this file.
    static var folder: String {
        let file = #filePath
        return file.lastIndex(of: "/").map { String(file[..<$0]) + "/Fixtures" } ?? "Fixtures"
    }

    static var cases: String { folder + "/cases" }
}
