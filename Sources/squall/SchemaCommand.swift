import ClientDriver
import RunModel
import Scenario
import StorageModel

/// `squall schema`: JSON Schemas of the driver protocol and of scenario files.
struct SchemaCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func perform() throws(UsageError) -> ExitCode {
        let words = arguments.paths
        let parts = ScenarioSchema.Part.allCases.map(\.rawValue)
        guard let what = words.first, words.count <= 2 else {
            throw UsageError(
                "'schema' takes \(parts.map { "'\($0)'" }.joined(separator: ", ")) or 'protocol', "
                    + "and behind that perhaps 'commands' or 'reports'")
        }
        if let part = ScenarioSchema.Part(rawValue: what) {
            guard words.count == 1 else {
                throw UsageError("the schema of '\(what)' has no parts, so no '\(words[1])'")
            }
            Terminal.write(ScenarioSchema.text(part))
            return .asPlanned
        }
        guard what == "protocol" else {
            throw UsageError(
                "there is no schema of '\(what)'",
                hint: Spelling.nearest(to: what, among: ["protocol"] + parts))
        }
        return try performProtocol(words.dropFirst().first)
    }

    private func performProtocol(_ name: String?) throws(UsageError) -> ExitCode {
        guard let name else {
            Terminal.print(ProtocolSchema.text())
            return .asPlanned
        }
        guard let part = ProtocolSchema.Part(rawValue: name) else {
            let names = ProtocolSchema.Part.allCases.map(\.rawValue)
            throw UsageError(
                "the protocol has no '\(name)', but \(names.joined(separator: " and "))",
                hint: Spelling.nearest(to: name, among: names))
        }
        Terminal.print(ProtocolSchema.text(part))
        return .asPlanned
    }
}
