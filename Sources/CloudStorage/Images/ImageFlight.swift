/// One image on its way, and everybody who waits for it.
struct ImageFlight: Sendable {
    struct Waiter: Sendable {
        let number: Int
        let queue: any CallbackQueue
        let onState: @Sendable (StorageImageState) -> Void

        /// On the callback queue, in the order of the calls.
        func tell(_ state: StorageImageState) {
            queue.enqueue { [onState] in onState(state) }
        }
    }

    /// Of the waiter that began it: tells it from a later one to the same image.
    let number: Int
    var waiters: [Waiter]
    /// The cached image that the waiters see meanwhile.
    var shown: StorageImage?
    var task: StorageDownloadTask?

    init(number: Int, waiters: [Waiter]) {
        self.number = number
        self.waiters = waiters
    }

    mutating func show(_ image: StorageImage) {
        shown = image
        for waiter in waiters { waiter.tell(.cached(image)) }
    }

    func end(_ state: StorageImageState) {
        for waiter in waiters { waiter.tell(state) }
    }
}
