internal import EventLoop
internal import Foundation

/// A download on its way to somebody who takes it piece by piece, and waits for pieces. The loop puts
/// them in; they are taken out on any thread.
final class DownloadPipe: DownloadSink {
    private typealias Taker = CheckedContinuation<Result<Data?, any Error>, Never>

    private struct State {
        var pieces: [Data] = []
        /// Bytes of them all.
        var held = 0
        /// Something was taken out, which cannot be put back.
        var isBegun = false
        var end: Result<Void, any Error>?
        var takers: [Taker] = []
        /// The loop found the pipe full, and waits to be told that it is not.
        var isAwaited = false
        var whenRoom: (@Sendable () -> Void)?
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: bytes that are held at least before the pipe is full; one piece more than
    ///   that at most.
    init(limit: Int) { self.limit = max(limit, 1) }

    // MARK: The loop's end

    var isIntact: Bool { true }

    var isFull: Bool {
        state.withLock { state in
            guard state.held >= limit else { return false }
            state.isAwaited = true
            return true
        }
    }

    func whenRoom(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenRoom = action }
    }

    func restart() throws(StorageFailure) {
        let isBegun = state.withLock { state in
            if !state.isBegun { (state.pieces, state.held) = ([], 0) }
            return state.isBegun
        }
        guard isBegun else { return }
        throw StorageFailure(
            .unknown,
            "The download would have to begin anew, and what was taken out cannot be put back.")
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let piece = Data(bytes)
        let taker: Taker? = state.withLock { state in
            guard state.takers.isEmpty else {
                state.isBegun = true
                return state.takers.removeFirst()
            }
            state.pieces.append(piece)
            state.held += piece.count
            return nil
        }
        taker?.resume(returning: .success(piece))
    }

    func finish() {}

    func discard() {}

    /// Nothing comes any more. After a failure what is held is given out first.
    func end(_ error: (any Error)?) {
        let takers: [Taker] = state.withLock { state in
            state.end = error.map { .failure($0) } ?? .success(())
            defer { state.takers = [] }
            return state.takers
        }
        let result: Result<Data?, any Error> = error.map { .failure($0) } ?? .success(nil)
        for taker in takers { taker.resume(returning: result) }
    }

    // MARK: The other end

    /// The next piece; nil at the end.
    ///
    /// - Throws: what the download failed with, once all was taken out that had arrived before.
    func take() async throws -> Data? {
        let result: Result<Data?, any Error> = await withCheckedContinuation { taker in
            var room: (@Sendable () -> Void)?
            let result: Result<Data?, any Error>? = state.withLock { state in
                if let piece = state.pieces.first {
                    state.pieces.removeFirst()
                    state.held -= piece.count
                    state.isBegun = true
                    if state.isAwaited, state.held <= limit / 2 {
                        state.isAwaited = false
                        room = state.whenRoom
                    }
                    return .success(piece)
                }
                if let end = state.end { return end.map { nil } }
                state.takers.append(taker)
                return nil
            }
            room?()
            if let result { taker.resume(returning: result) }
        }
        return try result.get()
    }
}
