import FaultEngine
import RunModel
import StorageModel

/// `squall faults`: the catalogue of faults, whole or one of them, and what becomes of a client.
struct FaultsCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func perform() throws(UsageError) -> ExitCode {
        let names = arguments.paths
        if arguments.has("--outcomes") {
            guard names.isEmpty else { throw UsageError("--outcomes is about all faults at once") }
            guard arguments.has("--markdown") else { return FaultTableRun.perform() }
            Terminal.write(FaultTablePage.text)
            return .asPlanned
        }
        if arguments.has("--markdown") {
            guard names.isEmpty else { throw UsageError("--markdown writes all faults at once") }
            Terminal.write(FaultsPage.text)
            return .asPlanned
        }
        guard let name = names.first else {
            Terminal.print(FaultsText.table)
            return .asPlanned
        }
        guard names.count == 1 else { throw UsageError("one fault is shown at a time") }
        guard let fault = FaultCatalogue.fault(name) else { throw Self.unknown(name) }
        Terminal.print(FaultsText.entry(fault))
        return .asPlanned
    }

    private static func unknown(_ name: String) -> UsageError {
        let unserved = FaultCatalogue.unserved
        if name == unserved.name || name == "\(unserved.number)" {
            return UsageError("there is no fault '\(name)': " + unserved.reason)
        }
        let names = FaultCatalogue.all.map(\.name)
        return UsageError(
            "unknown fault '\(name)'", hint: Spelling.nearest(to: name, among: names))
    }
}
