import ClientDriver
import RunModel
import StorageModel

/// `squall schema`: the JSON Schema of the driver protocol.
struct SchemaCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func perform() throws(UsageError) -> ExitCode {
        let words = arguments.paths
        guard let what = words.first, words.count <= 2 else {
            throw UsageError("'schema' takes 'protocol', and perhaps 'commands' or 'reports'")
        }
        guard what == "protocol" else {
            throw UsageError(
                "there is no schema of '\(what)'",
                hint: Spelling.nearest(to: what, among: ["protocol"]))
        }
        guard words.count == 2 else {
            Terminal.print(ProtocolSchema.text())
            return .asPlanned
        }
        guard let part = ProtocolSchema.Part(rawValue: words[1]) else {
            let names = ProtocolSchema.Part.allCases.map(\.rawValue)
            throw UsageError(
                "the protocol has no '\(words[1])', but \(names.joined(separator: " and "))",
                hint: Spelling.nearest(to: words[1], among: names))
        }
        Terminal.print(ProtocolSchema.text(part))
        return .asPlanned
    }
}
