/// A bug report of another project about transfers, which scenarios make again.
package struct FieldCase: Hashable, Sendable {
    /// `B072`, as scenarios cite it.
    package let number: String
    /// The public reports, as paths below `host`.
    package let reports: [String]
    /// Tests of our own backend, for the parts that have no client in them: `SelfTests.accounting`.
    package let ownTests: [String]

    /// Where the reports are.
    package static let host = "https://github.com/"

    init(_ number: String, _ reports: [String], ownTests: [String] = []) {
        self.number = number
        self.reports = reports
        self.ownTests = ownTests
    }
}
