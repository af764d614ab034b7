import Scenario
import StorageModel

/// What the uploads of a scenario's steps are made of, when somebody else carries them out.
struct ServedSources {
    struct Source {
        /// With its round inside `repeat`: `up#3`.
        let task: String
        let object: ObjectAddress
        let bytes: any ByteSource
    }

    private(set) var all: [Source] = []
    private let contents: ScenarioContents
    /// Local files that the scenario makes, by their names.
    private var files: [String: Content] = [:]

    init(_ list: StepList, _ contents: ScenarioContents) {
        self.contents = contents
        for entry in list.entries {
            guard case .step(let verb) = entry.work else { continue }
            take(verb, name: entry.name)
        }
    }

    private mutating func take(_ verb: StepVerb, name: String?) {
        switch verb {
        case .upload(let upload): take(upload, name: name)
        case .local(.create(let file, let content)): files[file] = content
        case .burst(let steps), .parallel(let steps):
            for step in steps { take(step.verb, name: step.name) }
        case .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .getMetadata,
            .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image, .reference, .local,
            .token, .backend, .release, .restartClient, .wait, .repeat:
            break
        }
    }

    private mutating func take(_ upload: UploadStep, name: String?) {
        let content: Content? =
            switch upload.source {
            case .data(let content), .file(let content): content
            case .localFile(let file): files[file]
            case .stream(let stream): stream.content
            }
        // A source that cannot be read is told where an expectation compares with it.
        guard let name, let content, let bytes = try? contents.source(content) else { return }
        all.append(Source(task: name, object: upload.object, bytes: bytes))
    }
}
