import ClientDriver
import EventLoop
import ScenarioRunner

/// Starts a client once to ask who it is.
struct ClientProbe {
    let source: ClientSource

    /// What it says of itself, or how it failed to, with the end of its own log.
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
                let driver = source.make(loop)
                driver.hello { reply in
                    driver.stop { continuation.resume(returning: (reply, driver.errorOutput)) }
                }
            }
        }
        loop.stop()
        return hello
    }
}
