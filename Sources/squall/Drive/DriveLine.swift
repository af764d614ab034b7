import ClientDriver
import Glibc
import StorageModel

/// What a typed line asks for.
enum DriveAction: Sendable {
    case nothing
    case command(ClientCommand)
    /// Who is signed in from now on; nil: nobody.
    case token(String?)
    case waitFor(task: String, TransferEvent.Kind)
    case waitTime(Duration)
    case sync
    case configure
    case end
    case help
    case quit
}

/// Why a typed line cannot be understood.
struct DriveError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Reads the short commands of `squall drive`, and commands of the protocol as they are.
struct DriveLine {
    /// Where downloads go that name no file.
    let directory: String
    private var uploads: UInt64 = 0

    init(directory: String) { self.directory = directory }

    mutating func action(_ text: String) throws(DriveError) -> DriveAction {
        let text = text.trimmed
        if text.isEmpty || text.hasPrefix("#") { return .nothing }
        if text.hasPrefix("{") { return try json(text) }
        var words = try Words(text)
        guard let verb = words.next() else { return .nothing }
        let action = try own(verb, &words)
        if let action {
            try words.end(verb)
            return action
        }
        return .command(try command(verb, &words))
    }

    private func json(_ text: String) throws(DriveError) -> DriveAction {
        let message: CommandMessage
        do throws(MessageError) {
            message = try JSONLinesCodec.typedCommand(Array(text.utf8))
        } catch {
            throw DriveError(error.description)
        }
        switch message {
        case .perform(_, let command): return .command(command)
        case .sync: return .sync
        case .end: return .end
        case .hello, .configure, .token:
            throw DriveError("Squall says that by itself; 'configure' begins the next run")
        }
    }

    /// What is not a command of the protocol.
    private func own(_ verb: String, _ words: inout Words) throws(DriveError) -> DriveAction? {
        switch verb {
        case "help": return .help
        case "quit", "exit": return .quit
        case "sync": return .sync
        case "configure": return .configure
        case "end": return .end
        case "token":
            switch words.next() {
            case "sign-out": return .token(nil)
            case "use": return .token(try words.need("NAME", in: "token use alice"))
            default: throw DriveError("'token' takes 'sign-out' or 'use NAME'")
            }
        case "wait":
            let what = try words.need("TASK or a time", in: "wait up success, wait 300ms")
            if let time = ScalarText.duration(what) { return .waitTime(time) }
            return .waitFor(task: what, try words.event(in: "wait \(what) success"))
        default: return nil
        }
    }

    private static let verbs = ClientCommand.VerbName.allCases.map(\.rawValue)
    private static let all =
        verbs + ["on", "wait", "sync", "configure", "end", "help", "quit"]

    private mutating func command(
        _ verb: String, _ words: inout Words
    ) throws(DriveError) -> ClientCommand {
        if verb == "on" { return try armed(&words) }
        guard let name = ClientCommand.VerbName(rawValue: verb) else {
            let near = Spelling.nearest(to: verb, among: Self.all)
            throw DriveError(
                "'\(verb)' is no command" + (near.map { "; did you mean '\($0)'?" } ?? "")
                    + " ('help' lists them)")
        }
        let command = ClientCommand(try read(name, &words))
        try words.end(verb)
        return command
    }

    private mutating func armed(_ words: inout Words) throws(DriveError) -> ClientCommand {
        let example = "on up progress pause up"
        var moment = ClientCommand.Moment(
            task: try words.need("TASK", in: example), event: try words.event(in: example))
        if let number = words.peek.flatMap({ Int($0) }), number > 0 {
            moment.ordinal = number
            words.skip()
        }
        if words.peek == ">=" {
            words.skip()
            moment.atLeast = try words.size(in: "on up progress >= 512KiB pause up")
        }
        guard let verb = words.next(), verb != "on" else {
            throw DriveError("'on' wants a command: \(example)")
        }
        var command = try command(verb, &words)
        command.on = moment
        return command
    }

