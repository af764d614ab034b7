import StorageModel

/// What a client can ask for.
enum DialInRoute: Hashable {
    /// The port itself.
    case root
    /// A file of one of the folders; the page itself is `index.html`.
    case page(folder: String, name: String)
    case begin
    case commands(session: String)
    case reports(session: String)
    case log(session: String)
    /// A path as a command names it.
    case file(session: String, path: String)
    case unknown

    init(_ target: RequestTarget) {
        let parts = target.segments
        guard parts.first == "session" else {
            switch parts.count {
            case 1 where parts[0].isEmpty: self = .root
            case 2: self = .page(folder: parts[0], name: parts[1].isEmpty ? "index.html" : parts[1])
            default: self = .unknown
            }
            return
        }
        switch (parts.count, parts.dropFirst(2).first) {
        case (1, nil): self = .begin
        case (3, "commands"): self = .commands(session: parts[1])
        case (3, "reports"): self = .reports(session: parts[1])
        case (3, "log"): self = .log(session: parts[1])
        case (4..., "file"):
            let path = parts.dropFirst(3).map { "/" + PercentEncoding.decode($0) }.joined()
            self = .file(session: parts[1], path: path)
        default: self = .unknown
        }
    }

    /// For the header `Allow`.
    var allowed: String {
        switch self {
        case .root, .page, .commands: "GET, HEAD"
        case .begin, .reports, .log: "POST"
        case .file: "GET, HEAD, PUT"
        case .unknown: ""
        }
    }

    func takes(_ method: String) -> Bool {
        allowed.split(separator: ", ").contains { $0 == method }
    }

    var session: String? {
        switch self {
        case .commands(let id), .reports(let id), .log(let id), .file(let id, _): id
        case .root, .page, .begin, .unknown: nil
        }
    }
}
