import Foundation

@testable import CloudStorage

/// A table of transitions as the page for readers shows it.
enum TransferTablePage {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Conformance/TRANSITIONS.md")

    /// - Parameter other: rows that are as in this table are left out.
    static func text(_ table: TransferTable, except other: TransferTable? = nil) -> String {
        var lines = ["| phase | on | then | and so |", "| --- | --- | --- | --- |"]
        for phase in TransferTable.Phase.allCases {
            for input in TransferTable.Input.allCases {
                let known = other?[phase, input]
                guard let row = table[phase, input] else {
                    if known != nil {
                        lines.append("| `\(phase)` | \(words(input)) |  | nothing |")
                    }
                    continue
                }
                if row == known { continue }
                let next = row.next == phase ? "" : "`\(row.next)`"
                let effects = row.effects.map(words).joined(separator: ", ")
                lines.append("| `\(phase)` | \(words(input)) | \(next) | \(effects) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func words(_ input: TransferTable.Input) -> String {
        switch input {
        case .start: "the start"
        case .startInVain: "a start that is in vain"
        case .pause: "`pause()`"
        case .resume: "`resume()`"
        case .cancel: "`cancel()`"
        case .progressed: "bytes that are safe"
        case .stopped: "the exchange stands still"
        case .finish: "all bytes are there"
        case .succeeded: "success"
        case .failed: "failure"
        case .exceeded: "more bytes than `maxSize`"
        }
    }

    private static func words(_ effect: TransferTable.Effect) -> String {
        switch effect {
        case .begin: "transfers"
        case .halt: "stops the exchange"
        case .abandon: "clears away what was begun"
        case .tellResume: "tells **resume**"
        case .tellPause: "tells **pause**"
        case .tellRise: "tells **progress** if there are more than before"
        case .tellRest: "tells **progress** if the last bytes are untold"
        case .tellAgain: "tells **progress** once more"
        case .tellSuccess: "tells **success**"
        case .tellFailure: "tells **failure**"
        }
    }
}
