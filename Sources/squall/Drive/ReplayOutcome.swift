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
            guard Self.compared(then) != Self.compared(now) else { continue }
            different += 1
            lines += Self.columns(stream.text, Self.rows(then), Self.rows(now))
        }
        let (then, now) = (misbehaviour.recorded, misbehaviour.replayed)
        if then.map(Self.kind) != now.map(Self.kind) {
            different += 1
            lines += Self.columns(
                "the client", [Self.row(then)], [Self.row(now)])
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

    private typealias Row = (text: String, compared: String)

    private static func row(_ misbehaviour: String?) -> Row {
        (misbehaviour ?? "kept to the protocol", misbehaviour.map(kind) ?? "")
    }

    private static func rows(_ reports: [ReportSummary]) -> [Row] {
        zip(reports, compared(reports)).map { (text: $0.text, compared: $1) }
    }

    private static func compared(_ reports: [ReportSummary]) -> [String] {
        reports.indices.map { index in
            reports[index].compared(after: index > 0 ? reports[index - 1] : nil)
        }
    }

    private static func columns(_ title: String, _ left: [Row], _ right: [Row]) -> [String] {
        let width = max(20, min(60, left.map(\.text.count).max() ?? 0))
        var lines = ["\(title)", "    \("in the transcript".padded(to: width))   now"]
        for index in 0..<max(left.count, right.count) {
            let then: Row = index < left.count ? left[index] : ("", "")
            let now: Row = index < right.count ? right[index] : ("", "")
            let mark = then.compared == now.compared ? " " : "*"
            lines.append("  \(mark) \(then.text.padded(to: width))   \(now.text)")
        }
        return lines + [""]
    }
}
