import ClientDriver
import Foundation
import StorageModel
import Testing

@testable import Scenario

@Suite("The page of client files")
struct ClientPageTests {
    private static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appending(path: "Conformance/CLIENTS.md").path
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }()

    private static var blocks: [String] {
        page.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("Each file that it shows is read without a word")
    func examples() throws {
        #expect(!Self.blocks.isEmpty)
        for block in Self.blocks {
            let reading = ClientFile.read(Array(block.utf8), file: "CLIENTS.md")
            #expect(reading.diagnostics.map(\.text) == [])
            #expect(reading.isUsable)
        }
    }

    @Test("The first file has every key but those of other modes, and every key has its row")
    func keys() throws {
        let first = try #require(Self.blocks.first)
        for key in ScenarioDecoder.clientFileKeys {
            #expect(Self.page.contains("\n| `\(key)` |"), "\(key)")
            if !["one-shot", "dial-in"].contains(key) {
                #expect("\n\(first)".contains("\n\(key):"), "\(key)")
            }
        }
        let rows = Self.page.matches(of: /\n\| `([a-z-]+)` \|/).map { String($0.1) }
        let known = ScenarioDecoder.clientFileKeys + ScenarioDecoder.oneShotKeys
        #expect(Set(rows).subtracting(known) == [])
    }

    @Test("Every capability and every mode has its word there")
    func words() {
        for word in Capability.allCases.map(\.rawValue) + ClientFile.Mode.allCases.map(\.rawValue) {
            #expect(Self.page.contains("`\(word)`"), "\(word)")
        }
    }

    @Test("Every key and every placeholder of a command-line tool has its word there")
    func oneShot() {
        let placeholders = OneShotTemplate.Placeholder.allCases.map(\.rawValue)
        for word in ScenarioDecoder.oneShotKeys + placeholders {
            #expect(Self.page.contains("`\(word)`"), "\(word)")
        }
    }

    @Test("The limits on the page are those of the code")
    func limits() {
        #expect(ClientFile.timeScales == 0.01...10)
        #expect(ClientFile.deadlines == .milliseconds(100)...(.seconds(3600)))
        #expect(Self.page.contains("from 0.01 to 10"))
        #expect(Self.page.contains("from 100ms to 1h"))
        #expect(KnownLists.defaultFlakyLimit == 5)
        #expect(KnownEntry.defaultTries == 3)
    }
}
