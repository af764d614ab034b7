import ClientDriver
import EventLoop
import ScenarioRunner

/// Starts a client once to ask who it is.
struct ClientProbe {
    private final class Seat: @unchecked Sendable {
        // Invariant: touched on the loop's thread alone.
        var driver: (any ClientDriver)?
    }

    let source: ClientSource

    /// What it says of itself, or how it failed to, with the end of its own log. A client that was
    /// stopped because the user wants to end has failed to.
    func hello() async -> (Result<ClientHello, ClientMisbehaviour>, log: [UInt8]) {
        let loop: EventLoop
        do throws(LoopError) {
            loop = try EventLoop()
            try loop.start()
        } catch {
            return (.failure(.notStarted(command: "hello", problem: "\(error)")), [])
        }
        let source = source
        let hello = await withCheckedContinuation { continuation in
            loop.post {
                let seat = Seat()
                let driver = source.make(loop)
                seat.driver = driver
                driver.hello { reply in
                    seat.driver = nil
                    driver.stop { continuation.resume(returning: (reply, driver.errorOutput)) }
                }
                Self.watch(seat, loop)
            }
        }
        loop.stop()
        return hello
    }

    /// On the loop: looks from time to time whether the user wants to end.
    private static func watch(_ seat: Seat, _ loop: EventLoop) {
        guard let driver = seat.driver else { return }
        if Interruption.hasCome { return driver.stop {} }
        _ = loop.realTimer(after: .milliseconds(50)) { watch(seat, loop) }
    }
}
