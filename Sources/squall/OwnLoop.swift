import EventLoop

/// Lets the main thread wait for what runs on a loop.
enum OwnLoop {
    /// Runs `work` on a loop of its own and waits for what it gives.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) throws -> Value {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let done = Rendezvous<Value>()
        Task(executorPreference: loop) { done.set(.success(await work())) }
        return try done.wait()
    }
}
