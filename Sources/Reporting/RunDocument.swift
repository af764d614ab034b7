internal import RunModel
internal import StorageModel

/// The JSON report as its coder sees it.
struct RunDocument: Encodable {
    struct Client: Encodable {
        let name: String
        let version: String
        let file: String?
    }

    struct Profile: Encodable {
        let name: String
        let departures: [String]
    }

    struct Problem: Encodable {
        let kind: String
        let sentence: String
        let place: PlaceDocument?
    }

    let format: Int
    let toolVersion: String
    let suiteVersion: String
    let suiteDigest: String
    let client: Client
    let profile: Profile
    let seed: String
    let mode: String
    let timeScale: Double?
    let digest: String
    let exitCode: Int32
    let summary: [String: Int]
    let problems: [Problem]
    let remarks: [String]
    let controls: ControlsDocument?
    let scenarios: [ScenarioDocument]
    let wallMilliseconds: Int64

    init(_ report: RunReport) {
        format = RunReport.format
        toolVersion = report.toolVersion
        suiteVersion = report.suiteVersion
        suiteDigest = report.suiteDigest
        client = Client(
            name: report.client.name, version: report.client.version, file: report.client.file)
        profile = Profile(name: report.profile.name, departures: report.profile.departures)
        // As text: a reader with floating-point numbers would round it.
        seed = String(report.seed)
        switch report.mode {
        case .virtual:
            mode = "virtual"
            timeScale = nil
        case .wall(let scale):
            mode = "wall"
            timeScale = scale
        }
        digest = report.digest
        exitCode = report.exitCode.rawValue
        summary = Self.counts(report.summary)
        problems = report.problems.map {
            Problem(
                kind: $0.kind.rawValue, sentence: $0.sentence, place: PlaceDocument($0.place))
        }
        remarks = report.remarks
        controls = report.controls.map(ControlsDocument.init)
        scenarios = report.results.map(ScenarioDocument.init)
        wallMilliseconds = report.wallDuration.milliseconds
    }

    private static func counts(_ summary: Summary) -> [String: Int] {
        var counts = ["planned": summary.planned]
        for verdict in Verdict.allCases { counts[verdict.rawValue] = summary[verdict] }
        return counts
    }
}

/// A place in a scenario file.
struct PlaceDocument: Encodable {
    let file: String
    let line: Int
    let column: Int

    init?(_ place: SourcePlace?) {
        guard let place else { return nil }
        file = place.file
        line = place.line
        column = place.column
    }
}

extension Duration {
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
