import ClientDriver
import CloudStorage
import EventLoop
import Foundation
import StorageModel

/// The reference client in one scenario: its storage instances, its tasks, its observers.
final class ReferenceSession: @unchecked Sendable {
    // Invariant: touched on the loop's thread alone; closures that come back from the library run
    // there, because the loop is its callback queue.
    typealias Reply = (ClientReply) -> Void

    /// A task under the name that the scenario gave it.
    struct NamedTask {
        let task: StorageObservableTask
        let isRecorded: Bool
    }

    let loop: EventLoop
    let configuration: ClientConfiguration
    let engine: StorageEngine
    let behaviour: StorageBehaviour
    let handsOverFiles: Bool
    private(set) weak var sink: (any ClientSink)?
    var tasks: [String: NamedTask] = [:]
    var observers: [String: NamedObserver] = [:]
    var armed = ArmedCommands()
    /// With a memory cache of this scenario alone.
    let images = StorageImageLoader()
    private var storages: [StorageKey: Storage] = [:]
    private var tokens: [String: SessionTokens] = [:]
    private(set) var hasEnded = false

    private struct StorageKey: Hashable {
        let instance: String
        let bucket: String
    }

    init(
        loop: EventLoop, configuration: ClientConfiguration, sink: any ClientSink,
        handsOverFiles: Bool, behaviour: StorageBehaviour, engine: StorageEngine
    ) {
        self.loop = loop
        self.configuration = configuration
        self.sink = sink
        self.handsOverFiles = handsOverFiles
        self.behaviour = behaviour
        self.engine = engine
    }

    /// Lets go of everything; nothing is reported any more.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        sink = nil
        let waiting = armed.takeAll()
        for command in waiting { command.reply(.lost) }
        observers = [:]
        for source in tokens.values { source.end() }
        engine.shutDown()
        for named in tasks.values { named.task.forsake() }
        tasks = [:]
    }

    // MARK: Commands

    func perform(_ command: ClientCommand, _ reply: @escaping Reply) {
        guard !hasEnded else { return reply(.lost) }
        if let moment = command.on {
            var now = command
            now.on = nil
            return arm(now, at: moment, reply)
        }
        carryOut(command, nil, reply)
    }

    /// - Parameter snapshot: of the callback that this happens in.
    func carryOut(
        _ command: ClientCommand, _ snapshot: StorageTaskSnapshot?, _ reply: @escaping Reply
    ) {
        switch command.verb {
        case .upload(let upload): start(upload, command.instance, reply)
        case .download(let download): start(download, command.instance, reply)
        case .pause(let task, let through):
            manage(task, through ? snapshot : nil, through, reply) { $0.pause() }
        case .resume(let task, let through):
            manage(task, through ? snapshot : nil, through, reply) { $0.resume() }
        case .cancel(let task, let through):
            manage(task, through ? snapshot : nil, through, reply) { $0.cancel() }
        case .snapshot(let task):
            withTask(task, reply) { task in
                reply(.result(.snapshot(Self.view(task.snapshot))))
            }
        case .observe(let observe): self.observe(observe, reply)
        case .unobserve(let which): unobserve(which, reply)
        case .release(let task):
            tasks[task] = nil
            reply(.result(.done))
        case .purge(let task): purge(task, reply)
        case .token(let signedIn):
            tokens(of: command.instance).set(signedIn: signedIn)
            reply(.result(.done))
        case .burst(let commands): burst(commands, snapshot, reply)
        case .parallel: reply(.unsupported("every call is made on one thread"))
        case .restart: reply(.unsupported("a callback cannot end its own process"))
        case .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image,
            .reference:
            operate(command, reply)
        }
    }

    func withTask(
        _ name: String, _ reply: Reply, _ work: (StorageObservableTask) -> Void
    ) {
        guard let task = tasks[name]?.task else {
            return reply(.unsupported("there is no task '\(name)' any more"))
        }
        work(task)
    }

    private func manage(
        _ name: String, _ snapshot: StorageTaskSnapshot?, _ through: Bool, _ reply: Reply,
        _ call: (any StorageTaskManagement) -> Void
    ) {
        withTask(name, reply) { task in
            if through {
                call(snapshot.map { $0.task } ?? task.snapshot.task)
            } else {
                call(task)
            }
            reply(.result(.done))
        }
    }

    private func purge(_ name: String, _ reply: Reply) {
        withTask(name, reply) { task in
            // Uploads keep nothing on disk.
            (task as? StorageDownloadTask)?.purgeTemporaryFiles()
            reply(.result(.done))
        }
    }

    /// All in this turn of the loop, which is the library's callback queue.
    private func burst(
        _ commands: [ClientCommand], _ snapshot: StorageTaskSnapshot?, _ reply: @escaping Reply
    ) {
        guard !commands.isEmpty else { return reply(.result(.several([]))) }
        let collector = ReplyCollector(count: commands.count, whenComplete: reply)
        for (index, command) in commands.enumerated() {
            carryOut(command, snapshot) { collector.replies[index] = $0 }
        }
    }

    // MARK: Storage instances

    func reference(
        to place: ClientCommand.ObjectPlace, _ instance: String?
    ) -> StorageReference {
        let storage = storage(instance, bucket: place.bucket)
        return place.path.isEmpty ? storage.reference() : storage.reference(withPath: place.path)
    }

    /// One for each instance and bucket, made at its first use.
    func storage(_ instance: String?, bucket: String? = nil) -> Storage {
        let own =
            instance.flatMap { configuration.settings.instances[$0] } ?? configuration.bucket
        let key = StorageKey(instance: instance ?? "", bucket: bucket ?? own)
        if let known = storages[key] { return known }
        let settings = configuration.settings
        let storage = Storage(
            bucket: key.bucket, engine: engine, tokens: tokens(of: instance))
        storage.useEmulator(withHost: configuration.host, port: Int(configuration.port))
        storage.uploadRetryTime = settings.maxUploadRetryTime
        storage.downloadRetryTime = settings.maxDownloadRetryTime
        storage.operationRetryTime = settings.maxOperationRetryTime
        storage.behaviour = behaviour
        storage.uploadChunkSizeBytes = settings.chunkSize ?? .max
        storages[key] = storage
        return storage
    }

    private func tokens(of instance: String?) -> SessionTokens {
        let name = instance ?? ""
        if let known = tokens[name] { return known }
        let made = SessionTokens(
            loop: loop, instance: instance,
            isSignedIn: instance == nil && !configuration.settings.tokens.isEmpty
        ) { [weak self] question, answer in
            guard let sink = self?.sink else { return answer(.failure("the scenario is over")) }
            sink.asked(question, answer: answer)
        }
        tokens[name] = made
        return made
    }
}

/// Waits for the replies of several commands.
private final class ReplyCollector {
    var replies: [ClientReply?] {
        didSet {
            let whole = replies.compactMap { $0 }
            if whole.count == replies.count { whenComplete(.result(.several(whole))) }
        }
    }
    private let whenComplete: (ClientReply) -> Void

    init(count: Int, whenComplete: @escaping (ClientReply) -> Void) {
        replies = [ClientReply?](repeating: nil, count: count)
        self.whenComplete = whenComplete
    }
}
