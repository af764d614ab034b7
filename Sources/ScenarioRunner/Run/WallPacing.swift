import EventMatching
import FaultEngine
import Scenario
import StorageModel

/// Wall time: which exchanges wait for a client that a step wants to see first.
///
/// While a step waits for an event of a task, the next exchange of that task stands at its head, and a
/// running download stops at the awaited byte, or each 64 KiB, until the client has told everything
/// that it has seen so far.
struct WallPacing {
    /// A task that some step waits for.
    struct Awaited: Hashable {
        let task: String
        let isUpload: Bool
        let bucket: String
        let path: String
    }

    static let piece: Int64 = 65536
    /// How often, in all, a client is asked whether it has seen what was sent to a task.
    static let looks = 50
    /// Of wall time, between two of these questions.
    static let lookGap = Duration.milliseconds(10)

    /// The tasks whose events the waiting steps name, as far as they were started, and those whose
    /// event has come while its step is not yet confirmed: the client's line may be read before the
    /// exchange stops, and what the step does to the task must still come first.
    static func awaited(
        _ machine: StepMachine, _ book: RunBook, happened: (Trigger) -> Bool
    ) -> [Awaited] {
        let coming = machine.waiting.compactMap { machine.entries[$0].when }
            .flatMap { when in
                happened(when) ? when.tasks : when.tasks.filter { !happened(.task($0)) }
            }
        let begun = machine.underWay.map { machine.entries[$0] }.filter(\.isShort)
            .compactMap(\.when).flatMap(\.tasks)
        let names = (coming + begun).map(\.task)
        return Set(names).sorted().compactMap { name in
            book.task(name).map {
                Awaited(
                    task: name, isUpload: $0.isUpload, bucket: $0.bucket, path: $0.path)
            }
        }
    }

    /// True when the exchange is one of an awaited task, told by object and direction.
    static func concerns(_ exchange: ExchangeRecord, _ awaited: [Awaited]) -> Bool {
        awaited.contains { task in
            let isSameWay =
                task.isUpload ? exchange.operation.isUpload : exchange.operation.isDownload
            return isSameWay && exchange.path == task.path && exchange.bucket == task.bucket
        }
    }

    /// Where a download is to stop: bytes of the object, ascending.
    ///
    /// - Parameter total: the object's size.
    static func stops(_ triggers: [TaskTrigger], total: Int64) -> [Int64] {
        let stops = triggers.flatMap { trigger -> [Int64] in
            if let bytes = trigger.bytes?.leastBytes(of: total) { return [bytes] }
            let pieces = min(1024, total / piece)
            return pieces < 1 ? [] : (1...pieces).map { $0 * piece }
        }
        return Set(stops).filter { $0 > 0 && $0 < total }.sorted()
    }
}

extension TaskTrigger {
    /// True where the client can have seen the event by the bytes before a stop: a pause that is
    /// still to be asked for, or a byte behind the stop, is not worth waiting for there.
    func canCome(before stop: Int64, of total: Int64) -> Bool {
        guard moment == .event(.progress) else { return false }
        guard let bytes else { return true }
        return bytes.leastBytes(of: total).map { $0 <= stop } ?? false
    }
}

extension StepList.Entry {
    /// True for a step that needs no exchange to be carried out: it cannot wait for what is held.
    fileprivate var isShort: Bool {
        guard case .step(let verb) = work else { return false }
        return switch verb {
        case .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .release: true
        case .upload, .download, .getMetadata, .updateMetadata, .delete, .url, .list, .listAll,
            .fetch, .image, .reference, .local, .token, .backend, .restartClient, .wait, .burst,
            .parallel, .repeat:
            false
        }
    }
}

extension NumberTest {
    /// The least number of bytes that fits; for percentages of a whole.
    fileprivate func leastBytes(of whole: Int64?) -> Int64? {
        guard isPercent else { return leastWholeNumber }
        guard let whole, whole > 0 else { return nil }
        // The first whole number of bytes whose share fits.
        var (low, high): (Int64, Int64) = (0, whole)
        guard holds(whole, whole: whole) else { return nil }
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle, whole: whole) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
