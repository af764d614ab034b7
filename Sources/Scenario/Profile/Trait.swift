/// A habit in which honest clients differ. The raw value is its key in a profile's `traits`.
///
/// `Conformance/PROFILES.md` says what each value changes in an expectation.
package enum Trait: String, Hashable, Sendable, CaseIterable {
    case startEvent = "start-event"
    case closingProgress = "closing-progress"
    case progressEvents = "progress-events"
    case progressUnit = "progress-unit"
    case progressTotal = "progress-total"
    case pauseEvent = "pause-event"
    case memoryPause = "memory-pause"
    case cancelledEvent = "cancelled-event"
    case cancelWhilePaused = "cancel-while-paused"
    case cancelCommand = "cancel-command"
    case lateObserver = "late-observer"
    case retries
    case refusedToken = "refused-token"
    case afterBreak = "after-break"
    case queryFailure = "query-failure"
    case refusedWhileActive = "refused-while-active"
    case exhausted
    case checksum
    case smallUpload = "small-upload"
    case chunks
    case downloadResume = "download-resume"
    case errorNames = "error-names"

    /// The forms that a value may have, as the language writes them; the first is `documented`.
    package var forms: [String] {
        switch self {
        case .startEvent: Self.words(Traits.StartEvent.self)
        case .closingProgress: Self.words(Traits.ClosingProgress.self)
        case .progressEvents: Self.words(Traits.ProgressEvents.self)
        case .progressUnit: Self.words(Traits.ProgressUnit.self)
        case .progressTotal: Self.words(Traits.ProgressTotal.self)
        case .pauseEvent: Self.words(Traits.PauseEvent.self)
        case .memoryPause: Self.words(Traits.MemoryPause.self)
        case .refusedToken: Self.words(Traits.RefusedToken.self)
        case .cancelledEvent: Self.words(Traits.CancelledEvent.self)
        case .cancelWhilePaused: Self.words(Traits.CancelWhilePaused.self)
        case .cancelCommand: Self.words(Traits.CancelCommand.self)
        case .lateObserver: Self.words(Traits.LateObserver.self)
        case .retries: ["{statuses: LIST, transport: LIST, waits: WAITS}"]
        case .afterBreak: Self.words(Traits.AfterBreak.self)
        case .queryFailure: Self.words(Traits.QueryFailure.self)
        case .refusedWhileActive: Self.words(Traits.RefusedWhileActive.self)
        case .exhausted: Self.words(Traits.Exhausted.self)
        case .checksum: Self.words(Traits.Checksum.self)
        case .smallUpload: ["resumable", "{multipart-to: SIZE}", "media"]
        case .chunks: ["settable", "whole", "{fixed: SIZE}", "{doubling: SIZE..SIZE}"]
        case .downloadResume: Self.words(Traits.DownloadResume.self)
        case .errorNames: ["{}", "{CODE: CODE, uploads: MAP, downloads: MAP, operations: MAP}"]
        }
    }

    private static func words<Word: RawRepresentable<String> & CaseIterable>(
        _ type: Word.Type
    ) -> [String] {
        type.allCases.map(\.rawValue)
    }
}
