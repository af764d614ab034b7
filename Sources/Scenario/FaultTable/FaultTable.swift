import FaultEngine
import StorageModel

/// Every fault of the catalogue at every moment of every operation.
package enum FaultTable {
    /// In the order of the catalogue's cases, of their moments, and of the requests.
    package static let rows: [FaultRow] = FaultCase.all.flatMap { fault in
        fault.phases.flatMap { phase in
            FaultTarget.allCases.filter { fault.fits($0, phase) }.flatMap { target in
                fault.repetitions.map { FaultRow(fault, phase, target, $0) }
            }
        }
    }

    /// What no rule decides.
    package static var undecided: [FaultRow] { rows.filter { $0.outcome == .undecided } }

    /// One row as a scenario; the diagnostics are empty where it is one.
    package static func plan(_ row: FaultRow) -> ScenarioLoader.Plan {
        ScenarioLoader().read(Array(row.scenarioText.utf8), file: row.file, id: row.id)
    }
}
