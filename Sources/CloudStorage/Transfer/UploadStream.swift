internal import Checksums
internal import EventLoop
internal import Foundation

/// Bytes that come one after the other, before anybody asked for them.
struct UploadStream: Sendable {
    /// Bytes in all, where the caller knows; 0 or more.
    let size: Int64?
    /// All of them can come again, from the beginning.
    let isRepeatable: Bool
    /// Brings the bytes to a feed, a piece each time that it wants one, until their end.
    let bring: @Sendable (StreamFeed) async -> Void

    init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, size: Int64?, isRepeatable: Bool
    ) where Pieces.Element: DataProtocol {
        self.size = size
        self.isRepeatable = isRepeatable
        bring = { feed in
            var iterator = pieces.makeAsyncIterator()
            await feed.fill {
                guard let piece = try await iterator.next() else { return nil }
                return piece as? Data ?? Data(piece)
            }
        }
    }

    /// - Parameter read: gives the next bytes, at most as many as it is told; none at the end.
    init(size: Int64?, reading read: @escaping @Sendable (Int) throws -> Data) {
        self.size = size
        isRepeatable = false
        bring = { feed in
            await feed.fill {
                let piece = try read(Self.readSize)
                return piece.isEmpty ? nil : piece
            }
        }
    }

    /// Bytes that a reader is asked for at once.
    private static let readSize = 262_144
}

/// The way of a stream's pieces to an upload: one at a time, and only when it wants one.
final class StreamFeed: Sendable {
    enum Delivery: Sendable {
        case piece(Data)
        /// There are no more; the checksums are those of all.
        case end(crc32c: UInt32, md5: [UInt8])
        /// What was thrown, and its text.
        case failure(NSError, String)
    }

    private enum Demand {
        case none
        case wanted
        case waiting(CheckedContinuation<Bool, Never>)
        case stopped
    }

    private let demand = Lock(Demand.none)
    private let deliver: @Sendable (Delivery) -> Void

    /// - Parameter deliver: called with each piece, from any thread.
    init(_ deliver: @escaping @Sendable (Delivery) -> Void) { self.deliver = deliver }

    /// Asks for one more piece.
    func want() {
        let waiting: CheckedContinuation<Bool, Never>? = demand.withLock { demand in
            switch demand {
            case .none: demand = .wanted
            case .waiting(let continuation):
                demand = .none
                return continuation
            case .wanted, .stopped: break
            }
            return nil
        }
        waiting?.resume(returning: true)
    }

    /// Nothing is wanted any more.
    func stop() {
        let waiting: CheckedContinuation<Bool, Never>? = demand.withLock { demand in
            defer { demand = .stopped }
            guard case .waiting(let continuation) = demand else { return nil }
            return continuation
        }
        waiting?.resume(returning: false)
    }

    /// Suspends until a piece is wanted; false: none will be.
    private func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = demand.withLock { demand in
                switch demand {
                case .none, .waiting:
                    demand = .waiting(continuation)
                    return nil
                case .wanted:
                    demand = .none
                    return true
                case .stopped: return false
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Delivers what `next` gives, as it is wanted. Pieces without bytes are passed over.
    fileprivate func fill(_ next: () async throws -> Data?) async {
        var (crc, md5) = (CRC32C(), MD5())
        while await isWanted() {
            do {
                var piece = try await next()
                while piece?.isEmpty == true { piece = try await next() }
                guard let piece else {
                    return deliver(.end(crc32c: crc.value, md5: md5.digest))
                }
                piece.withUnsafeBytes {
                    crc.update($0)
                    md5.update($0)
                }
                deliver(.piece(piece))
            } catch {
                return deliver(.failure(error as NSError, "\(error)"))
            }
        }
    }
}
