import MockServer
import StorageModel

/// The options of `squall serve` that say what it does not go beyond.
enum LimitOptions {
    static let all = [
        CommandSpec.Option(
            name: "--max-memory", argument: "SIZE",
            summary: "memory for all that is stored (default 4GiB); more gets 507"),
        CommandSpec.Option(
            name: "--max-object", argument: "SIZE",
            summary: "largest object (default 5TiB); more gets 413"),
        CommandSpec.Option(
            name: "--max-head", argument: "SIZE",
            summary: "largest request head (default 16KiB); more gets 431"),
        CommandSpec.Option(
            name: "--max-connections", argument: "N",
            summary: "connections at once (default 4096); one more gets 503"),
        CommandSpec.Option(
            name: "--max-sessions", argument: "N",
            summary: "upload sessions at once (default 10000); one more gets 429"),
        CommandSpec.Option(
            name: "--max-generations", argument: "N",
            summary: "generations of one object that are remembered (default 1000)"),
        CommandSpec.Option(
            name: "--patience", argument: "DURATION",
            summary: "time for a request head, and for the next byte of a body (default 5m)"),
    ]

    static func read(_ arguments: ParsedArguments) throws(UsageError) -> ServerLimits {
        var limits = ServerLimits()
        limits.memory = try size("--max-memory", arguments, from: 0) ?? limits.memory
        limits.objectSize = try size("--max-object", arguments, from: 0) ?? limits.objectSize
        let head = try size("--max-head", arguments, from: 256, through: 16 << 20)
        limits.headSize = head.map { Int($0) } ?? limits.headSize
        limits.connections =
            try arguments.number("--max-connections", in: 1...1_000_000) ?? limits.connections
        limits.sessions =
            try arguments.number("--max-sessions", in: 1...10_000_000) ?? limits.sessions
        limits.generations =
            try arguments.number("--max-generations", in: 1...10_000_000) ?? limits.generations
        limits.patience = .seconds(300)
        if let text = arguments.value("--patience") {
            guard let time = ScalarText.duration(text), time > .zero else {
                throw UsageError("--patience takes a duration like 60s, not '\(text)'")
            }
            limits.patience = time
        }
        return limits
    }

    private static func size(
        _ name: String, _ arguments: ParsedArguments, from least: Int64, through most: Int64 = .max
    ) throws(UsageError) -> Int64? {
        guard let text = arguments.value(name) else { return nil }
        guard let size = ScalarText.size(text), size >= least, size <= most else {
            let range = most == .max ? "" : " from \(least.sizeText) to \(most.sizeText)"
            throw UsageError("\(name) takes a size like 64MiB\(range), not '\(text)'")
        }
        return size
    }
}
