import Glibc

/// Moves bytes between queues and non-blocking sockets.
enum SocketBytes {
    enum Receipt {
        case some
        /// Nothing for now.
        case none
        /// FIN.
        case end
        /// RST, or another failure.
        case broken
    }

    enum Sending {
        case all
        /// The kernel takes no more for now.
        case blocked
        case broken
    }

    private static let blockSize = 65_536

    /// One `recv`, of 64 KiB at most.
    static func receive(_ descriptor: Int32, into queue: inout ByteQueue) -> Receipt {
        withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 1) { block in
            while true {
                let count = recv(descriptor, block.baseAddress, block.count, 0)
                if count > 0 {
                    queue.append(UnsafeRawBufferPointer(rebasing: block[..<count]))
                    return .some
                }
                if count == 0 { return .end }
                if errno == EAGAIN { return .none }
                if errno != EINTR { return .broken }
            }
        }
    }

    /// Sends as much as the kernel takes.
    static func send(_ queue: inout ByteQueue, on descriptor: Int32) -> Sending {
        while !queue.isEmpty {
            let count = queue.withFirst {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Sockets.noSignal)
            }
            if count >= 0 {
                queue.remove(count)
            } else if errno == EAGAIN {
                return .blocked
            } else if errno != EINTR {
                return .broken
            }
        }
        return .all
    }
}
