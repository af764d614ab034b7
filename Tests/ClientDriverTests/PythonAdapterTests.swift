import Foundation
import Testing

@Suite("The adapter to copy")
struct PythonAdapterTests {
    private static func text() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Conformance/adapters/python-minimal/client.py")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test("Stays short enough to be read in one go")
    func staysShort() throws {
        let lines = try Self.text().split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        #expect(lines.count <= 175)
        #expect(lines.allSatisfy { $0.count <= 99 })
    }

    @Test("Needs the standard library alone")
    func needsNothing() throws {
        let imports = try Self.text().split(separator: "\n").filter {
            $0.hasPrefix("import ") || $0.hasPrefix("from ")
        }
        #expect(
            imports == [
                "import json, mimetypes, socket, struct, sys, threading",
                "from base64 import b64encode", "from contextlib import suppress",
                "from hashlib import md5", "from http.client import HTTPConnection, HTTPException",
                "from pathlib import Path", "from urllib.parse import quote, urlsplit",
            ])
    }
}
