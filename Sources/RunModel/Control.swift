/// A passed scenario judged once more, with evidence in which one thing was falsified: a right judge
/// has to turn red.
package struct Control: Hashable, Sendable {
    /// What was falsified. The raw value is the name that reports use.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case eventMissing = "event-missing"
        case eventDoubled = "event-doubled"
        case eventsSwapped = "events-swapped"
        /// Success told as failure, or the other way round, by the event alone.
        case endChanged = "end-changed"
        case eventAfterEnd = "event-after-end"
        case progressChanged = "progress-changed"
        case codeChanged = "code-changed"
        /// A success told as an error, by all that tells of it.
        case errorInvented = "error-invented"
        /// An error told as a success, by all that tells of it.
        case errorHidden = "error-hidden"
        case completionDoubled = "completion-doubled"
        case completionMissing = "completion-missing"
        case storedByteFlipped = "stored-byte-flipped"
        case objectMissing = "object-missing"
        case objectInvented = "object-invented"
        case generationAdded = "generation-added"
        case localByteFlipped = "local-byte-flipped"
        case localFileMissing = "local-file-missing"
        /// A file where a failed download must leave none.
        case localFileLeft = "local-file-left"
        case requestMissing = "request-missing"
        case requestAdded = "request-added"
        case requestDoubled = "request-doubled"
        /// A header, the status, an offset or the bytes of a request.
        case requestChanged = "request-changed"
        case metadataChanged = "metadata-changed"
        /// What a step gave.
        case resultChanged = "result-changed"
        /// Of sessions, of questions for a token, of connections.
        case numberChanged = "number-changed"
        case timeChanged = "time-changed"
        case complaintAdded = "complaint-added"
    }

    /// The id of the scenario.
    package var scenario: String
    package var kind: Kind
    /// What was changed, in words without a full stop.
    package var falsification: String
    /// What should have noticed it, in words.
    package var noticer: String
    /// True when that turned red.
    package var isRed: Bool
    /// Everything that turned red, a sentence each.
    package var sentences: [String]

    package init(
        scenario: String, kind: Kind, falsification: String, noticer: String, isRed: Bool,
        sentences: [String] = []
    ) {
        self.scenario = scenario
        self.kind = kind
        self.falsification = falsification
        self.noticer = noticer
        self.isRed = isRed
        self.sentences = sentences
    }
}
