import ClientDriver
import Foundation
import Scenario
import ScenarioRunner
import StorageModel

/// What `squall drive` was asked for, checked.
struct DriveOptions {
    /// The backend.
    private(set) var served: ServeOptions
    /// The adapter, and how it is started.
    let adapter: ClientUnderTest
    /// As the client is told them, times scaled.
    let client: ClientSettings
    let timeScale: Double
    /// Of the transcript that is played again; nil: commands are typed.
    let transcript: TranscriptFile?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        adapter = try ClientUnderTest(RunOptions(arguments))
        guard adapter.isOutside else {
            throw UsageError("'drive' wants an adapter: -- COMMAND, --client or --dial-in")
        }
        served = try ServeOptions(arguments)
        transcript = try Self.transcript(arguments)
        var settings = served.scenario?.scenario.client ?? ClientSettings()
        if served.scenario == nil { settings.chunkSize = 256 << 10 }
        if let text = arguments.value("--chunk-size") {
            guard let size = ScalarText.size(text), size > 0 else {
                throw UsageError("--chunk-size takes a size like 256KiB, not '\(text)'")
            }
            settings.chunkSize = size
        }
        if arguments.has("--signed-in"), settings.tokens.isEmpty {
            settings.tokens = [ClientSettings.TokenStep(answer: .give("squall"))]
        }
        var scale = transcript?.timeScale ?? 1.0
        if let text = arguments.value("--time-scale") {
            guard let factor = Double(text), factor >= 0.01, factor <= 10 else {
                throw UsageError("--time-scale takes a factor from 0.01 to 10, not '\(text)'")
            }
            scale = factor
        }
        timeScale = scale
        client = settings.scaled(by: scale)
        scaleFaults()
    }

    /// The backend's times pass as fast as the client's.
    private mutating func scaleFaults() {
        guard let planned = served.scenario, timeScale != 1 else { return }
        let own = planned.scenario.faults.count
        let scaled = WallScale(factor: timeScale).scenario(planned.scenario)
        served.faults = scaled.faults + served.faults.dropFirst(own)
    }

    private static func transcript(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> TranscriptFile? {
        guard let path = arguments.value("--replay") else { return nil }
        do throws(TranscriptFile.Failure) {
            return try TranscriptFile(path: path)
        } catch {
            throw UsageError("--replay: \(error)")
        }
    }
}
