package import ClientDriver

/// Where a client dials in, who starts it, and how patient Squall is with it.
package struct DialInOptions: Hashable, Sendable {
    package struct Limits: Hashable, Sendable {
        /// For a client to dial in, or to come back.
        package var wait = Duration.seconds(60)
        /// How long a poll is held when there is nothing to tell.
        package var poll = Duration.seconds(25)
        /// From the break of a client's connection until it has to have asked again.
        package var absence = Duration.seconds(5)
        /// Without any request of a client that has no poll open.
        package var silence = Duration.seconds(15)
        /// Between TERM and KILL for the command that opened the client.
        package var termination = Duration.milliseconds(500)
        /// For the client to hear that nothing more comes.
        package var farewell = Duration.milliseconds(300)
        /// Bytes of reports posted at once.
        package var reports: Int64 = 8 << 20
        /// Bytes of a file that a client hands over.
        package var file: Int64 = 1 << 30
        /// Bytes of its own log posted at once.
        package var log: Int64 = 1 << 20

        package init() {}
    }

    /// A numeric address to listen on.
    package var host: String
    /// 0: any free port.
    package var port: UInt16
    /// Starts the client: in its words `{url}` is where to dial in; without one it follows them. Nil:
    /// somebody opens the page.
    package var open: ChildCommand?
    /// Folders with pages and their scripts, by the name that they have at the port.
    package var folders: [String: String]
    /// The name of the folder whose `index.html` the port itself leads to; nil: there is no page.
    package var page: String?
    package var limits: Limits

    package init(
        host: String = "127.0.0.1", port: UInt16 = 0, open: ChildCommand? = nil,
        folders: [String: String] = [:], page: String? = nil, limits: Limits = Limits()
    ) {
        self.host = host
        self.port = port
        self.open = open
        self.folders = folders
        self.page = page
        self.limits = limits
    }
}
