import Foundation
import Testing

@Suite("Links of lists of known failures")
struct ListLinkTests {
    @Test("Every page and anchor that a client file's list names is there")
    func links() throws {
        for file in try Repository.files(below: "Conformance/adapters", suffix: "client.yaml") {
            for (index, line) in file.lines.enumerated() where !line.contains("://") {
                guard let match = line.firstMatch(of: /link: *["']?([^\s"',}#]+)#([^\s"',}]+)/)
                else { continue }
                let place = "\(file.path):\(index + 1)"
                let page = Repository.root.appending(path: String(match.1))
                guard let text = try? String(contentsOf: page, encoding: .utf8) else {
                    Issue.record("\(place): there is no page \(match.1)")
                    continue
                }
                #expect(
                    Self.anchors(of: text).contains(String(match.2)),
                    "\(place): \(match.1) has no heading for #\(match.2)")
            }
        }
    }

    @Test("A heading's anchor is as the pages' server makes it")
    func anchors() {
        let page = "# One `thing`, and more\ntext\n## No type: `a/b`!\n### Same\n### Same\n#none\n"
        #expect(
            Self.anchors(of: page) == ["one-thing-and-more", "no-type-ab", "same", "same-1"])
    }

    /// Small letters, digits, `-` and `_` of each heading, blanks as `-`; the second of a name is
    /// `-1`.
    private static func anchors(of page: String) -> Set<String> {
        var anchors: Set<String> = []
        for line in page.components(separatedBy: "\n") {
            let heading = line.drop { $0 == "#" }
            guard heading.count < line.count, heading.first == " " else { continue }
            let name = heading.dropFirst().lowercased().compactMap { character -> Character? in
                if character == " " { return "-" }
                let isKept = character.isLetter || character.isNumber || "-_".contains(character)
                return isKept ? character : nil
            }
            var anchor = String(name)
            var count = 0
            while !anchors.insert(anchor).inserted {
                count += 1
                anchor = "\(String(name))-\(count)"
            }
        }
        return anchors
    }
}
