/// A change to the lists of a client's file.
package struct KnownListsEdit: Sendable {
    /// Which list. The raw value is its key.
    package enum List: String, Hashable, Sendable, CaseIterable {
        case failing = "known-failing"
        case flaky = "known-flaky"
    }

    /// An entry that the file has.
    package struct Position: Hashable, Sendable {
        package var list: List
        /// From 0, in the order of the file.
        package var index: Int

        package init(_ list: List, _ index: Int) {
            self.list = list
            self.index = index
        }
    }

    /// An entry that the file is to have, with blanks that a person must fill in.
    package struct Addition: Hashable, Sendable {
        package var list: List
        package var pattern: String
        /// What was seen, in a line.
        package var comment: String
        /// Texts for `failure`; empty: the key is left out.
        package var failure: [String]
        /// How many scenarios a pattern with a wildcard fits; nil: the key is left out.
        package var count: Int?

        package init(
            _ list: List, pattern: String, comment: String = "", failure: [String] = [],
            count: Int? = nil
        ) {
            self.list = list
            self.pattern = pattern
            self.comment = comment
            self.failure = failure
            self.count = count
        }
    }

    /// A pattern that an entry is to have instead of its own.
    package struct Part: Hashable, Sendable {
        package var pattern: String
        /// How many scenarios it stands for; nil: the key is left out.
        package var count: Int?

        package init(_ pattern: String, count: Int? = nil) {
            self.pattern = pattern
            self.count = count
        }
    }

    package var deletions: Set<Position> = []
    /// Entries that are to stand once for each of these patterns instead.
    package var narrowings: [Position: [Part]] = [:]
    /// Counts that entries are to have, for entries that are neither deleted nor narrowed.
    package var counts: [Position: Int] = [:]
    /// At the end of their lists, in this order.
    package var additions: [Addition] = []

    package init() {}

    package var isEmpty: Bool {
        deletions.isEmpty && narrowings.isEmpty && counts.isEmpty && additions.isEmpty
    }
}
