import StorageModel

extension ScenarioDecoder {
    /// A whole scenario, matrix values put in; nil where not even a title is there.
    func scenario(_ root: YAMLNode) -> ScenarioFile? {
        guard let reader = MappingReader(root, "a scenario", keys: Shape.scenario.keys, self) else {
            return nil
        }
        NameCollector(self).collect(root)
        let title = reader.require("title") { node in
            self.text(node).map { Placed($0, node.place) }
        }
        var scenario = ScenarioFile(title: title ?? Placed("", root.place))
        if scenario.title.value.isEmpty, let title {
            error("the title is empty", at: title.place)
        }
        header(&scenario, reader)
        limits(&scenario, reader)
        if let backend = reader["backend"] { scenario.backend = self.backend(backend) }
        if let client = reader["client"] { scenario.client = self.client(client) }
        scenario.backend.settings.otherBuckets = otherBuckets(scenario)
        scenario.faults = reader.read("faults", faults) ?? []
        scenario.steps = reader.read("steps", steps) ?? []
        scenario.expect = reader.read("expect") { expectation($0) } ?? Expectation()
        scenario.profiles = reader.read("profiles", profiles) ?? []
        scenario.serverTriggers = serverTriggers
        return scenario
    }

    private func header(_ scenario: inout ScenarioFile, _ reader: MappingReader) {
        scenario.about = reader.read("about", text)
        scenario.symptom = reader.read("symptom", text)
        scenario.sources = (reader["source"].map(list) ?? []).compactMap { node in
            text(node).map { Placed($0, node.place) }
        }
        scenario.level = reader.read("level") { choice($0, "level") } ?? .must
        scenario.class = reader.read("class") { choice($0, "class") } ?? .lifecycle
        scenario.isSmoke = reader.read("smoke", boolean) ?? false
        scenario.tags = reader.read("tags") { list($0).compactMap(name) } ?? []
        scenario.needs =
            reader.read("needs") { list($0).compactMap { choice($0, "capability") } } ?? []
        if let version = reader.read("since", suiteVersion) { scenario.since = version }
    }

    private func limits(_ scenario: inout ScenarioFile, _ reader: MappingReader) {
        let anyNumber = 1...Int.max
        if let budget = reader.read("exchanges", { integer($0, in: anyNumber) }) {
            scenario.exchangeBudget = budget
        }
        if let runs = reader.read("repeat", { integer($0, in: anyNumber) }) {
            scenario.runs = runs
        }
        scenario.clock = reader.read("clock") { choice($0, "clock") } ?? .any
        if let deadline = reader.read("deadline", positiveDuration) {
            scenario.deadline = deadline
        }
        scenario.settle = reader.read("settle", duration)
    }

    /// Buckets of the client's further instances: they exist.
    private func otherBuckets(_ scenario: ScenarioFile) -> [String] {
        let buckets = Set(scenario.client.instances.values)
        return buckets.subtracting([scenario.backend.settings.bucket].compactMap { $0 }).sorted()
    }
}
