package import ClientDriver
package import EventLoop

/// Drives a client that cannot read a pipe: it dials in over HTTP, asks for the next command by long
/// poll and posts its reports, which are those of a child process.
///
/// For loops in wall time. After any misbehaviour its session is ended, and with it the command that
/// opened it, if there is one; the next `configure` opens it anew, or waits for it to come back.
package final class DialInDriver: ClientDriver {
    package let loop: EventLoop
    private let port: DialInPort
    private let driver: StdioDriver

    /// - Parameter announce: told where to dial in, once, when nobody is there and nobody opens a
    ///   client.
    package init(
        loop: EventLoop, options: DialInOptions, limits: StdioDriver.Limits = .init(),
        announce: @escaping @Sendable (_ url: String) -> Void = { _ in }
    ) {
        self.loop = loop
        let port = DialInPort(loop: loop, options: options)
        self.port = port
        var limits = limits
        // The link says it itself when nobody comes.
        limits.hello += options.limits.wait
        limits.stop = max(limits.stop, options.limits.farewell * 2)
        var isAnnounced = options.open != nil
        driver = StdioDriver(loop: loop, name: "the port to dial in at", limits: limits) {
            driver throws(LinkFailure) in
            let link = try port.open(driver)
            if !isAnnounced { announce(port.url(key: nil)) }
            isAnnounced = true
            return link
        }
    }

    /// Listens before anybody is asked; returns where to dial in.
    package func listen() throws(LinkFailure) -> String {
        try port.start()
        return port.url(key: nil)
    }

    package func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        driver.hello(reply)
    }

    package func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        port.files = DialInFiles(folder: configuration.workingDirectory)
        driver.configure(configuration, sink: sink, reply)
    }

    package func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        port.files.named.formUnion(command.paths)
        driver.perform(command, reply)
    }

    package func sync(_ reply: @escaping (ClientReply) -> Void) { driver.sync(reply) }

    package func end(_ reply: @escaping (ClientReply) -> Void) {
        driver.end { [port] answer in
            port.files = DialInFiles()
            reply(answer)
        }
    }

    package func expire(_ deadline: Duration, _ reply: @escaping () -> Void) {
        driver.expire(deadline, reply)
    }

    package func record(with recorder: (any LineRecorder)?) { driver.record(with: recorder) }

    package var starvation: Duration { driver.starvation }

    package var errorOutput: [UInt8] { driver.errorOutput }

    package func takeAftermath() -> [ClientMisbehaviour] { driver.takeAftermath() }

    package func stop(_ reply: @escaping () -> Void) {
        driver.stop { [port] in port.stop(reply) }
    }
}
