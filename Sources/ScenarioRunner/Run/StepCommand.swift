import ClientDriver
import EventMatching
import FaultEngine
import Scenario
import StorageModel

/// Turns steps into what a client is told.
///
/// Making a command prepares the files that it names, and writes the task or result into the book.
struct StepCommands {
    let workspace: Workspace
    let contents: ScenarioContents
    let bucket: String
    let instances: [String: String]
    let now: () -> Duration

    enum Problem: Error, CustomStringConvertible {
        /// The page or URL of a result that has none.
        case noResult(String, wanted: String)
        /// The machine cannot do it: the scenario is skipped with this reason.
        case skipped(String)
        case unsupported(String)

        var description: String {
            switch self {
            case .noResult(let name, let wanted): "the result '\(name)' has no \(wanted)"
            case .skipped(let reason): reason
            case .unsupported(let verb): "'\(verb)' cannot stand inside another step"
            }
        }
    }

    /// The command for a verb that a client carries out; nil for the runner's own.
    func command(
        _ verb: StepVerb, name: String?, instance: String?, book: inout RunBook
    ) throws -> ClientCommand.Verb? {
        switch verb {
        case .upload(let step): return try upload(step, name, instance, &book)
        case .download(let step): return try download(step, name, instance, &book)
        case .pause(let use): return .pause(task: use.task, throughSnapshot: use.throughSnapshot)
        case .resume(let use): return .resume(task: use.task, throughSnapshot: use.throughSnapshot)
        case .cancel(let use): return .cancel(task: use.task, throughSnapshot: use.throughSnapshot)
        case .snapshot(let task): return .snapshot(task: task)
        case .observe(let step):
            let observer = name ?? "observer of \(step.task)"
            book.beginObserver(observer, of: step.task, at: now())
            return .observe(
                ClientCommand.Observe(
                    task: step.task, name: observer, events: step.events, renews: step.renews))
        case .unobserve(let step): return .unobserve(unobserve(step))
        case .getMetadata(let object): return .getMetadata(place(object))
        case .updateMetadata(let object, let change):
            return .updateMetadata(place(object), set: Self.fields(change))
        case .delete(let object): return .delete(place(object))
        case .url(let object): return .url(place(object))
        case .list(let step): return try list(step, book)
        case .listAll(let prefix): return .listAll(place(prefix))
        case .fetch(let result): return try fetch(result, book)
        case .image(let object):
            let file = (name ?? "image of \(object.path.replacing("/", with: "-"))") + ".image"
            return .image(place(object), into: workspace.clientDirectory + "/" + file)
        case .reference(.path(let path)): return .reference(.path(path))
        case .reference(.url(let url)): return .reference(.url(url))
        case .local(.purge(let task)): return .purge(task: task)
        case .token(.use): return .token(signedIn: true)
        case .token(.signOut): return .token(signedIn: false)
        case .release(let task): return .release(task: task)
        case .restartClient: return .restart
        case .burst(let steps): return .burst(try several(steps, &book))
        case .parallel(let steps): return .parallel(try several(steps, &book))
        case .local, .token(.expire), .backend, .wait, .repeat: return nil
        }
    }

    private func several(_ steps: [Step], _ book: inout RunBook) throws -> [ClientCommand] {
        try steps.map { step in
            let verb = try command(
                step.verb, name: step.name, instance: step.instance, book: &book)
            guard let verb else { throw Problem.unsupported(step.verb.name) }
            return ClientCommand(verb, instance: step.instance)
        }
    }

    private func place(_ object: ObjectAddress) -> ClientCommand.ObjectPlace {
        ClientCommand.ObjectPlace(bucket: object.bucket, path: object.path)
    }

    private func bucket(_ object: ObjectAddress, _ instance: String?) -> String {
        object.bucket ?? instance.flatMap { instances[$0] } ?? bucket
    }

    // MARK: Transfers

