import StorageModel

/// What a transcript that was played again showed.
struct ReplayOutcome: Sendable {
    let isSame: Bool
    let text: String

    /// - Parameters:
    ///   - misbehaviour: what was said of the client, then and now.
    init(
        commands: Int, recorded: ReportLog, replayed: ReportLog,
        misbehaviour: (recorded: String?, replayed: String?)
    ) {
        var lines: [String] = []
        let streams = Set(recorded.streams.keys).union(replayed.streams.keys).sorted()
        var different = 0
        for stream in streams {
            let (then, now) = (recorded.streams[stream] ?? [], replayed.streams[stream] ?? [])
            guard then.map(\.text) != now.map(\.text) else { continue }
            different += 1
            lines += Self.columns(stream.text, then.map(\.text), now.map(\.text))
        }
        let (then, now) = (misbehaviour.recorded, misbehaviour.replayed)
        if then.map(Self.kind) != now.map(Self.kind) {
            different += 1
            lines += Self.columns(
                "the client", [then ?? "kept to the protocol"], [now ?? "kept to the protocol"])
        }
        isSame = different == 0
        let count = streams.reduce(0) { $0 + (replayed.streams[$1]?.count ?? 0) }
        let verdict =
            switch different {
            case 0: "no difference"
            case 1: "1 difference"
            default: "\(different) differences"
            }
        lines.append(
            "played again: \(commands) commands, \(count) rows of reports, \(verdict)")
        text = lines.joined(separator: "\n")
    }

    /// Numbers and quotations differ from run to run.
    private static func kind(_ misbehaviour: String) -> String {
        String(misbehaviour.prefix { $0 != "(" && !$0.isNumber }).trimmed
    }

    private static func columns(
        _ title: String, _ left: [String], _ right: [String]
    ) -> [String] {
        let width = max(20, min(60, left.map(\.count).max() ?? 0))
        var lines = ["\(title)", "    \("in the transcript".padded(to: width))   now"]
        for index in 0..<max(left.count, right.count) {
            let then = index < left.count ? left[index] : ""
            let now = index < right.count ? right[index] : ""
            lines.append("  \(then == now ? " " : "*") \(then.padded(to: width))   \(now)")
        }
        return lines + [""]
    }
}
