import Foundation
import Testing

@Suite("Documents")
struct LinkTests {
    @Test("Every relative link of a page leads somewhere")
    func relativeLinks() throws {
        let pages = try pages()
        #expect(!pages.isEmpty)
        for page in pages {
            let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
            for (index, line) in page.lines.enumerated() {
                for link in links(in: line) where !link.contains("://") && !link.hasPrefix("#") {
                    let path = String(link.split(separator: "#")[0])
                    let target = folder.appending(path: path).standardizedFileURL.path
                    #expect(
                        FileManager.default.fileExists(atPath: target),
                        "\(page.path):\(index + 1): no such file: \(path)")
                }
            }
        }
    }

    @Test("The project speaks of itself alone")
    func noWorkplace() throws {
        let words = ["/work/", "/root/", "/home/", "shared/facts", "../shared"]
        let files =
            try pages() + Repository.swiftFiles(below: "Sources", "Conformance")
            + Repository.files(below: "scenarios", suffix: ".yaml")
        for file in files {
            for (index, line) in file.lines.enumerated() {
                for word in words {
                    #expect(!line.contains(word), "\(file.path):\(index + 1): \(word)")
                }
            }
        }
    }

    private func pages() throws -> [Repository.File] {
        let readme = try String(
            contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        return [
            Repository.File(path: "README.md", lines: readme.components(separatedBy: "\n"))
        ]
            + (try Repository.files(below: "Conformance", suffix: ".md"))
            + (try Repository.files(below: "scenarios", suffix: ".md"))
            + (try Repository.files(below: "Sources", suffix: ".md"))
    }

    private func links(in line: String) -> [String] {
        line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }
}
