import FaultEngine
import StorageModel

extension Step {
    /// As the language writes it: the verb first.
    var node: YAMLNode {
        .map(
            [(verb.name, verb.value), ("as", name.map(YAMLNode.text))] + verb.pairsBeside + [
                ("when", when?.node), ("after", after.map(YAMLNode.duration)),
                ("inside", isInside ? .flag(true) : nil), ("in", instance.map(YAMLNode.text)),
                ("process", process.map(YAMLNode.text)),
            ])
    }
}

extension StepVerb {
    /// What stands behind the verb.
    fileprivate var value: YAMLNode {
        switch self {
        case .upload(let step): step.object.node
        case .download(let step): step.object.node
        case .pause(let use), .resume(let use), .cancel(let use): .text(use.task)
        case .snapshot(let task), .release(let task): .text(task)
        case .observe(let step): .text(step.task)
        case .unobserve(let step): step.node
        case .getMetadata(let object), .updateMetadata(let object, _), .delete(let object),
            .url(let object), .listAll(let object), .image(let object):
            object.node
        case .list(let step): step.prefix.node
        case .fetch(let result): .text(result)
        case .reference(.path(let path)): .map([("path", .text(path))])
        case .reference(.url(let url)): .map([("url", .text(url))])
        case .local(let action): action.node
        case .token(let use): use.node
        case .backend(let action): action.node
        case .restartClient: .flag(true)
        case .wait(.trigger(let trigger)): trigger.node
        case .wait(.duration(let time)): .duration(time)
        case .burst(let steps), .parallel(let steps): .list(steps.map(\.node))
        case .repeat(let loop): .number(loop.count)
        }
    }

    /// The keys beside the verb.
    fileprivate var pairsBeside: [(String, YAMLNode?)] {
        switch self {
        case .upload(let step): step.pairs
        case .download(let step): step.pairs
        case .pause(let use), .resume(let use), .cancel(let use):
            [("through", use.throughSnapshot ? .word("snapshot") : nil)]
        case .observe(let step): step.pairs
        case .updateMetadata(_, let change): [("set", change.node)]
        case .list(let step):
            [
                ("maxResults", step.maxResults.map(YAMLNode.number)),
                ("page", step.pageAfter.map(YAMLNode.text)),
            ]
        case .repeat(let loop): loop.pairs
        case .snapshot, .unobserve, .getMetadata, .delete, .url, .listAll, .fetch, .image,
            .reference, .local, .token, .backend, .release, .restartClient, .wait, .burst,
            .parallel:
            []
        }
    }
}

extension UploadStep {
    fileprivate var pairs: [(String, YAMLNode?)] {
        let source: (String, YAMLNode?) =
            switch self.source {
            case .data(let content): ("data", content.node)
            case .file(let content): ("file", content.node)
            case .localFile(let name): ("file", .text(name))
            case .stream(let stream): ("stream", stream.node)
            }
        return [
            source, ("metadata", metadata.node.unlessEmpty),
            ("if", ifGeneration.map { .map([("generation", .number($0))]) }),
            ("continue", continues.map(YAMLNode.text)),
        ] + recording.pairs
    }
}

extension StreamSource {
    fileprivate var node: YAMLNode {
        .map(
            content.node.pairs + [
                ("rewind", canRewind ? nil : .flag(false)),
                (
                    "gaps",
                    gaps.isEmpty
                        ? nil
                        : .list(
                            gaps.map {
                                .map([("at", .size($0.at)), ("for", .duration($0.duration))])
                            })
                ),
            ])
    }
}

extension MetadataFields {
    fileprivate var node: YAMLNode {
        .map(YAMLNode.map(fields).pairs + [("custom", YAMLNode.map(custom).unlessEmpty)])
    }
}

extension TaskRecording {
    fileprivate var pairs: [(String, YAMLNode?)] {
        [
            ("observers", hasObservers ? nil : .word("none")),
            ("completion", hasCompletion ? nil : .word("none")),
        ]
    }
}

extension DownloadStep {
    fileprivate var pairs: [(String, YAMLNode?)] {
        var pairs: [(String, YAMLNode?)]
        switch destination {
        case .memory(let maxSize): pairs = [("to", .word("memory")), ("maxSize", .size(maxSize))]
        case .file(let existing, let obstacle):
            pairs = [
                ("to", .word("file")), ("existing", existing?.node),
                ("destination", obstacle.map { .word($0.rawValue) }),
            ]
        }
        pairs.append(
            (
                "reading",
                reading.map {
                    .map([("stop-at", .size($0.stopAt)), ("for", .duration($0.duration))])
                }
            ))
        return pairs + recording.pairs
    }
}

extension ObserveStep {
    fileprivate var pairs: [(String, YAMLNode?)] {
        [
            ("events", events == TransferEvent.Kind.allCases ? nil : events.node),
            ("renew", renews ? .flag(true) : nil),
        ]
    }
}

extension [TransferEvent.Kind] {
    fileprivate var node: YAMLNode { .words(map(\.rawValue)) }
}

extension UnobserveStep {
    fileprivate var node: YAMLNode {
        switch self {
        case .handle(let name): .text(name)
        case .events(let task, let events): .map([("task", .text(task)), ("events", events.node)])
        case .all(let task): .map([("task", .text(task))])
        }
    }
}

extension MetadataChange {
    fileprivate var node: YAMLNode {
        func pairs(_ values: [String: String?]) -> [(String, YAMLNode?)] {
            values.sorted { $0.key < $1.key }.map { key, value in
                (key, value.map(YAMLNode.text) ?? .word("null"))
            }
        }
        let all: YAMLNode? =
            removesAllCustom ? .word("null") : custom.isEmpty ? nil : .map(pairs(custom))
        return .map(pairs(fields) + [("custom", all)])
    }
}

extension LocalAction {
    fileprivate var node: YAMLNode {
        switch self {
        case .create(let name, let content):
            .map([("create", .text(name)), ("content", content.node)])
        case .delete(let name): .map([("delete", .text(name))])
        case .truncate(let name, let size):
            .map([("truncate", .text(name)), ("size", .size(size))])
        case .grow(let name, let size): .map([("grow", .text(name)), ("by", .size(size))])
        case .forbid(let name): .map([("forbid", .text(name))])
        case .directory(let name): .map([("directory", .text(name))])
        case .link(let name, let target): .map([("link", .text(name)), ("to", .text(target))])
        case .purge(let task): .map([("purge", .text(task))])
        }
    }
}

extension TokenUse {
    fileprivate var node: YAMLNode {
        switch self {
        case .use(let name): .map([("use", .text(name))])
        case .signOut: .map([("sign-out", .flag(true))])
        case .expire(let name): .map([("expire", .text(name))])
        }
    }
}

extension RepeatStep {
    fileprivate var pairs: [(String, YAMLNode?)] {
        let body = bodyText.flatMap { YAMLDocument.read(Array($0.utf8), file: "").document?.root }
        return [
            ("do", body ?? .list(steps(ofRound: 1).map(\.node))),
            ("gaps", gaps.isEmpty ? nil : .list(gaps.map(YAMLNode.duration))),
        ]
    }
}
