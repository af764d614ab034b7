package import EventLoop

/// Everything was still, and the body of the test had not returned.
package struct LoopStuck: Error, CustomStringConvertible {
    package let report: StuckReport
    package var description: String { report.description }
}

/// Runs `body` as a task on a loop of its own in wall time; the loop is stopped afterwards.
package func runLoop<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    try await run(on: EventLoop(), body)
}

/// Runs `body` as a task on a loop of its own with a virtual clock; the loop is stopped afterwards.
///
/// - Throws: `LoopStuck` when nothing can happen any more, and what `body` throws.
package func runVirtually<Result: Sendable>(
    weakness: VirtualTime.Weakness = [],
    _ body: @escaping @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    try await run(on: EventLoop(time: VirtualTime(weakness: weakness)), body)
}

private func run<Result: Sendable>(
    on loop: EventLoop, _ body: @escaping @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    loop.time?.begin()
    try loop.start()
    defer { loop.stop() }
    return try await withCheckedThrowingContinuation { continuation in
        let once = Lock<CheckedContinuation<Result, any Error>?>(continuation)
        let finish: @Sendable (Swift.Result<Result, any Error>) -> Void = { result in
            loop.time?.finish()
            once.withLock { $0.take() }?.resume(with: result)
        }
        loop.time?.whenStuck { finish(.failure(LoopStuck(report: $0))) }
        _ = Task(executorPreference: loop) {
            do { finish(.success(try await body(loop))) } catch { finish(.failure(error)) }
        }
        loop.time?.end()
    }
}
