import Glibc

/// A pthread that runs a closure, and knows which loop it belongs to.
struct LoopThread {
    private let thread: pthread_t

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// - Throws: `LoopError` when there are too many threads.
    init(_ body: @escaping @Sendable () -> Void) throws(LoopError) {
        let start = Unmanaged.passRetained(Start(body))
        var thread = pthread_t()
        let number = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        guard number == 0 else {
            start.release()
            throw LoopError(call: "pthread_create", number: number)
        }
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }

    func detach() { pthread_detach(thread) }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let number = pthread_key_create(&key, nil)
        precondition(number == 0, "no thread-specific storage")
        return key
    }()

    /// The object that the calling thread was marked with.
    static var owner: UnsafeMutableRawPointer? { pthread_getspecific(key) }

    static func mark(_ owner: AnyObject) {
        pthread_setspecific(key, Unmanaged.passUnretained(owner).toOpaque())
    }
}
