import ClientDriver
import EventMatching
import RunModel
import Scenario
import StorageModel

// Results of steps.
extension Judge {
    func failures(_ expected: ResultExpectation) -> [Failure] {
        let results = evidence.names(expected.name).compactMap(evidence.book.result)
        return results.flatMap { failures(expected, $0) } + ends(expected, results)
    }

    private func failures(
        _ expected: ResultExpectation, _ result: RunBook.Result
    ) -> [Failure] {
        var failures: [Failure] = []
        func add(_ kind: Failure.Kind, _ sentences: [String], _ place: SourcePlace) {
            failures += sentences.map {
                Failure(kind, subject: result.name, "\(result.name): \($0)", place: place)
            }
        }
        if let error = expected.error {
            add(.error, error.value.problems(with: result.error), error.place)
        }
        for time in expected.times {
            let problem = time.value.problem(
                with: result.asTask, scale: evidence.scale, lookup: evidence.lookup)
            add(.time, problem.map { [$0] } ?? [], time.place)
        }
        if let completion = expected.completion {
            let wanted = completion.value == .once ? 1 : 0
            if result.answers != wanted {
                add(
                    .completion, ["was answered \(result.answers) times instead of \(wanted)"],
                    completion.place)
            }
        }
        for value in expected.values {
            let metadata = metadataBytes(expected, result)
            add(
                .result, problems(value, result, metadata).map { "\(value.key) \($0)" },
                value.place)
        }
        return failures
    }

    private func ends(
        _ expected: ResultExpectation, _ results: [RunBook.Result]
    ) -> [Failure] {
        guard let ends = expected.ends else { return [] }
        let successes = results.count { $0.answers > 0 && $0.error == nil }
        let failed = results.count { $0.error != nil }
        return number(
            .ends, subject: expected.name, "\(expected.name): successes", Int64(successes),
            ends.success, ends.place)
            + number(
                .ends, subject: expected.name, "\(expected.name): failures", Int64(failed),
                ends.failure, ends.place)
    }

    /// What a snapshot's bytes are told with beside those of the object.
    private func metadataBytes(
        _ expected: ResultExpectation, _ result: RunBook.Result
    ) -> Int64 {
        guard let name = expected.metadataTask, let task = evidence.names(name).last,
            let record = evidence.book.task(task)
        else { return 0 }
        return evidence.metadataBytes(of: record)
    }

    private func problems(
        _ expected: ResultValueExpectation, _ result: RunBook.Result, _ metadata: Int64
    ) -> [String] {
        if let error = result.error { return ["is missing: the step failed with \(error.code)"] }
        let value = ResultValue(result, key: expected.key)
        switch expected.test {
        case .text(let test):
            guard !test.holds(value.text) else { return [] }
            // The URL of an object has its download token in it.
            let seen = value.text.map { "'\(RequestTarget.redacted($0))'" }
            return ["is \(seen ?? "absent"), \(test.text) expected"]
        case .number(let test):
            let told = value.text.flatMap { Int64($0) }
            let isBytes = expected.key == "completed" || expected.key == "total"
            let number = told.map { isBytes ? max(0, $0 - metadata) : $0 }
            guard let number, test.holds(number) else {
                return ["is \(value.text ?? "absent"), \(test) expected"]
            }
            return []
        case .list(let wanted):
            guard value.list != wanted else { return [] }
            return ["are \(value.list ?? []), \(wanted) expected"]
        case .flag(let wanted):
            let seen = value.list.map { !$0.isEmpty } ?? (value.text != nil)
            return seen == wanted ? [] : ["is \(seen ? "there" : "absent") and should not be so"]
        case .content(let wanted):
            return problem(wanted, with: value.content, what: "the body").map { [$0] } ?? []
        case .headers(let tests):
            return tests.sorted { $0.key < $1.key }.compactMap { name, test in
                let seen = value.headers[name]
                guard !test.holds(seen) else { return nil }
                return "'\(name)' is \(seen.map { "'\($0)'" } ?? "absent"), \(test.text) expected"
            }
        case .metadata(let test): return test.problems(with: value.metadata)
        }
    }
}

/// One value of a step's result, in the forms that tests look at.
struct ResultValue {
    private(set) var text: String?
    private(set) var list: [String]?
    private(set) var headers = HTTPHeaders()
    private(set) var metadata: [String: String]?
    private(set) var content: (any ByteSource)?

    init(_ result: RunBook.Result, key: String) {
        guard case .result(let value)? = result.reply else { return }
        switch value {
        case .done, .several: break
        case .metadata(let fields):
            metadata = fields
            text = fields[key] ?? fields["metadata.\(key)"]
        case .url(let url): text = key == "url" ? url : nil
        case .list(let page): setPage(page, key)
        case .reference(let reference): setReference(reference, key)
        case .snapshot(let snapshot): setSnapshot(snapshot, key)
        case .image(let image): setImage(image, key)
        case .fetched(let answer):
            headers = answer.headers
            content = FileSource(path: answer.path)
            text = key == "status" ? "\(answer.status)" : nil
        }
    }

    private mutating func setPage(_ page: ClientResult.Page, _ key: String) {
        switch key {
        case "items": list = page.items
        case "prefixes": list = page.prefixes
        case "next": text = page.nextPageToken
        default: break
        }
    }

    private mutating func setImage(_ image: ClientResult.Image, _ key: String) {
        switch key {
        case "states": list = image.states
        case "origin": text = image.origin
        case "stale": text = image.isStale ? "true" : nil
        case "content": content = FileSource(path: image.path)
        default: break
        }
    }

    private mutating func setReference(_ reference: ClientResult.Reference, _ key: String) {
        switch key {
        case "name": text = reference.name
        case "path": text = reference.path
        case "bucket": text = reference.bucket
        case "parent": text = reference.parent
        default: break
        }
    }

    private mutating func setSnapshot(_ snapshot: ClientResult.Snapshot, _ key: String) {
        metadata = snapshot.metadata
        switch key {
        case "status": text = snapshot.status?.rawValue
        case "completed": text = "\(snapshot.completed)"
        case "total": text = snapshot.total.map { "\($0)" }
        default: break
        }
    }
}

extension RunBook.Result {
    /// Its end as the terminal event of a task, for tests on times.
    fileprivate var asTask: TaskRecord {
        var task = TaskRecord(name: name, isUpload: false, bucket: "", path: "", start: start)
        if let end {
            task.events = [TransferEvent(kind: error == nil ? .success : .failure, time: end)]
        }
        return task
    }
}
