import FaultEngine
import StorageModel

extension Shape {
    /// The steps, and what stands in them.
    var stepTable: KeyTable? {
        if let kind = StepVerb.Kind.allCases.first(where: { Shape($0) == self }) {
            return Self.step(kind)
        }
        return switch self {
        case .stream: Self.streamTable
        case .gap:
            KeyTable(keys: [
                required("at", .anySize, "bytes that come before the silence"),
                required("for", .someDuration, "how long it lasts"),
            ])
        case .reading:
            KeyTable(keys: [
                required("stop-at", .anySize, "bytes after which the client reads no more"),
                required("for", .someDuration, "for how long"),
            ])
        case .precondition:
            KeyTable(keys: [
                required("generation", .anyNumber, "the generation that must be there; 0: none")
            ])
        case .metadata: Self.fields
        case .metadataChange:
            KeyTable(
                keys: MetadataFields.settable.map {
                    optional($0, .any([.text, .null]), "the field \($0); null clears it")
                } + [
                    optional(
                        "custom", .any([.null, .map(.any([.text, .null]), keys: .any)]),
                        "fields of the user's own; null clears one, or all")
                ])
        case .observersOff:
            KeyTable(keys: [
                required("task", .task, "the task"),
                optional(
                    "events", .some(.choice(TransferEvent.Kind.self)),
                    "only the observers of these events"),
            ])
        case .referenceSource:
            KeyTable(
                keys: [
                    optional("path", .text, "from a path"),
                    optional("url", .text, "from a URL"),
                ], oneOf: [["path", "url"]])
        case .localAction: Self.localTable
        case .tokenUse:
            KeyTable(
                keys: [
                    optional("use", .name, "the client has this token from now on"),
                    optional("sign-out", .words(["true"]), "the client has none from now on"),
                    optional("expire", .name, "the backend takes this token no more"),
                ], oneOf: [["use", "sign-out", "expire"]])
        case .backendAction: Self.backendActions
        default: nil
        }
    }

    static let commonKeys = KeyTable(keys: [
        optional("as", .name, "a name for the task, the observer, the result or the step"),
        optional(
            "when", .trigger,
            "the moment at which it is carried out; left out: after the step above"),
        optional("after", .duration, "so long after that"),
        optional("inside", .boolean, "true: in the callback that 'when' names"),
        optional("in", .name, "the storage instance"),
        optional("process", .name, "the process"),
    ])

    private static func step(_ verb: StepVerb.Kind) -> KeyTable {
        let beside = self.beside(verb)
        let own = required(verb.rawValue, value(of: verb), about(verb))
        var table = KeyTable(keys: [own]) + beside + commonKeys
        if verb == .observe {
            table.keys = table.keys.map { key in
                key.name == "as" ? required("as", .name, "the observer's name") : key
            }
        }
        return table
    }

    private static func value(of verb: StepVerb.Kind) -> ValueKind {
        switch verb {
        case .upload, .download, .getMetadata, .updateMetadata, .delete, .url, .list, .listAll,
            .image:
            .inner(.address)
        case .pause, .resume, .cancel, .snapshot, .observe, .release: .task
        case .unobserve: .any([.name, .shape(.observersOff)])
        case .fetch: .task
        case .reference: .shape(.referenceSource)
        case .local: .shape(.localAction)
        case .token: .shape(.tokenUse)
        case .backend: .shape(.backendAction)
        case .restartClient: .words(["true"])
        case .wait: .any([.duration, .trigger])
        case .burst, .parallel: .some(.any(Shape.steps.map { .shape($0) }))
        case .repeat: .integer(1...RepeatLimits.rounds)
        }
    }

    private static func about(_ verb: StepVerb.Kind) -> String {
        switch verb {
        case .upload: "starts an upload to this object"
        case .download: "starts a download of this object"
        case .pause: "pauses a task"
        case .resume: "resumes a task"
        case .cancel: "cancels a task"
        case .snapshot: "takes the state of a task"
        case .observe: "attaches an observer to a task"
        case .unobserve: "takes observers away: one by its name, or those of a task"
        case .getMetadata: "reads the metadata of an object"
        case .updateMetadata: "changes the metadata of an object"
        case .delete: "deletes an object"
        case .url: "asks for a download URL of an object"
        case .list: "lists one page below a prefix"
        case .listAll: "lists everything below a prefix"
        case .fetch: "gets the URL of a result, without credentials"
        case .image: "loads an image into an image view"
        case .reference: "makes a reference"
        case .local: "changes a local file"
        case .token: "changes who is signed in"
        case .backend: "changes the backend"
        case .release: "lets go of a task"
        case .restartClient: "kills the client's process and starts it again"
        case .wait: "waits for a moment, or for a time"
        case .burst: "carries out several steps in one turn of the callback queue"
        case .parallel: "carries out several steps at once, each from a thread of its own"
        case .repeat: "carries out 'do' so many times"
        }
    }

