import FaultEngine
import Scenario
import StorageModel

/// The steps of which a client's requests may have come.
struct SessionSteps {
    private(set) var steps: [Step] = []
    /// Lines above a step, by its position from 0.
    private(set) var remarks: [(Int, [String])] = []
    /// Names of the transfers.
    private(set) var tasks: [String] = []
    /// What must have been there, as the answers show.
    private(set) var neededObjects: [BackendSettings.GivenObject] = []
    /// Of the longest chunk that was not the last; nil: there was none.
    private(set) var chunkSize: Int64?

    private var made: Set<String> = []
    private var place: SourcePlace { SourcePlace(file: "", line: 1, column: 1) }

    init(_ records: [ExchangeRecord]) {
        let groups = Self.groups(records)
        for (index, group) in groups.enumerated() {
            guard let first = group.first else { continue }
            let before = groups[..<index].flatMap { $0 }
            add(group, isAfter: before.allSatisfy { ($0.end ?? $0.start) <= first.start })
        }
        chunkSize = records.filter { $0.operation == .uploadChunk }.compactMap(\.length).max()
    }

    /// Requests of one transfer, or of one call and its tries again.
    private static func groups(_ records: [ExchangeRecord]) -> [[ExchangeRecord]] {
        var groups: [[ExchangeRecord]] = []
        for record in records {
            let index = groups.lastIndex { group in
                group.last.map { belongs(record, to: $0) } ?? false
            }
            if let index {
                groups[index].append(record)
            } else {
                groups.append([record])
            }
        }
        return groups
    }

    private static func belongs(_ record: ExchangeRecord, to last: ExchangeRecord) -> Bool {
        guard record.path == last.path, record.bucket == last.bucket else { return false }
        if record.operation.isUpload, last.operation.isUpload {
            return record.session != nil && record.session == last.session
                || record.transfer == last.transfer
        }
        guard record.operation == last.operation else { return false }
        if record.operation.isDownload, record.transfer != last.transfer { return false }
        // A call that got its answer is over; one that may be tried again is not.
        return switch last.status {
        case nil, 401, 408, 429, .some(500...): true
        case .some: record.operation.isDownload && last.ending != .complete
        }
    }

    private mutating func add(_ group: [ExchangeRecord], isAfter: Bool) {
        guard let first = group.first, let last = group.last else { return }
        if isAfter, let name = steps.last?.name {
            append(.wait(.trigger(Self.end(of: name, tasks))), nil)
        }
        let object = ObjectAddress(path: first.path ?? "")
        switch first.operation {
        case .uploadStart, .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel,
            .uploadMultipart, .uploadMedia:
            upload(group, object)
        case .download, .downloadByURL: download(group, object)
        case .metadataGet:
            need(object.path, size: nil, if: last.status == 200)
            append(.getMetadata(object), "found", ["Guessed; asking for a URL looks the same."])
        case .metadataUpdate:
            var change = MetadataChange()
            change.fields["contentType"] = .some("application/octet-stream")
            need(object.path, size: nil, if: last.status == 200)
            append(
                .updateMetadata(object, change), "changed",
                ["Guessed; what was set is not written."])
        case .delete:
            need(object.path, size: nil, if: (last.status ?? 404) < 300)
            append(.delete(object), "gone")
        case .list: append(.list(ListStep(prefix: object)), "page")
        case .tokenCreate, .tokenDelete, .connect, .preflight, .unknown:
            remarks.append(
                (steps.count, ["No step makes the request \(first.method) \(first.target)"]))
        }
    }

    private static func end(of name: String, _ tasks: [String]) -> Trigger {
        tasks.contains(name)
            ? .task(TaskTrigger(task: name, moment: .end)) : .result(name: name, .end)
    }

    private mutating func append(_ verb: StepVerb, _ word: String?, _ lines: [String] = []) {
        var step = Step(place: place, verb: verb)
        if let word {
            var number = 1
            while made.contains("\(word)-\(number)") { number += 1 }
            made.insert("\(word)-\(number)")
            step.name = "\(word)-\(number)"
        }
        if !lines.isEmpty { remarks.append((steps.count, lines)) }
        steps.append(step)
    }

    private mutating func upload(_ group: [ExchangeRecord], _ object: ObjectAddress) {
        let ends = group.compactMap { record in record.length.map { (record.offset ?? 0) + $0 } }
        let declared = group.compactMap(\.declaredSize).first
        let size = declared ?? ends.max() ?? 0
        let content = Content(.synthetic(size: size, seed: UInt64(tasks.count + 1)))
        append(
            .upload(UploadStep(object: object, source: .data(content))), "up",
            [
                declared == nil
                    ? "Guessed; its size is what was sent." : "Guessed; its content is made up."
            ])
        guard let name = steps.last?.name else { return }
        tasks.append(name)
        guard group.contains(where: { $0.operation == .uploadCancel }) else { return }
        let kept = group.compactMap(\.reported).max() ?? 0
        append(.cancel(TaskUse(task: name)), nil, ["Guessed; it was cancelled, here or elsewhere."])
        steps[steps.count - 1].when = .task(
            TaskTrigger(
                task: name, moment: .event(.progress),
                bytes: NumberTest(">= \(kept.sizeText)", unit: .size)))
    }

    private mutating func download(_ group: [ExchangeRecord], _ object: ObjectAddress) {
        let good = group.filter { [200, 206].contains($0.status) }
        let whole = good.filter { $0.ending == .complete }.map { ($0.offset ?? 0) + $0.sent }
        let seen = good.map { ($0.offset ?? 0) + $0.sent }
        need(object.path, size: whole.max() ?? seen.max(), if: !good.isEmpty)
        append(
            .download(DownloadStep(object: object, destination: .file(existing: nil, nil))), "down",
            ["Guessed; into memory looks the same."])
        if let name = steps.last?.name { tasks.append(name) }
    }

    /// An object was there unless a step before has put it there.
    private mutating func need(_ path: String, size: Int64?, if isFound: Bool) {
        let isMade = steps.contains { step in
            if case .upload(let upload) = step.verb { upload.object.path == path } else { false }
        }
        guard isFound, !isMade, !neededObjects.contains(where: { $0.path == path }) else { return }
        neededObjects.append(
            BackendSettings.GivenObject(
                path: path, content: Content(.synthetic(size: size ?? 1024, seed: 1))))
    }
}
