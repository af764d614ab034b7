import StorageModel

/// A suite as a reader looks for something in it: its files, what each is about and what it touches.
package struct SuiteContents: Sendable {
    package struct File: Sendable {
        /// The id without a row: `retry/waits-grow`.
        package let name: String
        package let title: String
        package let level: ScenarioFile.Level
        /// Rows of the matrix; 1 without.
        package fileprivate(set) var rows = 0
        package fileprivate(set) var lifecycles: Set<Lifecycle> = []
        package fileprivate(set) var boundaries: Set<Boundary> = []

        /// The folder; empty for a file beside none.
        package var topic: String {
            name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
        }
    }

    /// In the order of the names.
    package let files: [File]

    package init(_ planned: [PlannedScenario]) {
        var files: [String: File] = [:]
        for entry in planned {
            let name = String(entry.id.prefix { $0 != "[" })
            let scenario = entry.scenario
            var file =
                files[name]
                ?? File(name: name, title: scenario.title.value, level: scenario.level)
            file.rows += 1
            file.lifecycles.formUnion(Lifecycle.touched(by: scenario))
            file.boundaries.formUnion(Boundary.touched(by: scenario))
            files[name] = file
        }
        self.files = files.values.sorted { $0.name < $1.name }
    }

    package var topics: [String] { Set(files.map(\.topic)).sorted() }
}

/// What a client does with objects.
package enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case upload
    case download
    case metadata
    case list
    case delete
    case url

    /// What the steps of a scenario ask the client for.
    static func touched(by scenario: ScenarioFile) -> Set<Lifecycle> {
        Set(scenario.allSteps.compactMap { of($0.verb.kind) })
    }

    private static func of(_ verb: StepVerb.Kind) -> Lifecycle? {
        switch verb {
        case .upload: .upload
        case .download, .image: .download
        case .getMetadata, .updateMetadata: .metadata
        case .list, .listAll: .list
        case .delete: .delete
        case .url, .fetch: .url
        case .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .reference, .local, .token,
            .backend, .release, .restartClient, .wait, .burst, .parallel, .repeat:
            nil
        }
    }
}
