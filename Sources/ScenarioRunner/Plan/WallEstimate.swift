import FaultEngine
import Scenario
import StorageModel

struct WallEstimate {
    let deadline: Duration
    init(_ s: ScenarioFile, _ scale: Double) { deadline = max(.seconds(20), s.deadline * scale) }
}
