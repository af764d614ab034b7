import HTTPEngine
import MockServer
import StorageModel

// The journal: a part of it, or all that comes.
extension ControlAPI {
    private static let largestPage = 10_000
    private static let usualPage = 1_000

    func journal(_ call: ControlCall) -> HTTPResponse {
        if let bad = call.unknownQuery(JournalFilter.keys + ["limit"]) { return bad }
        let filter: JournalFilter
        let limit: Int
        do throws(JournalFilter.Mistake) {
            filter = try JournalFilter(call.target.query)
            limit = try Self.limit(call)
        } catch {
            return Self.refusal(error)
        }
        let (records, dropped) = backend { ($0.records, $0.droppedRecords) }
        let fitting = records.filter(filter.holds)
        let page = fitting.prefix(limit)
        return ControlAnswer.json(
            .made([
                "format": .count(JournalLine.format),
                "exchanges": .array(page.map(JournalLine.value)),
                "more": .bool(page.count < fitting.count),
                "last": page.last.map { .count($0.ordinal) },
                "dropped": dropped > 0 ? .count(dropped) : nil,
            ]))
    }

    func follow(_ call: ControlCall) -> ExchangeVerdict {
        if let bad = call.unknownQuery(JournalFilter.keys) { return .respond(bad) }
        let filter: JournalFilter
        do throws(JournalFilter.Mistake) {
            filter = try JournalFilter(call.target.query)
        } catch {
            return .respond(Self.refusal(error))
        }
        // Without an ordinal to go on from only what is still to come is told.
        let records = filter.since == nil ? [] : backend { $0.records }.filter { $0.end != nil }
        var fields = ControlAnswer.fields
        fields["Content-Type"] = "application/jsonl"
        let answer = LiveAnswer(status: 200, headers: fields, limit: options.streamSize)
        let stream = JournalStream(
            answer, filter, opening: JournalLine.opening(tool: options.tool), records: records,
            limit: max(options.streamRecords, records.count))
        follow(stream)
        return .stream(answer)
    }

    private static func limit(_ call: ControlCall) throws(JournalFilter.Mistake) -> Int {
        guard let text = call.query("limit") else { return usualPage }
        guard let number = Int(text), (1...largestPage).contains(number) else {
            throw JournalFilter.Mistake(
                key: "limit", message: "'\(text)' is no number from 1 to \(largestPage)")
        }
        return number
    }

    private static func refusal(_ mistake: JournalFilter.Mistake) -> HTTPResponse {
        ControlAnswer.error(
            400, mistake.message,
            [
                "path": .string("?" + mistake.key),
                "suggestion": mistake.suggestion.map(JSONValue.string),
            ])
    }
}
