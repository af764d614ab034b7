import EventMatching
import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func taskExpectation(_ name: String, _ pair: YAMLNode.Pair) -> TaskExpectation? {
        guard let reader = MappingReader(pair.value, "a task", keys: Shape.task.keys, self) else {
            return nil
        }
        var task = TaskExpectation(name: name, place: pair.key.place)
        task.events = placed(reader["events"], eventPatterns)
        task.error = placed(reader["error"], errorTest)
        task.progress = placed(reader["progress"], progressTest)
        task.metadata = placed(reader["metadata"], metadataTest)
        task.times = reader.read("time", times) ?? []
        task.local = placed(reader["local"]) { contentExpectation($0, isLocal: true) }
        if let local = reader["local"], names.task(name)?.kind == .upload {
            error("'local' is for downloads; '\(name)' is an upload", at: local.place)
        }
        task.completion = placed(reader["completion"]) { choice($0, "completion") }
        task.ends = ends(name, reader)
        return task
    }

    func ends(_ name: String, _ reader: MappingReader) -> EndsExpectation? {
        guard let node = reader["ends"] else { return nil }
        if names.entry(name)?.rounds == 1 {
            error("'ends' counts under a name of 'repeat' alone", at: reader.keyPlace("ends"))
        }
        guard let ends = MappingReader(node, "'ends'", keys: Shape.ends.keys, self) else {
            return nil
        }
        var expectation = EndsExpectation(place: node.place)
        expectation.success = ends.read("success") { numberTest($0, .count) }
        expectation.failure = ends.read("failure") { numberTest($0, .count) }
        return expectation
    }

    func placed<Value>(_ node: YAMLNode?, _ read: (YAMLNode) -> Value?) -> Placed<Value>? {
        node.flatMap { node in read(node).map { Placed($0, node.place) } }
    }

    func errorTest(_ node: YAMLNode) -> ErrorTest? {
        if node.scalar == "none" { return ErrorTest(.none) }
        guard let reader = MappingReader(node, "'error'", keys: Shape.error.keys, self) else {
            return nil
        }
        if reader.has("code"), reader.has("allow") {
            error("an error has 'code' or 'allow', not both", at: reader.keyPlace("allow"))
        }
        let code = reader.read("code") { choice($0, "error code", of: ErrorCode.self) }
        let allowed = reader.read("allow") {
            list($0).compactMap { choice($0, "error code", of: ErrorCode.self) }
        }
        var test = ErrorTest(code.map { .one($0) } ?? allowed.map { .allowed($0) } ?? .any)
        test.message = reader.read("message", textTest)
        guard let node = reader["underlying"] else { return test }
        guard let reader = MappingReader(node, "'underlying'", keys: Shape.underlying.keys, self)
        else {
            return test
        }
        test.status = reader.read("status", statusTest)
        test.transport = reader.read("transport") { choice($0, "transport fault") }
        test.body = reader.read("body", textTest)
        return test
    }

    private func progressTest(_ node: YAMLNode) -> ProgressTest? {
        guard let reader = MappingReader(node, "'progress'", keys: Shape.progress.keys, self)
        else { return nil }
        var test = ProgressTest()
        test.total = reader.read("total") { node in
            node.scalar == "unknown" ? .unknown : numberTest(node, .size).map { .bytes($0) }
        }
        test.first = reader.read("first") { numberTest($0, .size) }
        test.last = reader.read("last") { numberTest($0, .size) }
        test.count = reader.read("count") { numberTest($0, .count) }
        test.falls = reader.read("falls") { numberTest($0, .count) }
        test.fraction = reader.read("fraction") { numberTest($0, .plain) }
        return test
    }

    func metadataTest(_ node: YAMLNode) -> MetadataTest? {
        MappingReader(node, "'metadata'", keys: Shape.metadataTest.keys, self).map(metadataTest)
    }

    /// Tests of fields, whose keys may stand among others.
    func metadataTest(_ reader: MappingReader) -> MetadataTest {
        var test = MetadataTest()
        test.size = reader.read("size") { numberTest($0, .size) }
        for key in MetadataFields.settable + MetadataFields.given where key != "size" {
            test.fields[key] = reader.read(key, textTest)
        }
        test.custom = reader.read("custom") { textTests($0, "'custom'") } ?? [:]
        return test
    }

    /// `{end: 10s..12s, pause#1: "< 1s", success: {since: step stop, is: "<= 500ms"}}`
    func times(_ node: YAMLNode) -> [Placed<TimeTest>] {
        pairs(node, "'time'").compactMap { key, pair in
            let place = pair.key.place
            let (event, ordinal) = Self.numbered(key)
            guard let moment = moment(event, at: place) else { return nil }
            guard let ordinal else {
                error("an event's ordinal is a number from 1 on: pause#1", at: place)
                return nil
            }
            guard pair.value.mapping != nil else {
                return numberTest(pair.value, .duration).map {
                    Placed(TimeTest(moment, ordinal: ordinal, is: $0), place)
                }
            }
            guard
                let reader = MappingReader(pair.value, "a time", keys: Shape.timeSince.keys, self),
                let since = reader.require("since", { trigger($0) }),
                let test = reader.require("is", { numberTest($0, .duration) })
            else { return nil }
            return Placed(TimeTest(moment, ordinal: ordinal, since: since, is: test), place)
        }
    }
}
