import Foundation
import Mutants

/// What is said while it runs, on standard error: the result is on standard output alone.
struct Output: Sendable {
    private let isFull: Bool

    init(_ options: Options) { isFull = options.depth != .quick }

    var progress: @Sendable (Finding) -> Void {
        guard isFull else { return { _ in } }
        return { finding in
            let named = finding.caught.count
            let line =
                "\(finding.mutant): \(finding.reds.count) red of \(finding.ran), \(named) of them "
                + "name it in a must\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
    }
}
