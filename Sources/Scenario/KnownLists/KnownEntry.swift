package import StorageModel

/// One entry of a client's list of known failures, or of known flaky scenarios.
package struct KnownEntry: Hashable, Sendable {
    /// Tries in all that a flaky scenario has, where the entry does not say.
    package static let defaultTries = 3

    package var pattern: ScenarioPattern
    /// Texts of which each failure must contain one; empty: any failure, but for a client that
    /// hangs, dies or says what nobody understands.
    package var failure: [String]
    /// Why it is known, in words; not empty.
    package var reason: String
    /// Where more is said of it: a URL of the web, or a page of the repository with its anchor.
    package var link: String
    /// The last day on which the entry counts; nil: it counts until the scenario passes.
    package var expires: CalendarDay?
    /// Tries in all, for a flaky scenario: 2 or more; nil in the other list.
    package var limit: Int?
    /// How many scenarios of the suite the pattern fits; nil: nobody counted. With it a suite that
    /// grows cannot add to what the entry covers.
    package var count: Int?
    /// Of the entry: its line is the one to delete.
    package var place: SourcePlace

    package init(
        pattern: ScenarioPattern, failure: [String] = [], reason: String, link: String,
        expires: CalendarDay? = nil, limit: Int? = nil, count: Int? = nil, place: SourcePlace
    ) {
        self.pattern = pattern
        self.failure = failure
        self.reason = reason
        self.link = link
        self.expires = expires
        self.limit = limit
        self.count = count
        self.place = place
    }
}
