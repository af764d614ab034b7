import EventMatching
import FaultEngine
import StorageModel

extension ScenarioDecoder {
    func stored(_ node: YAMLNode) -> [StoredExpectation] {
        pairs(node, "'stored'").compactMap { _, pair in
            guard let object = objectAddress(pair.key), let test = storedTest(pair.value) else {
                return nil
            }
            return StoredExpectation(object: object, place: pair.key.place, test: test)
        }
    }

    private func storedTest(_ node: YAMLNode) -> StoredTest? {
        if let word = node.scalar {
            if word == "absent" { return .absent }
            error("'\(word)' is no content: absent or a mapping", at: node.place)
            return nil
        }
        let keys = Shape.stored.keys
        guard let reader = MappingReader(node, "a stored object", keys: keys, self) else {
            return nil
        }
        guard let any = reader["any"] else { return storedObject(reader).map { .present($0) } }
        for key in keys where key != "any" && reader.has(key) {
            error("'\(key)' does not go with 'any'", at: reader.keyPlace(key))
        }
        let alternatives = list(any).compactMap(storedTest)
        if alternatives.isEmpty { error("'any' needs alternatives", at: any.place) }
        return alternatives.isEmpty ? nil : .any(alternatives)
    }

    private func storedObject(_ reader: MappingReader) -> StoredObjectTest? {
        var test = StoredObjectTest()
        let hasContent = (Self.contentKeys + ["same-as"]).contains(where: reader.has)
        if hasContent {
            guard let content = contentExpectation(reader) else { return nil }
            test.content = content
        }
        test.generations = reader.read("generations") { numberTest($0, .count) }
        test.metadata = reader.read("metadata", metadataTest)
        test.versions = reader.read("versions") {
            list($0).compactMap { contentExpectation($0, isLocal: false) }
        }
        return test
    }

    func exchangesTest(_ node: YAMLNode) -> Placed<ExchangesTest>? {
        guard
            let reader = MappingReader(
                node, "an entry of 'exchanges'", keys: Shape.exchanges.keys, self),
            var selector = reader.require("match", { match($0) })
        else { return nil }
        selector.per = reader.read("per") { choice($0, "scope") } ?? .transfer
        var status: StatusTest?
        if let conditions = reader["where"],
            let reader = MappingReader(
                conditions, "'where'", keys: Shape.exchangeFilters.keys, self)
        {
            selector.filters = filters(reader, isOfServer: true)
            status = reader.read("status", statusTest)
        }
        var test = ExchangesTest(selector)
        test.whereStatus = status
        test.after = reader.read("after") { trigger($0, isOfServer: true) }
        test.before = reader.read("before") { trigger($0, isOfServer: true) }
        if reader.read("any", boolean) == true { test.quantifier = .any }
        fillSingle(&test, reader)
        fillSums(&test, reader)
        return Placed(test, node.place)
    }

    private func fillSingle(_ test: inout ExchangesTest, _ reader: MappingReader) {
        test.headers = reader.read("header") { textTests($0, "'header'") } ?? [:]
        test.query = reader.read("query") { textTests($0, "'query'") } ?? [:]
        test.json = reader.read("json") { textTests($0, "'json'") } ?? [:]
        test.status = reader.read("status", statusTest)
        test.offset = reader.read("offset") { numberTest($0, .size) }
        test.length = reader.read("length") { numberTest($0, .size) }
        test.declared = reader.read("declared") { numberTest($0, .size) }
    }

    private func fillSums(_ test: inout ExchangesTest, _ reader: MappingReader) {
        test.uploaded = reader.read("uploaded") { numberTest($0, .size) }
        test.downloaded = reader.read("downloaded") { numberTest($0, .size) }
        test.count = reader.read("count") { numberTest($0, .count) }
        test.gap = reader.read("gap") { numberTest($0, .duration) }
        test.growth = reader.read("growth") { numberTest($0, .plain) }
        test.overlap = reader.read("overlap", boolean)
        test.connections = reader.read("connections") { numberTest($0, .count) }
    }
}
