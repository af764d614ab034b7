/// Which member a reply has.
enum ReplyShape: Hashable {
    case hello
    case done
    case metadata
    case page
    case url
    case fetched
    case image
    case reference
    case snapshot
    case several([ReplyShape])
    /// An error, or "unsupported": allowed for every command.
    case refusal

    /// What a command is answered with.
    init(of verb: ClientCommand.Verb) {
        switch verb {
        case .upload, .download, .pause, .resume, .cancel, .observe, .unobserve, .delete,
            .release, .token, .purge, .restart:
            self = .done
        case .snapshot: self = .snapshot
        case .getMetadata, .updateMetadata: self = .metadata
        case .url: self = .url
        case .list, .listAll: self = .page
        case .fetch: self = .fetched
        case .image: self = .image
        case .reference: self = .reference
        case .burst(let commands), .parallel(let commands):
            self = .several(commands.map { ReplyShape(of: $0.verb) })
        }
    }

    init(of reply: ClientReply) {
        switch reply {
        case .error, .unsupported, .hindered, .lost: self = .refusal
        case .result(.done): self = .done
        case .result(.metadata): self = .metadata
        case .result(.list): self = .page
        case .result(.url): self = .url
        case .result(.fetched): self = .fetched
        case .result(.image): self = .image
        case .result(.reference): self = .reference
        case .result(.snapshot): self = .snapshot
        case .result(.several(let replies)):
            self = .several(replies.map { ReplyShape(of: $0) })
        }
    }

    func accepts(_ given: ReplyShape) -> Bool {
        switch (self, given) {
        case (.hello, _): return given == .hello
        case (_, .refusal): return true
        case (.several(let wanted), .several(let given)):
            return wanted.count == given.count
                && zip(wanted, given).allSatisfy { $0.accepts($1) }
        default: return self == given
        }
    }

    /// The member that says it.
    var name: String {
        switch self {
        case .hello: "'hello'"
        case .done: "no result"
        case .metadata: "'metadata'"
        case .page: "'page'"
        case .url: "'url'"
        case .fetched: "'fetched'"
        case .image: "'image'"
        case .reference: "'reference'"
        case .snapshot: "'snapshot'"
        case .several(let shapes): "'several' with \(shapes.count) entries"
        case .refusal: "a refusal"
        }
    }
}
