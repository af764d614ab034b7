import FaultEngine
import Foundation
import Scenario
import StorageModel

/// What a server was started with, as a scenario without steps: the journal's first line has it.
enum ServedSetup {
    /// Bytes of a file that are written as they are; of larger ones the size alone.
    private static let smallFile = 4096

    static func text(_ options: ServeOptions) -> String {
        let place = SourcePlace(file: "", line: 1, column: 1)
        var scenario = ScenarioFile(title: Placed("What a server has seen", place))
        scenario.level = .may
        if let served = options.scenario?.scenario {
            scenario.backend = served.backend
            scenario.client = served.client
        }
        scenario.backend.settings = options.settings
        scenario.backend.givesBucket = options.settings.bucket != nil
        scenario.backend.givesTokens = options.settings.tokens != nil
        scenario.backend.settings.objects = options.settings.objects.map(withoutFile)
        scenario.faults = options.faults
        return scenario.text()
    }

    private static func withoutFile(
        _ object: BackendSettings.GivenObject
    ) -> BackendSettings.GivenObject {
        guard case .file(let path) = object.content.kind else { return object }
        var object = object
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int64
        if let size, size <= smallFile, let data = FileManager.default.contents(atPath: path) {
            object.content.kind = .bytes(Array(data))
        } else {
            object.content.kind = .synthetic(size: size ?? 0, seed: 1)
        }
        return object
    }
}
