import ClientDriver
import EventLoop

/// Starts a client once to ask who it is.
struct ClientProbe {
    let command: [String]

    /// What it says of itself; nil where it says nothing that can be understood.
    func hello() async -> ClientHello? {
        guard let loop = try? EventLoop(), (try? loop.start()) != nil else { return nil }
        let command = command
        let hello = await withCheckedContinuation { continuation in
            loop.post {
                let driver = StdioDriver(loop: loop, command: command)
                driver.hello { reply in
                    let hello = try? reply.get()
                    driver.stop { continuation.resume(returning: hello) }
                }
            }
        }
        loop.stop()
        return hello
    }
}
