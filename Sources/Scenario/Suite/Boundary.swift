import FaultEngine
import StorageModel

/// A value at the edge of what is usual, where mistakes gather.
package enum Boundary: String, Hashable, Sendable, CaseIterable {
    case emptyObject = "an object without bytes"
    case oneByte = "an object of one byte"
    case belowUnit = "a byte less than whole granularity units"
    case wholeUnits = "whole granularity units"
    case aboveUnit = "a byte more than whole granularity units"
    case belowChunk = "a byte less than whole chunks"
    case wholeChunks = "whole chunks"
    case aboveChunk = "a byte more than whole chunks"
    case severalChunks = "more than one chunk"
    case atMemoryLimit = "a download as large as its limit"
    case aboveMemoryLimit = "a download larger than its limit"
    case keptNothing = "the server keeps nothing of a body"
    case keptOddly = "the server keeps a part that is no whole unit"
    case keptAll = "the server keeps the whole body of a request that failed"
    case keptMore = "the server keeps more than was sent, or keeps it twice"
    case noRetries = "a retry time of zero"

    static func touched(by scenario: ScenarioFile) -> Set<Boundary> {
        var found: Set<Boundary> = []
        let unit = scenario.backend.settings.granularity
        let chunk = scenario.client.chunkSize
        for size in uploadSizes(scenario) {
            if size == 0 { found.insert(.emptyObject) }
            if size == 1 { found.insert(.oneByte) }
            found.formUnion(around(size, unit, [.belowUnit, .wholeUnits, .aboveUnit]))
            guard let chunk, chunk > 1 else { continue }
            found.formUnion(around(size, chunk, [.belowChunk, .wholeChunks, .aboveChunk]))
            if size > chunk { found.insert(.severalChunks) }
        }
        found.formUnion(downloads(scenario))
        found.formUnion(scenario.faults.compactMap { kept($0, unit) })
        let limits = [
            scenario.client.maxUploadRetryTime, scenario.client.maxDownloadRetryTime,
            scenario.client.maxOperationRetryTime,
        ]
        if limits.contains(.zero) { found.insert(.noRetries) }
        return found
    }

    /// - Parameter names: for one less, the whole, one more.
    private static func around(_ size: Int64, _ unit: Int64, _ names: [Boundary]) -> [Boundary] {
        guard unit > 2, size >= unit - 1 else { return [] }
        return switch size % unit {
        case unit - 1: [names[0]]
        case 0: [names[1]]
        case 1: [names[2]]
        default: []
        }
    }

    private static func uploadSizes(_ scenario: ScenarioFile) -> [Int64] {
        scenario.allSteps.compactMap { step in
            if case .upload(let upload) = step.verb { upload.size } else { nil }
        }
    }

    private static func downloads(_ scenario: ScenarioFile) -> Set<Boundary> {
        var found: Set<Boundary> = []
        for case .download(let download) in scenario.allSteps.map(\.verb) {
            let given = scenario.backend.settings.objects.first {
                $0.path == download.object.path
            }
            guard let size = given?.content.givenSize else { continue }
            if size == 0 { found.insert(.emptyObject) }
            if size == 1 { found.insert(.oneByte) }
            guard case .memory(let limit) = download.destination else { continue }
            if size == limit { found.insert(.atMemoryLimit) }
            if size > limit { found.insert(.aboveMemoryLimit) }
        }
        return found
    }

    private static func kept(_ fault: FaultRule, _ unit: Int64) -> Boundary? {
        switch fault.commit {
        case nil: nil
        case CommitAmount.none?, .bytes(0)?: .keptNothing
        case .all?: .keptAll
        case .more?, .twice?: .keptMore
        case .bytes(let bytes)?: bytes % unit == 0 ? nil : .keptOddly
        case .percent?: nil
        }
    }
}
