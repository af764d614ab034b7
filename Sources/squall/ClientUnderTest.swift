import ClientDriver
import EventLoop
import ReferenceDriver
import Scenario
import ScenarioRunner

/// The client that a run is about, and how it is started.
struct ClientUnderTest: Sendable {
    enum Kind: Sendable {
        /// The reference client, in this process.
        case reference
        /// A child process that the command line names.
        case command([String])
        /// A client that dials in at this port, opened by the command, if there is one.
        case dialIn(port: UInt16, opener: [String])
        /// What a client file says.
        case file(ClientFile)
    }

    let kind: Kind
    /// Names of the profile that is asked of it, the furthest base first: the reference client behaves
    /// as one of them where it can. No other client is told.
    var likeness: [String] = []

    init(_ kind: Kind) { self.kind = kind }

    /// The client that the command line means. A client file is read here; what is wrong with it goes to
    /// standard error.
    ///
    /// - Throws: `UsageError` for a file that cannot be used.
    init(_ options: RunOptions) throws(UsageError) {
        if let path = options.clientFile {
            self.init(.file(try Self.file(path)))
        } else if let port = options.dialIn {
            self.init(.dialIn(port: port, opener: options.command ?? []))
        } else if let command = options.command {
            self.init(.command(command))
        } else {
            self.init(.reference)
        }
    }

    var file: ClientFile? {
        if case .file(let file) = kind { file } else { nil }
    }

    /// A client of its own process or machine has no virtual clock.
    var isOutside: Bool {
        if case .reference = kind { false } else { true }
    }

    /// One client for everything: it is there once.
    var isAlone: Bool {
        switch kind {
        case .reference, .command: false
        case .dialIn: true
        case .file(let file): file.mode == .dialIn
        }
    }

    /// The reference client is made anew for each scenario; a child process serves many.
    var source: ClientSource {
        switch kind {
        case .reference:
            ClientSource(isKept: false) { [likeness] loop in
                ReferenceDriver(
                    loop: loop, behaviour: ReferenceDriver.behaviour(of: likeness))
            }
        case .command(let words): Self.child(ChildCommand(words), StdioDriver.Limits())
        case .dialIn(let port, let opener): DialInSource(port: port, opener: opener).source
        case .file(let file): Self.source(of: file)
        }
    }

    // MARK: Private parts

    private static func file(_ path: String) throws(UsageError) -> ClientFile {
        let reading = FileRights.regained { ClientFile.load(path) }
        for diagnostic in reading.diagnostics { Terminal.error(diagnostic.text) }
        guard reading.isUsable, let file = reading.file else { throw .alreadyTold }
        let mistakes = ClientFileCheck(file).diagnostics
        for diagnostic in mistakes { Terminal.error(diagnostic.withSourceLine.text) }
        guard mistakes.isEmpty else { throw .alreadyTold }
        return file
    }

    private static func source(of file: ClientFile) -> ClientSource {
        switch file.mode {
        case .dialIn: return DialInSource(file, StdioDriver.Limits(deadline: file.deadline)).source
        case .oneShot: return oneShot(file)
        case .stdio:
            let command = ChildCommand(
                file.command?.value ?? [file.name.value], environment: file.environment,
                folder: file.folder)
            return child(command, StdioDriver.Limits(deadline: file.deadline))
        }
    }

    /// A tool that says nothing of itself: what it is called and can do stands in its file.
    private static func oneShot(_ file: ClientFile) -> ClientSource {
        var tool = file.oneShot?.tool ?? OneShotTool(name: "")
        tool.name = file.name.value
        tool.environment = file.environment
        tool.folder = file.folder
        tool.version?.environment = file.environment
        tool.version?.folder = file.folder
        tool.properties = file.capabilities?.value ?? []
        let limits = StdioDriver.Limits(deadline: file.deadline)
        return ClientSource(isKept: true) { [tool] loop in
            OneShotDriver(loop: loop, tool: tool, limits: limits)
        }
    }

    private static func child(
        _ command: ChildCommand, _ limits: StdioDriver.Limits
    ) -> ClientSource {
        ClientSource(isKept: true) { StdioDriver(loop: $0, child: command, limits: limits) }
    }
}