    private func upload(
        _ step: UploadStep, _ name: String?, _ instance: String?, _ book: inout RunBook
    ) throws -> ClientCommand.Verb {
        let task = name ?? "upload of \(step.object)"
        var upload = ClientCommand.Upload(
            task: task, object: place(step.object), source: try source(step.source, task, &book))
        if !step.metadata.isEmpty {
            upload.metadata = step.metadata.fields.merging(
                step.metadata.custom.map { ("metadata.\($0.key)", $0.value) }
            ) { _, new in new }
        }
        if let generation = step.ifGeneration {
            upload.conditions = ["ifGenerationMatch": "\(generation)"]
        }
        upload.continues = step.continues
        upload.isObserved = step.recording.hasObservers
        upload.hasCompletion = step.recording.hasCompletion
        var record = TaskRecord(
            name: task, isUpload: true, bucket: bucket(step.object, instance),
            path: step.object.path, start: now())
        record.hasRecorder = upload.isObserved
        record.hasCompletion = upload.hasCompletion
        book.begin(record)
        return .upload(upload)
    }

    private func source(
        _ source: UploadStep.Source, _ task: String, _ book: inout RunBook
    ) throws -> ClientCommand.Upload.Source {
        switch source {
        case .data(let content):
            let bytes = try contents.source(content)
            book.sources[task] = bytes
            return .data(.source(bytes))
        case .file(let content):
            let bytes = try contents.source(content)
            book.sources[task] = bytes
            return .file(path: try workspace.makeSource(bytes, forTask: task))
        case .localFile(let name):
            let path = workspace.useFile(name, asSourceOf: task)
            book.sources[task] = workspace.content(ofFile: path)
            return .file(path: path)
        case .stream(let stream):
            let bytes = try contents.source(stream.content)
            book.sources[task] = bytes
            return .stream(
                ClientCommand.Upload.Stream(
                    bytes: .source(bytes), rewinds: stream.canRewind,
                    gaps: stream.gaps.map { .init(at: $0.at, length: $0.duration) }))
        }
    }

    private func download(
        _ step: DownloadStep, _ name: String?, _ instance: String?, _ book: inout RunBook
    ) throws -> ClientCommand.Verb {
        let task = name ?? "download of \(step.object)"
        var destination = RunBook.Destination()
        let target: ClientCommand.Download.Target
        switch step.destination {
        case .memory(let maxSize):
            target = .memory(
                maxSize: maxSize, into: workspace.clientDirectory + "/" + task + ".received")
        case .file(_, .full): throw Problem.skipped("a full disk needs a file system of its own")
        case .file(let existing, let obstacle):
            destination.before = try existing.map(contents.source)
            let path = try workspace.makeDestination(
                forTask: task, existing: destination.before, obstacle)
            destination.path = path
            target = .file(path: path)
        }
        book.destinations[task] = destination
        var download = ClientCommand.Download(
            task: task, object: place(step.object), target: target)
        download.reading = step.reading.map { .init(stopAt: $0.stopAt, length: $0.duration) }
        download.isObserved = step.recording.hasObservers
        download.hasCompletion = step.recording.hasCompletion
        var record = TaskRecord(
            name: task, isUpload: false, bucket: bucket(step.object, instance),
            path: step.object.path, start: now())
        record.hasRecorder = download.isObserved
        record.hasCompletion = download.hasCompletion
        book.begin(record)
        return .download(download)
    }

    // MARK: The others

    private func unobserve(_ step: UnobserveStep) -> ClientCommand.Unobserve {
        switch step {
        case .handle(let name): .handle(name)
        case .events(let task, let events): .task(task, events: events)
        case .all(let task): .task(task, events: nil)
        }
    }

    private func list(_ step: ListStep, _ book: RunBook) throws -> ClientCommand.Verb {
        var token: String?
        if let name = step.pageAfter {
            guard case .result(.list(let page))? = book.result(name)?.reply,
                let next = page.nextPageToken
            else { throw Problem.noResult(name, wanted: "next page") }
            token = next
        }
        return .list(place(step.prefix), maxResults: step.maxResults, pageToken: token)
    }

    private func fetch(_ name: String, _ book: RunBook) throws -> ClientCommand.Verb {
        guard case .result(.url(let url))? = book.result(name)?.reply else {
            throw Problem.noResult(name, wanted: "URL")
        }
        return .fetch(url: url, into: workspace.clientDirectory + "/" + name + ".fetched")
    }

    private static func fields(_ change: MetadataChange) -> [String: String?] {
        var fields = change.fields
        for (name, value) in change.custom { fields["metadata.\(name)"] = value }
        if change.removesAllCustom { fields["metadata"] = .some(nil) }
        return fields
    }
}
