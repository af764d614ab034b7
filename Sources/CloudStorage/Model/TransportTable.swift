package import StorageModel

/// What the client makes of each way in which an exchange breaks.
package struct TransportTable: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// False: trying again does not help.
        package var isRetried: Bool
        /// The code in the domain `NSURLErrorDomain` of what lies underneath.
        package var urlError: Int
        /// What happened, in words for the user.
        package var words: String
    }

    package var rows: [TransportFault: Row]
    /// For a cause without a name of its own.
    package var other = Row(isRetried: true, urlError: -1, words: "for a cause without a name")

    /// Codes as Foundation's `URLError.Code` numbers them.
    package static let documented = TransportTable(rows: [
        .refused: Row(isRetried: true, urlError: -1004, words: "the server takes no connection"),
        .resolve: Row(isRetried: true, urlError: -1003, words: "the server's name is not known"),
        .reset: Row(isRetried: true, urlError: -1005, words: "the connection was reset"),
        .closed: Row(
            isRetried: true, urlError: -1005, words: "the connection ended before an answer"),
        .cut: Row(isRetried: true, urlError: -1005, words: "the answer ended early"),
        .timedOut: Row(isRetried: true, urlError: -1001, words: "nothing moved for too long"),
        .offline: Row(isRetried: true, urlError: -1009, words: "there is no way to the server"),
        .tls: Row(
            isRetried: false, urlError: -1200, words: "the server cannot be trusted"),
        .malformed: Row(isRetried: true, urlError: -1017, words: "the answer is no HTTP"),
        .oversizedHead: Row(
            isRetried: true, urlError: -1103, words: "the head of the answer is too large"),
        .tooManyRedirects: Row(
            isRetried: false, urlError: -1007, words: "the server sends the client in circles"),
    ])

    func row(_ fault: TransportFault?) -> Row { fault.flatMap { rows[$0] } ?? other }
}
