import StorageModel

/// What the client is answered when it asks for a token: one script for each storage instance.
struct TokenScripts {
    private struct Script {
        var steps: [ClientSettings.TokenStep]
        var next = 0
    }

    private var scripts: [String?: Script] = [:]
    private let first: [ClientSettings.TokenStep]

    /// - Parameter steps: the script of every instance until a step changes it.
    init(_ steps: [ClientSettings.TokenStep]) { first = steps }

    /// The next answer; nil: nobody is signed in.
    mutating func next(for instance: String?) -> ClientSettings.TokenStep? {
        var script = scripts[instance] ?? Script(steps: first)
        guard !script.steps.isEmpty else { return nil }
        let step = script.steps[min(script.next, script.steps.count - 1)]
        script.next += 1
        scripts[instance] = script
        return step
    }

    /// From now on this token is given; nil: none.
    mutating func use(_ name: String?, for instance: String?) {
        scripts[instance] = Script(
            steps: name.map { [ClientSettings.TokenStep(answer: .give($0))] } ?? [])
    }
}
