internal import RunModel

/// The negative controls and fault-free twins of the JSON report.
struct ControlsDocument: Encodable {
    struct Control: Encodable {
        let scenario: String
        let kind: String
        let falsification: String
        let noticer: String
        let isRed: Bool
        let red: [String]
    }

    struct Twin: Encodable {
        let scenario: String
        let outcome: String
        let reason: String?
    }

    let made: Int
    let wentRed: Int
    let line: String
    /// Scenarios that passed and in which nothing could be falsified.
    let uncontrolled: [String]
    let controls: [Control]
    let twins: [Twin]
    /// Why the client is to be looked at.
    let suspicion: String?

    init(_ report: ControlReport) {
        made = report.controls.count
        wentRed = report.redCount
        line = report.line
        uncontrolled = report.uncontrolled
        controls = report.controls.map {
            Control(
                scenario: $0.scenario, kind: $0.kind.rawValue, falsification: $0.falsification,
                noticer: $0.noticer, isRed: $0.isRed, red: $0.sentences)
        }
        twins = report.twins.map {
            Twin(scenario: $0.scenario, outcome: $0.outcome.rawValue, reason: $0.reason)
        }
        suspicion = report.suspicion
    }
}
