import Foundation
import MockServer
import RunModel
import Scenario
import ScenarioRunner

/// `squall new`: writes a scenario to begin with, or one of what a server has seen.
struct NewCommand {
    private let arguments: ParsedArguments
    /// Nil: standard output.
    private let path: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.paths.count <= 1 else {
            throw UsageError("'new' writes one file; there are \(arguments.paths.count) names")
        }
        if arguments.value("--from") != nil, arguments.has("--topic") {
            throw UsageError("--topic goes with a skeleton, not with --from")
        }
        if arguments.paths.first != nil, arguments.has("--out") {
            throw UsageError("the file is given twice: by its name and by --out")
        }
        let word = arguments.value("--out") ?? arguments.paths.first
        path = try word.map { word throws(UsageError) in
            try Self.path(word, topic: arguments.value("--topic"))
        }
    }

    func perform() throws(UsageError) -> ExitCode {
        if let path { try checkPlace(path) }
        let text = try text()
        guard let path else {
            Terminal.write(text)
            return .asPlanned
        }
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: [.withoutOverwriting])
        } catch {
            throw UsageError("cannot write \(path): \(error.localizedDescription)")
        }
        let name = CommandLineParts.shell([path])
        Terminal.print("wrote \(path)\nnext:\n  squall check \(name)\n  squall run \(name)")
        return .asPlanned
    }

    private func text() throws(UsageError) -> String {
        guard let journal = arguments.value("--from") else {
            let folder = arguments.paths.first?.split(separator: "/").dropLast().last
            let topic = arguments.value("--topic") ?? folder.map(String.init)
            return ScenarioSkeleton(topic: topic).text
        }
        guard let data = FileManager.default.contents(atPath: journal) else {
            throw UsageError("the journal \(journal) cannot be read")
        }
        do throws(JournalReader.Failure) {
            let session = ServedSession(try JournalReader(Array(data)), file: journal)
            guard !session.isEmpty else {
                throw JournalReader.Failure(line: 1, sentence: "the server has seen no request")
            }
            return session.text
        } catch {
            throw UsageError(
                "\(journal):\(error.line): \(error.sentence)", isAboutScenario: true)
        }
    }

    /// A file by its name, or by an id of the suite.
    private static func path(_ word: String, topic: String?) throws(UsageError) -> String {
        let ends = [".yaml", ".yml", ".json"]
        if ends.contains(where: word.hasSuffix) { return word }
        let isID = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._/".utf8.contains(byte)
            }
        }
        guard isID, !word.hasPrefix("/"), !word.hasSuffix("/"), !word.contains("..") else {
            throw UsageError(
                "'\(word)' is neither a file, which ends with .yaml, nor an id such as retry/twice")
        }
        let id = word.contains("/") ? word : topic.map { "\($0)/\(word)" } ?? word
        let isSuite = FileManager.default.fileExists(atPath: "scenarios/VERSION")
        return (isSuite ? "scenarios/" : "") + id + ".yaml"
    }

    private func checkPlace(_ path: String) throws(UsageError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw UsageError("\(path) is there already, and is not written over")
        }
    }
}
