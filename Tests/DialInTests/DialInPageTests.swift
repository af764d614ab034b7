import ClientDriver
import DialIn
import Foundation
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("The page on dialing in")
struct DialInPageTests {
    /// A request of the example and the answer that the page gives.
    private struct Step {
        var method = ""
        var target = ""
        var body: [String] = []
        var status = 0
        var answer = ""
    }

    private static func steps() throws -> [Step] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appendingPathComponent("Conformance/PROTOCOL.md").path
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let section = try #require(page.range(of: "## Dial-in"))
        var steps: [Step] = []
        for line in page[section.upperBound...].split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            switch words[0] {
            case "->" where words.count == 3:
                steps.append(Step(method: words[1], target: words[2]))
            case "|": steps[steps.count - 1].body.append(String(line.dropFirst(2)))
            case "<-" where words.count == 3:
                steps[steps.count - 1].status = Int(words[1]) ?? 0
                steps[steps.count - 1].answer = words[2]
            default: continue
            }
        }
        return steps
    }

    /// Equal but for the numbers that are the machine's.
    private static func same(_ given: String, _ page: String) -> Bool {
        func value(_ text: String) -> Any? {
            guard
                var value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
                    as? [String: Any]
            else { return text }
            if var commands = value["commands"] as? [[String: Any]] {
                for index in commands.indices where commands[index]["port"] != nil {
                    commands[index]["port"] = 0
                    commands[index]["bucket"] = ""
                }
                value["commands"] = commands
            }
            return value
        }
        guard let given = value(given) as? NSObject, let page = value(page) as? NSObject else {
            return false
        }
        return given == page
    }

    @Test("The example is what happens, request by request")
    func example() throws {
        let steps = try Self.steps()
        #expect(steps.count == 13)
        var options = DialInRun.options
        options.limits.poll = .seconds(25)
        let run = try DialInRun(options)
        defer { run.finish() }
        let hello = run.hello()
        var session = ""
        for (index, step) in steps.enumerated() {
            func filled(_ text: String) -> String {
                text.replacingOccurrences(of: "/DIRECTORY", with: run.directory.path)
                    .replacingOccurrences(of: "DIRECTORY", with: run.directory.path)
                    .replacingOccurrences(of: "SESSION", with: session)
            }
            // What the runner does between the lines.
            switch index {
            case 3:
                _ = try hello.wait(count: 1)
                _ = run.configure()
            case 5: _ = run.upload(Array("hello".utf8), to: "a.bin")
            default: break
            }
            let body = step.body.joined(separator: "\n")
            let reply = try run.client.ask(step.method, filled(step.target), body)
            if index == 0 { session = reply.session }
            #expect(reply.status == step.status, "\(step.target)")
            let text = reply.answer.text.trimmingCharacters(in: .newlines)
            #expect(Self.same(text, filled(step.answer)), "\(step.target): \(text)")
        }
        #expect(run.seen.prefix(2) == ["up resume 0", "up progress 5"])
        #expect(run.errorOutput.hasPrefix("uploaded"))
        #expect(try run.directory.read("received") == Array("hello".utf8))
    }
}
