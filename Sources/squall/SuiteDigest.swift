import Checksums
import Scenario

/// Names the files that a run was made of, so that two runs can be told to be of one suite.
enum SuiteDigest {
    /// SHA-256 over the ids of the scenarios and the bytes of their files, in the order of the plan.
    static func text(of plan: [PlannedScenario]) -> String {
        var hash = SHA256()
        var last = ""
        for planned in plan {
            update(&hash, Array(planned.id.utf8))
            guard planned.file != last else { continue }
            last = planned.file
            update(&hash, Array((ScenarioLoader.text(ofFile: planned.file) ?? "").utf8))
        }
        return Hexadecimal.encode(hash.digest)
    }

    private static func update(_ hash: inout SHA256, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { hash.update($0) }
    }
}
