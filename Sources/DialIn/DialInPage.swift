import ClientDriver
import Glibc
import StorageModel

/// The pages that a browser is given, from their folders.
struct DialInPage {
    let options: DialInOptions

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "json": "application/json",
    ]

    /// Leads to the page, with what was said in the query.
    func root(_ target: String) -> HTTPResponse {
        if let page = options.page, answer(page, "index.html").status == 200 {
            let query = target.firstIndex(of: "?").map { String(target[$0...]) } ?? ""
            var answer = DialInAnswer.json("{}", status: 302)
            answer.headers["Location"] = "/\(page)/\(query)"
            return answer
        }
        let text = """
            Squall waits here for a client that dials in, and the page that would do so in a
            browser is not installed (Conformance/adapters/browser). A client of your own begins
            with POST /session: see "Dial-in" in Conformance/PROTOCOL.md.

            """
        return DialInAnswer.body(
            ByteArraySource(Array(text.utf8)), type: "text/plain; charset=utf-8")
    }

    /// A file of a folder by its name.
    func answer(_ folder: String, _ name: String) -> HTTPResponse {
        let type = name.split(separator: ".").last.flatMap { Self.types[String($0)] }
        let isPlain = !name.hasPrefix(".") && name.utf8.allSatisfy(Self.isPlain)
        guard let path = options.folders[folder], let type, isPlain,
            let file = FileSource(path: path + "/" + name, followsLinks: false)
        else { return DialInAnswer.error(404, "there is no such file") }
        return DialInAnswer.body(file, type: type)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
