import Foundation
import MockServer
import StorageModel

/// Writes the journal as JSON lines: the first line names the format, then one line an exchange.
///
/// Lines are written when an exchange is over, so that the file is whole whenever it is read.
final class JournalFile {
    /// Of the lines; a change that a reader could trip over makes it larger.
    private static let format = 1

    private let handle: FileHandle

    /// - Throws: `UsageError` where the file cannot be written.
    init(path: String) throws(UsageError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            throw UsageError("cannot write \(path)")
        }
        self.handle = handle
        write(["format": Self.format, "tool": "squall \(Version.tool)"])
    }

    func write(_ record: ExchangeRecord) {
        var fields: [String: Any] = [
            "ordinal": record.ordinal, "connection": record.connection,
            "operation": record.operation.rawValue, "method": record.method,
            "target": record.target, "received": record.received, "committed": record.committed,
            "sent": record.sent, "ending": record.ending.rawValue,
            "credentials": record.hasCredentials, "start": milliseconds(record.start),
        ]
        fields["bucket"] = record.bucket
        fields["path"] = record.path
        fields["session"] = record.session
        fields["transfer"] = record.transfer
        fields["offset"] = record.offset
        fields["length"] = record.length
        fields["status"] = record.status
        fields["resendOf"] = record.resendOf
        fields["end"] = record.end.map(milliseconds)
        if !record.faults.isEmpty {
            fields["faults"] = record.faults.map { fault in
                ["fault": fault.rule, "name": fault.name, "time": milliseconds(fault.time)]
                    as [String: Any]
            }
        }
        if !record.complaints.isEmpty { fields["complaints"] = record.complaints.map(\.name) }
        write(fields)
    }

    private func milliseconds(_ time: Duration) -> Double {
        Double(time.nanoseconds / 1000) / 1000
    }

    private func write(_ fields: [String: Any]) {
        do {
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            let line = try JSONSerialization.data(withJSONObject: fields, options: options)
            try handle.write(contentsOf: line + Data("\n".utf8))
        } catch {
            Terminal.error("squall: the journal cannot be written: \(error)")
        }
    }
}
