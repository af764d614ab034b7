import CloudStorage
import Foundation
import Testing

@Suite("Guide to the library")
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("Shows the code that is compiled here, all of it and nothing else")
    func code() throws {
        let page = try Self.text("Conformance/CLOUDSTORAGE.md")
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let source = try Self.text("Tests/DocumentedUsageTests/Guide.swift")
        let compiled = source.components(separatedBy: "in its order.\n\n").last ?? ""
        #expect(blocks.count == 5)
        #expect(blocks.joined(separator: "\n") == compiled)
    }

    @Test("Names the package and the product as they are called")
    func package() throws {
        let package = try Self.text("Package.swift")
        #expect(package.contains("name: \"squall\",\n"))
        #expect(package.contains(".library(name: \"CloudStorage\", targets: [\"CloudStorage\"])"))
        let page = try Self.text("Conformance/CLOUDSTORAGE.md")
        #expect(page.contains(".product(name: \"CloudStorage\", package: \"squall\")"))
    }

    @Test("Its functions do what the page says")
    func functions() async throws {
        try await UsageBackend.with { (backend) async throws in
            let report = try backend.localFile("2026.pdf")
            let names = try await archive(report, in: backend.storage)
            #expect(names == ["2026.pdf"])
            let stored = try await content(at: "reports/2026.pdf", in: backend.storage)
            #expect(stored == UsageBackend.content)
            #expect(try await content(at: "reports/no-such", in: backend.storage) == nil)
            let metadata = try await backend.storage.reference(withPath: "reports/2026.pdf")
                .getMetadata()
            #expect(metadata.customMetadata == ["origin": "nightly"])
            #expect(metadata.contentType == "application/pdf")
            #expect(await upload(Data([1]), to: backend.storage.reference(withPath: "one")))
            #expect(await !upload(Data([1]), to: backend.storage.reference()))
            #expect(setUpForTests().bucket == "demo.appspot.com")
        }
    }
}
