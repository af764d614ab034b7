import StorageModel

/// Finds all names of a scenario before its steps are read, since steps may name later ones.
struct NameCollector {
    private let decoder: ScenarioDecoder

    init(_ decoder: ScenarioDecoder) { self.decoder = decoder }

    func collect(_ root: YAMLNode) {
        if let backend = root["backend"] { collectBackend(backend) }
        for pair in root["client"]?["instances"]?.mapping ?? [] {
            if let name = pair.key.scalar { decoder.names.instances.insert(name) }
        }
        for node in root["client"]?["processes"]?.sequence ?? [] {
            if let name = node.scalar { decoder.names.processes.insert(name) }
        }
        for fault in root["faults"]?.sequence ?? [] {
            if let name = fault["name"] { add(name, .fault) }
        }
        collectSteps(root["steps"], rounds: 1)
    }

    private func collectBackend(_ backend: YAMLNode) {
        decoder.names.hasTokens = backend["tokens"] != nil
        for pair in backend["tokens"]?.mapping ?? [] { add(pair.key, .token) }
        for pair in backend["objects"]?.mapping ?? [] {
            guard let path = pair.key.scalar else { continue }
            let copies = pair.value["copies"]?.scalar.flatMap { Int($0) } ?? 1
            for copy in 1...min(max(copies, 1), BackendLimits.copies) {
                guard decoder.names.objects.count < BackendLimits.objects else { return }
                decoder.names.objects.insert(Substitution.counted(path, copy))
            }
        }
    }

    private func collectSteps(_ list: YAMLNode?, rounds: Int) {
        for step in list?.sequence ?? [] {
            guard let pairs = step.mapping else { continue }
            let verbs = pairs.compactMap { $0.key.scalar }.filter(StepKeys.verbs.contains)
            if let name = step["as"], let verb = verbs.first {
                add(name, kind(of: verb), rounds: rounds)
                if let text = name.scalar { decoder.names.steps.insert(text) }
            }
            collectSteps(step["burst"], rounds: rounds)
            collectSteps(step["parallel"], rounds: rounds)
            let count = step["repeat"]?.scalar.flatMap { Int($0) } ?? 1
            let all = rounds * min(max(count, 1), RepeatLimits.rounds)
            collectSteps(step["do"], rounds: min(all, RepeatLimits.steps))
        }
    }

    private func kind(of verb: String) -> NameTable.Kind {
        switch verb {
        case "upload": .upload
        case "download": .download
        case "observe": .observer
        case _ where StepKeys.resultVerbs.contains(verb): .result(verb: verb)
        default: .step
        }
    }

    private func add(_ node: YAMLNode, _ kind: NameTable.Kind, rounds: Int = 1) {
        guard let name = decoder.name(node) else { return }
        if NameTable.reserved.contains(name) {
            decoder.error(
                "the name '\(name)' is reserved: triggers or 'expect' have it as a word",
                at: node.place)
            return
        }
        let entry = NameTable.Entry(kind: kind, place: node.place, rounds: rounds)
        guard let old = decoder.names.add(name, entry) else { return }
        let place = "line \(old.place.line), column \(old.place.column)"
        decoder.error("the name '\(name)' is given twice, first in \(place)", at: node.place)
    }
}

/// How often steps may be repeated.
enum RepeatLimits {
    static let rounds = 10_000
    /// In all, where the rounds of a repetition differ.
    static let steps = 20_000
}

/// How many objects the backend may be given.
enum BackendLimits {
    /// By one entry.
    static let copies = 10_000
    static let objects = 100_000
}
