internal import StorageModel

/// What the client makes of an answer other than success.
package enum AnswerClass: Hashable, Sendable {
    /// Trouble that passes: tried again within the limit, after the wait that the answer asks for.
    case retried
    /// The token is refused: a new one is asked for, once.
    case refreshed
    /// The upload session is not there any more: a new one is begun, once.
    case sessionGone
    /// The session lives on although this request was refused: the server is asked what it holds.
    case queried
    /// The range that was asked for fits no more: the content is asked for from its beginning.
    case restarted
    /// For good, and this code names it.
    case refused(StorageErrorCode)
}

/// Which answers mean what: the first row that fits decides.
package struct AnswerTable: Hashable, Sendable {
    /// What the answer is an answer to.
    package enum Place: Hashable, Sendable {
        case anywhere
        /// A request of an upload session, after its start.
        case session
        /// A download from an offset on.
        case range
    }

    package struct Row: Hashable, Sendable {
        package var statuses: ClosedRange<Int>
        package var place = Place.anywhere
        /// The upload status that the answer has to tell; nil: any, or none.
        package var saying: StorageReply.UploadStatus?
        package var meaning: AnswerClass

        package init(
            _ statuses: ClosedRange<Int>, _ meaning: AnswerClass, at place: Place = .anywhere,
            saying: StorageReply.UploadStatus? = nil
        ) {
            self.statuses = statuses
            self.place = place
            self.saying = saying
            self.meaning = meaning
        }

        package init(
            _ status: Int, _ meaning: AnswerClass, at place: Place = .anywhere,
            saying: StorageReply.UploadStatus? = nil
        ) {
            self.init(status...status, meaning, at: place, saying: saying)
        }

        func fits(_ reply: StorageReply, _ place: Place) -> Bool {
            statuses.contains(reply.status) && (self.place == .anywhere || self.place == place)
                && (saying == nil || saying == reply.uploadStatus)
        }
    }

    package var rows: [Row]

    /// Source of the codes: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift`; of what is
    /// tried again: rule D26, and RFC 9110 sections 15.5.9 and 15.6, RFC 4918 section 11.3, RFC 6585
    /// section 4 for 408, 5xx, 423 and 429.
    package static let documented = AnswerTable(rows: [
        Row(401, .refused(.unauthenticated), saying: .final),
        Row(401, .refreshed),
        Row(408, .retried),
        Row(423, .retried),
        Row(429, .retried),
        Row(500...599, .retried),
        Row(402, .refused(.quotaExceeded)),
        Row(403, .refused(.unauthorized)),
        Row(404, .sessionGone, at: .session),
        Row(410, .sessionGone, at: .session),
        Row(404, .refused(.objectNotFound)),
        Row(416, .restarted, at: .range),
        Row(400...499, .queried, at: .session, saying: .active),
    ])

    func meaning(of reply: StorageReply, at place: Place) -> AnswerClass {
        rows.first { $0.fits(reply, place) }?.meaning ?? .refused(.unknown)
    }

    /// True for a status that is tried again nowhere but where a session lives on.
    func isRefusal(_ status: Int) -> Bool {
        (400...499).contains(status)
            && !rows.contains { $0.statuses.contains(status) && $0.meaning == .retried }
    }

    /// The code of a refusal with this status, once nothing else is to be done about it.
    func code(of status: Int) -> StorageErrorCode {
        for row in rows where row.statuses.contains(status) {
            if case .refused(let code) = row.meaning { return code }
        }
        return .unknown
    }
}
