package import StorageModel

/// What to list.
package struct ListQuery: Hashable, Sendable {
    package var prefix = ""
    /// Nil: no folding of names into prefixes.
    package var delimiter: String?
    /// Items and prefixes of one page together; 1 or more.
    package var pageSize = 1000
    /// As an earlier page gave it.
    package var pageToken: String?
    /// False: names with an empty segment or a trailing slash are left out, as Firebase does.
    package var listsUnusualNames = false

    package init() {}
}

/// One page of a listing: items and prefixes each in lexical order of their UTF-8 bytes.
package struct ListPage: Sendable {
    /// Sums of given objects may be missing here: they are computed when an object is read.
    package var items: [ObjectAttributes] = []
    package var prefixes: [String] = []
    /// Nil on the last page.
    package var nextPageToken: String?

    package init() {}
}
