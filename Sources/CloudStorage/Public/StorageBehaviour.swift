/// In what the library may differ where the product pages are silent, or where published clients do
/// otherwise than they say: as documented, or as the SDK for Apple platforms does.
///
/// One value for everything: what is told and when, what is tried again and for how long, what is
/// checked. To be set before the first transfer of a storage is made (`Storage.behaviour`).
public struct StorageBehaviour: Hashable, Sendable, CustomStringConvertible {
    /// What the pages promise: the start is told; progress is what the server has acknowledged; a
    /// pause is told once the transfer stands still; what fails is tried again until the limit and then
    /// is `retryLimitExceeded`; checksums are compared.
    public static let documented = StorageBehaviour(name: "documented")

    /// What apps that were written for the Apple SDK are used to: no event at the start, the last
    /// progress told twice, progress of bytes sent and with those of the metadata, an upload's pause
    /// told at the call, late observers told the state, another set of what is tried again and other
    /// waits, no checksum compared, and never `retryLimitExceeded`.
    ///
    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources`, and gtm-session-fetcher, `Sources/Core`.
    /// Known from reading them. What of it is not copied is written in
    /// `Conformance/profiles/apple.yaml`.
    public static let apple = StorageBehaviour(
        name: "apple", life: .apple, progress: .apple, retries: .apple, checks: .apple)

    /// Lives of transfers: what each call and each report does.
    package struct Life: Hashable, Sendable {
        package var upload = TransferTable.documented
        package var fileDownload = TransferTable.documented
        package var memoryDownload = TransferTable.documented

        func download(inMemory: Bool) -> TransferTable {
            inMemory ? memoryDownload : fileDownload
        }

        static let apple = Life(
            upload: .appleUpload, fileDownload: .appleFileDownload,
            memoryDownload: .appleMemoryDownload)
    }

    /// What an upload's bytes are.
    package struct Progress: Hashable, Sendable {
        /// True: bytes that went out; false: bytes that the server has acknowledged.
        package var countsSentBytes = false
        /// True: the metadata that begins the upload is part of both numbers.
        package var countsMetadata = false

        static let apple = Progress(countsSentBytes: true, countsMetadata: true)
    }

    /// What is tried again, and how often.
    package struct Retries: Hashable, Sendable {
        package var answers = AnswerTable.documented
        package var breaks = TransportTable.documented
        package var requests = RetryRule.documented
        /// Of the chunks of an upload; nil: as any request.
        package var chunks: RetryRule?
        /// False: an upload ends where the server does not say what it holds.
        package var repeatsQueries = true
        /// False: a delete that may have been carried out before, and finds nothing, has failed.
        package var forgivesDeletes = true
        package var downloads = Resumption.byRange
        /// How often a token that is refused is renewed before the refusal counts.
        package var renewals = 1
        /// Of an upload whose body was cut off or refused.
        package var brokenUploads = Recovery.asks
        /// Of an upload that was paused.
        package var pausedUploads = Recovery.asks

        static let apple = Retries(
            answers: .apple, breaks: .apple, requests: .appleRequest, chunks: .appleChunk,
            repeatsQueries: false, forgivesDeletes: false, downloads: .afterPauseOfFile)
    }

    /// Where a download goes on at the byte where it stopped; elsewhere it begins anew.
    package enum Resumption: Hashable, Sendable {
        case byRange
        /// After a pause, where it goes to a file; never after a break.
        case afterPauseOfFile
        case never

        func keepsOnPause(inMemory: Bool) -> Bool {
            switch self {
            case .byRange: true
            case .afterPauseOfFile: !inMemory
            case .never: false
            }
        }
    }

    /// How an upload goes on.
    package enum Recovery: Hashable, Sendable {
        /// The server is asked what it holds.
        case asks
        /// What was sent last is sent again, whatever the server holds.
        case repeats
        /// In a new session, from the first byte on.
        case beginsAnew
    }

    /// What is compared before a transfer has succeeded.
    package struct Checks: Hashable, Sendable {
        package var comparesChecksums = true
        /// False: an upload's last answer is its metadata, and an error where it is none.
        package var asksForMetadata = true

        static let apple = Checks(comparesChecksums: false, asksForMetadata: false)
    }

    let name: String
    package var life = Life()
    package var progress = Progress()
    package var retries = Retries()
    package var checks = Checks()
    /// The header fields of every request.
    package var headers = RequestHeaders.standard

    /// `documented` or `apple`.
    public var description: String { name }

    package var comparesChecksums: Bool { checks.comparesChecksums }

    package var beginsLostSessionsAnew: Bool {
        retries.answers.rows.contains { $0.meaning == .sessionGone }
    }

    /// The behaviour of that name.
    package init?(named name: String) {
        switch name {
        case Self.documented.name: self = .documented
        case Self.apple.name: self = .apple
        default: return nil
        }
    }

    private init(
        name: String, life: Life = Life(), progress: Progress = Progress(),
        retries: Retries = Retries(), checks: Checks = Checks()
    ) {
        self.name = name
        self.life = life
        self.progress = progress
        self.retries = retries
        self.checks = checks
    }
}
