internal import Foundation
package import RunModel

/// The report that programs read: everything that a run is, with sorted keys.
///
/// Times are whole milliseconds from the start of the scenario; `wallMilliseconds` is the only value
/// that differs between equal runs.
package enum JSONReport {
    /// - Throws: when Foundation's coder cannot write it, which would be our mistake.
    package static func text(_ report: RunReport) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let data = try encoder.encode(RunDocument(report))
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
