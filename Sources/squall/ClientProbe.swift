import ClientDriver
import EventLoop
import ScenarioRunner

/// Starts a client once to ask who it is.
struct ClientProbe {
    let source: ClientSource

    /// What it says of itself, or how it failed to.
    func hello() async -> Result<ClientHello, ClientMisbehaviour> {
        let loop: EventLoop
        do throws(LoopError) {
            loop = try EventLoop()
            try loop.start()
        } catch {
            return .failure(.notStarted(command: "hello", problem: "\(error)"))
        }
        let source = source
        let hello = await withCheckedContinuation { continuation in
            loop.post {
                let driver = source.make(loop)
                driver.hello { reply in
                    driver.stop { continuation.resume(returning: reply) }
                }
            }
        }
        loop.stop()
        return hello
    }
}