    private static func beside(_ verb: StepVerb.Kind) -> KeyTable {
        switch verb {
        case .upload: uploadKeys
        case .download: downloadKeys
        case .pause, .resume, .cancel:
            KeyTable(
                keys: [
                    optional(
                        "through", .words(["snapshot"]), "snapshot: on the snapshot's task")
                ], together: [("through", with: "inside")])
        case .observe:
            KeyTable(keys: [
                optional(
                    "events", .some(.choice(TransferEvent.Kind.self)),
                    "the events; default all five"),
                optional(
                    "renew", .boolean,
                    "true: each callback puts a new observer in the old one's place"),
            ])
        case .updateMetadata:
            KeyTable(keys: [required("set", .shape(.metadataChange), "the fields that change")])
        case .list:
            KeyTable(keys: [
                optional("maxResults", .anyNumber, "entries of the page"),
                optional("page", .task, "the result whose next page this is"),
            ])
        case .repeat:
            KeyTable(keys: [
                required("do", .some(.any(Shape.steps.map { .shape($0) })), "the steps of a round"),
                optional("gaps", .list(.duration), "times between the rounds, again and again"),
            ])
        case .snapshot, .unobserve, .getMetadata, .delete, .url, .listAll, .fetch, .image,
            .reference, .local, .token, .backend, .release, .restartClient, .wait, .burst,
            .parallel:
            KeyTable(keys: [])
        }
    }

    private static let recording = KeyTable(keys: [
        optional("observers", .words(["none"]), "none: nobody watches the task"),
        optional("completion", .words(["none"]), "none: it has no completion"),
    ])

    private static let uploadKeys =
        KeyTable(
            keys: [
                optional("data", .content, "bytes in memory"),
                optional(
                    "file", .any([.content, .fileName]),
                    "a file made for the task, or a local file by its name"),
                optional("stream", .shape(.stream), "a stream"),
                optional("metadata", .shape(.metadata), "the metadata that goes with it"),
                optional("if", .shape(.precondition), "only if this is so"),
                optional("continue", .task, "the task whose session goes on"),
            ], oneOf: [["data", "file", "stream"]]) + recording

    private static let downloadKeys =
        KeyTable(keys: [
            required("to", .words(["memory", "file"]), "where the bytes go"),
            optional("maxSize", .anySize, "to memory: the most that is taken"),
            optional("existing", .content, "to file: what lies there already"),
            optional(
                "destination", .choice(DownloadStep.Obstacle.self),
                "to file: what is wrong with the place"),
            optional("reading", .shape(.reading), "the client stops reading for a while"),
        ]) + recording

    private static let streamTable =
        KeyTable(
            keys: contentTable.keys.filter { $0.name != "gzip" }, oneOf: contentTable.oneOf,
            together: contentTable.together)
        + KeyTable(keys: [
            optional("rewind", .boolean, "false: it can be read once alone; default true"),
            optional(
                "gaps", .list(.shape(.gap)),
                "times at which nothing comes, in the order of their bytes"),
        ])

    private static let localTable = KeyTable(
        keys: [
            optional("create", .fileName, "makes a file"),
            optional("delete", .fileName, "deletes a file"),
            optional("truncate", .fileName, "makes a file shorter"),
            optional("grow", .fileName, "makes a file longer"),
            optional("forbid", .fileName, "takes the right to read a file away"),
            optional("directory", .fileName, "makes a folder"),
            optional("link", .fileName, "makes a symbolic link"),
            optional("purge", .task, "deletes a task's temporary and resume files"),
            optional("content", .content, "of the file that is made"),
            optional("size", .anySize, "what is left of it"),
            optional("by", .anySize, "so many bytes more"),
            optional("to", .fileName, "where the link points"),
        ],
        oneOf: [["create", "delete", "truncate", "grow", "forbid", "directory", "link", "purge"]],
        together: [
            ("content", with: "create"), ("create", with: "content"), ("size", with: "truncate"),
            ("truncate", with: "size"), ("by", with: "grow"), ("grow", with: "by"),
            ("to", with: "link"), ("link", with: "to"),
        ])
}
