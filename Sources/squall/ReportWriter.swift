import ClientDriver
import Foundation
import Glibc
import Reporting
import RunModel

/// Writes a finished run in the formats that were asked for.
struct ReportWriter {
    static let console = ConsoleReport(
        isTerminal: Terminal.isInteractive, environment: ProcessInfo.processInfo.environment)

    private let reports: [RunOptions.Report]
    /// Whether the console's report goes to standard error, for something else is printed.
    private let toErrors: Bool

    init(_ reports: [RunOptions.Report], toErrors: Bool = false) {
        self.reports = reports
        self.toErrors = toErrors
    }

    private func print(_ text: String) {
        if toErrors { Terminal.error(text) } else { Terminal.print(text) }
    }

    /// Returns false where a file could not be written; the other reports are written all the same.
    func write(_ report: RunReport) -> Bool {
        var isWritten = true
        for kind in reports {
            do {
                switch kind {
                case .console: print(Self.console.text(report))
                case .junit(let path): try write(JUnitReport.text(report), to: path)
                case .json(let path): try write(JSONReport.text(report), to: path)
                }
            } catch {
                Terminal.error("squall: a report cannot be written: \(error)")
                isWritten = false
            }
        }
        if !reports.contains(.console) { print(Self.console.summary(report)) }
        return isWritten
    }

    /// Takes the files away that an earlier run has left: whatever becomes of this run, nobody reads the
    /// other's verdict for its own.
    func removeOld() {
        for case .junit(let path) in reports { Self.remove(path) }
        for case .json(let path) in reports { Self.remove(path) }
    }

    private static func remove(_ path: String) {
        guard !isSpecial(path) else { return }
        FileRights.regained { _ = unlink(path) }
    }

    private func write(_ text: String, to path: String) throws {
        let url = URL(filePath: path)
        try FileRights.regained {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: Self.isSpecial(path) ? [] : .atomic)
        }
    }

    /// Whether the path is there and no plain file: a device, a pipe, a link. What is put in a file's
    /// place at once would take its place too.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
}
