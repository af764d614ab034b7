package import StorageModel

/// The entry of a client's lists that fits a scenario, as the reports show it.
package struct ListedEntry: Hashable, Sendable {
    /// Which list it stands in. The raw value is its key in the client's file.
    package enum List: String, Hashable, Sendable, CaseIterable {
        /// The scenario must fail.
        case failing = "known-failing"
        /// The scenario may fail, and must pass when it is tried again.
        case flaky = "known-flaky"
    }

    package var list: List
    package var pattern: String
    package var reason: String
    package var link: String
    /// The last day on which it counts, as 2027-01-31.
    package var expires: String?
    package var place: SourcePlace

    package init(
        _ list: List, pattern: String, reason: String, link: String, expires: String? = nil,
        place: SourcePlace
    ) {
        self.list = list
        self.pattern = pattern
        self.reason = reason
        self.link = link
        self.expires = expires
        self.place = place
    }
}