    private mutating func read(
        _ verb: ClientCommand.VerbName, _ words: inout Words
    ) throws(DriveError) -> ClientCommand.Verb {
        let example = "\(verb.rawValue) up"
        switch verb {
        case .upload: return .upload(try upload(&words))
        case .download: return .download(try download(&words))
        case .pause:
            return .pause(task: try words.need("TASK", in: example), throughSnapshot: false)
        case .resume:
            return .resume(task: try words.need("TASK", in: example), throughSnapshot: false)
        case .cancel:
            return .cancel(task: try words.need("TASK", in: example), throughSnapshot: false)
        case .snapshot: return .snapshot(task: try words.need("TASK", in: example))
        case .release: return .release(task: try words.need("TASK", in: example))
        case .purge: return .purge(task: try words.need("TASK", in: example))
        case .observe:
            let example = "observe up late success failure"
            let task = try words.need("TASK", in: example)
            let name = try words.need("NAME", in: example)
            let events = try words.events(in: example)
            return .observe(
                .init(
                    task: task, name: name,
                    events: events.isEmpty ? TransferEvent.Kind.allCases : events))
        case .unobserve:
            return .unobserve(.handle(try words.need("NAME", in: "unobserve late")))
        case .burst: return .burst(try several(&words, "burst"))
        case .parallel: return .parallel(try several(&words, "parallel"))
        case .restart: return .restart
        case .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image,
            .reference, .token:
            return try object(verb, &words)
        }
    }

    private func object(
        _ verb: ClientCommand.VerbName, _ words: inout Words
    ) throws(DriveError) -> ClientCommand.Verb {
        switch verb {
        case .updateMetadata:
            let example = "update-metadata a.bin contentType=text/plain"
            let place = ClientCommand.ObjectPlace(path: try words.need("OBJECT", in: example))
            return .updateMetadata(place, set: try words.fields(in: example))
        case .list:
            let prefix = words.peek == "max" ? "" : words.next() ?? ""
            var most: Int?
            if words.peek == "max" {
                words.skip()
                let text = try words.need("NUMBER", in: "list images max 10")
                guard let number = Int(text) else {
                    throw DriveError("'\(text)' is no number: list images max 10")
                }
                most = number
            }
            return .list(.init(path: prefix), maxResults: most, pageToken: words.next())
        case .listAll: return .listAll(.init(path: words.next() ?? ""))
        case .fetch:
            return .fetch(
                url: try words.need("URL", in: "fetch URL"), into: directory + "/fetched")
        case .image:
            let path = try words.need("OBJECT", in: "image images/a.jpg")
            return .image(.init(path: path), into: directory + "/image")
        case .reference:
            let text = try words.need("PATH or URL", in: "reference images/a.jpg")
            return .reference(text.contains("://") ? .url(text) : .path(text))
        default:
            let path = try words.need("OBJECT", in: "\(verb.rawValue) images/a.jpg")
            switch verb {
            case .delete: return .delete(.init(path: path))
            case .url: return .url(.init(path: path))
            default: return .getMetadata(.init(path: path))
            }
        }
    }

    /// Commands with `;` between them.
    private mutating func several(
        _ words: inout Words, _ verb: String
    ) throws(DriveError) -> [ClientCommand] {
        var commands: [ClientCommand] = []
        for part in words.rest().split(separator: ";") {
            var words = Words(part)
            guard let verb = words.next() else { continue }
            commands.append(try command(verb, &words))
        }
        guard !commands.isEmpty else {
            throw DriveError("'\(verb)' wants commands: \(verb) pause up; resume up")
        }
        return commands
    }

    // MARK: Transfers

    private mutating func upload(_ words: inout Words) throws(DriveError) -> ClientCommand.Upload {
        let example = "upload up images/a.jpg 1MiB"
        let task = try words.need("TASK", in: example)
        let object = ClientCommand.ObjectPlace(path: try words.need("OBJECT", in: example))
        let source = try words.need("SIZE or FILE", in: example)
        if let size = ScalarText.size(source) {
            guard size <= 1 << 30 else { throw DriveError("'\(source)' is more than 1GiB") }
            uploads += 1
            return .init(
                task: task, object: object,
                source: .data(.source(SyntheticContent(size: size, seed: uploads))))
        }
        guard access(source, R_OK) == 0 else {
            throw DriveError("'\(source)' is no size like 1MiB, and no file that can be read")
        }
        return .init(task: task, object: object, source: .file(path: source.absolutePath))
    }

    private func download(_ words: inout Words) throws(DriveError) -> ClientCommand.Download {
        let example = "download down images/a.jpg"
        let task = try words.need("TASK", in: example)
        let object = ClientCommand.ObjectPlace(path: try words.need("OBJECT", in: example))
        let file = "\(directory)/\(task)"
        switch words.next() {
        case nil: return .init(task: task, object: object, target: .file(path: file))
        case "max":
            let size = try words.size(in: example + " max 1MiB")
            return .init(
                task: task, object: object, target: .memory(maxSize: size, into: file))
        case let path?:
            return .init(task: task, object: object, target: .file(path: path.absolutePath))
        }
    }
}
