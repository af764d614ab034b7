internal import EventLoop
internal import Foundation

/// An upload's bytes that come one after the other. What may be needed again is held: the chunk that
/// is not acknowledged yet, and the piece that told that it is not the last. Confined to the loop.
final class StreamedSource: UploadContent, @unchecked Sendable {
    // Invariant: touched on the loop alone after `init`; deliveries of a feed are posted there.
    private struct Wish {
        var from: Int64
        var beyond: Int64
        var then: (Gathered) -> Void
    }

    private let stream: UploadStream
    private let loop: EventLoop
    private let readers: (any TaskExecutor)?
    private var feed: StreamFeed?
    private var reading: Task<Void, Never>?
    /// Counts how often the stream was begun.
    private var pass = 0
    /// A piece was asked for and has not come.
    private var isAsked = false
    private var window = ByteWindow()
    private var wish: Wish?
    private(set) var knownSize: Int64?
    private var sums: (crc32c: UInt32, md5: [UInt8])?
    private(set) var problem: StorageFailure?

    /// - Parameter readers: runs the program's own code.
    init(_ stream: UploadStream, loop: EventLoop, readers: (any TaskExecutor)?) {
        self.stream = stream
        self.loop = loop
        self.readers = readers
        knownSize = stream.size
    }

    deinit {
        feed?.stop()
        reading?.cancel()
    }

    var supply: UploadMachine.Supply { .stream(isRepeatable: stream.isRepeatable) }

    var identity: FileIdentity? { nil }

    // MARK: Gathering

    func gather(from: Int64, beyond: Int64, _ then: @escaping (Gathered) -> Void) {
        wish = Wish(from: from, beyond: beyond, then: then)
        if from < window.start {
            guard stream.isRepeatable else {
                return settle(
                    .failure(failure("bytes are needed again, and it cannot be read again")))
            }
            begin()
        } else if feed == nil {
            begin()
        }
        window.drop(before: from)
        goOn()
    }

    func rest() { wish = nil }

    func close() {
        wish = nil
        feed?.stop()
        reading?.cancel()
        window = ByteWindow()
    }

    private func begin() {
        feed?.stop()
        reading?.cancel()
        pass += 1
        isAsked = false
        sums = nil
        window = ByteWindow()
        let pass = pass
        let feed = StreamFeed { [weak self, loop] delivery in
            loop.post { [weak self] in self?.took(delivery, pass) }
        }
        self.feed = feed
        let bring = stream.bring
        reading = Task(executorPreference: readers) { await bring(feed) }
    }

    private func goOn() {
        guard let wish else { return }
        if let problem { return settle(.failure(problem)) }
        if sums != nil || window.end > wish.beyond {
            return settle(.success(GatheredBytes(end: window.end, isWhole: sums != nil)))
        }
        guard !isAsked else { return }
        isAsked = true
        feed?.want()
    }

    private func settle(_ result: Gathered) {
        let then = wish?.then
        wish = nil
        then?(result)
    }

    private func took(_ delivery: StreamFeed.Delivery, _ pass: Int) {
        guard pass == self.pass else { return }
        isAsked = false
        switch delivery {
        case .piece(let piece):
            window.append(piece)
            if let wish { window.drop(before: wish.from) }
            if let knownSize, window.end > knownSize {
                problem = failure("it has more than the \(knownSize) bytes that were announced")
            }
        case .end(let crc32c, let md5):
            sums = (crc32c, md5)
            if let knownSize, window.end != knownSize {
                problem = failure(
                    "it ended after \(window.end) of the \(knownSize) bytes that were announced")
            }
            knownSize = window.end
        case .failure(let cause, let text):
            problem = failure(text)
            problem?.cause = cause
        }
        goOn()
    }

    private func failure(_ reason: String) -> StorageFailure {
        StorageFailure(.unknown, "The stream cannot be uploaded: \(reason).")
    }

    // MARK: Reading

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        window.copy(from: offset, into: buffer)
    }

    func isSummed(_ kind: ContentChecksum.Kind) -> Bool { true }

    func checksum(_ kind: ContentChecksum.Kind) -> ContentChecksum? {
        switch kind {
        case .crc32c: sums.map { .crc32c($0.crc32c) }
        case .md5: sums.map { .md5($0.md5) }
        }
    }
}
