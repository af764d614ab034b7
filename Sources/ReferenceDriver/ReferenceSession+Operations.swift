import ClientDriver
import CloudStorage
import EventLoop
import Foundation
import StorageModel

extension ReferenceSession {
    /// Verbs that are no transfers: answered when their result is there.
    func operate(_ command: ClientCommand, _ reply: @escaping Reply) {
        let instance = command.instance
        switch command.verb {
        case .getMetadata(let place):
            reference(to: place, instance).getMetadata(
                completion: completion(reply) { .metadata($0.texts) })
        case .updateMetadata(let place, let fields):
            guard let change = Self.change(fields) else {
                return reply(.unsupported("custom metadata can only be cleared key by key"))
            }
            reference(to: place, instance).updateMetadata(
                change, completion: completion(reply) { .metadata($0.texts) })
        case .delete(let place):
            let reply = OnLoop(reply)
            reference(to: place, instance).delete { error in
                reply.value(error.map { .error(Self.clientError($0)) } ?? .result(.done))
            }
        case .url(let place):
            reference(to: place, instance).downloadURL(
                completion: completion(reply) { .url($0.absoluteString) })
        case .list(let place, let maxResults, let pageToken):
            reference(to: place, instance).list(
                maxResults: Int64(maxResults ?? 1000), pageToken: pageToken,
                completion: completion(reply) { .list(Self.page($0)) })
        case .listAll(let place):
            reference(to: place, instance).listAll(
                completion: completion(reply) { .list(Self.page($0)) })
        case .reference(let text): reply(describe(text, instance))
        case .fetch(let url, let path): fetch(url, path, reply)
        case .image(let place, let path): image(reference(to: place, instance), path, reply)
        case .upload, .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve,
            .release, .token, .purge, .restart, .burst, .parallel:
            preconditionFailure("not an operation: \(command.verb.name)")
        }
    }

    /// Makes a completion of the library into a reply.
    private func completion<Value>(
        _ reply: @escaping Reply, _ result: @escaping @Sendable (Value) -> ClientResult
    ) -> StorageCompletion<Value> {
        let reply = OnLoop(reply)
        return { value, error in
            if let value {
                reply.value(.result(result(value)))
            } else {
                let none = ClientError(code: .other, message: "neither a result nor an error")
                reply.value(.error(error.map(Self.clientError) ?? none))
            }
        }
    }

    private static func page(_ list: StorageListResult) -> ClientResult.Page {
        ClientResult.Page(
            items: list.items.map(\.fullPath), prefixes: list.prefixes.map(\.fullPath),
            nextPageToken: list.pageToken)
    }

    private func describe(
        _ text: ClientCommand.ReferenceText, _ instance: String?
    ) -> ClientReply {
        let storage = storage(instance)
        do {
            let reference =
                switch text {
                case .path(let path): storage.reference(withPath: path)
                case .url(let url): try storage.checkedReference(forURL: url)
                }
            return .result(
                .reference(
                    .init(
                        name: reference.name, path: reference.fullPath,
                        bucket: reference.bucket, parent: reference.parent()?.fullPath)))
        } catch {
            return .error(Self.clientError(error))
        }
    }

    private func fetch(_ url: String, _ path: String, _ reply: @escaping Reply) {
        engine.fetch(url: url) { fetched in
            switch fetched {
            case .answer(let status, let headers, let body):
                guard FileManager.default.createFile(atPath: path, contents: Data(body)) else {
                    return reply(.unsupported("the answer cannot be written to \(path)"))
                }
                reply(.result(.fetched(.init(status: status, headers: headers, path: path))))
            case .failure(let fault, let message):
                reply(
                    .error(
                        ClientError(
                            code: .other, name: "fetch", message: message, transport: fault)))
            }
        }
    }
}
