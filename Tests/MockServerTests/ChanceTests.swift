import FaultEngine
import Glibc
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Chance under load", .serialized)
struct ChanceTests {
    /// What chance decided for one exchange of one rule.
    private struct Decision: Hashable {
        let draw: Double?
        let delays: [Duration]
    }

    private static let connections = 16
    private static let objects = ["a", "b", "c", "d"]

    private static func rules() throws -> [FaultRule] {
        let short = DelayTime.uniform(.zero, .milliseconds(2))
        let list = DelayTime.list([.milliseconds(1), .zero, .milliseconds(2)])
        var rules = [
            try fault("download", at: .responseHead, per: .run, .delay(short)),
            try fault("download", at: .beforeCommit, position: 2, per: .object, .status(503)),
            try fault("*", at: .responseHead, position: 3, per: .connection, .delay(list)),
            try fault(
                "metadata.get", at: .requestHead, position: 4, per: .run,
                .delay(.logNormal(median: .milliseconds(1), sigma: 1, maximum: .milliseconds(3)))),
            try fault(
                "upload.media", at: .afterCommit, position: 5, per: .object,
                .delay(.normal(mean: .milliseconds(1), deviation: .milliseconds(1)))),
        ]
        for (index, chance) in [0.5, 0.3, 0.2, 0.4, 0.6].enumerated() {
            rules[index].chance = chance
        }
        return rules
    }

    /// Every connection gets as many of each request in every round, in another order.
    private func requests(
        _ count: Int, _ generator: inout SplitMix64
    ) -> [(method: String, target: String, body: [UInt8])] {
        (0..<count).map { number -> (String, String, [UInt8]) in
            let object = Self.objects[number / 4 % Self.objects.count]
            return switch number % 4 {
            case 0, 1: ("GET", WireProbe.object(object) + "?alt=media", [])
            case 2: ("GET", WireProbe.object(object), [])
            default: ("POST", WireProbe.objects + "?name=up-\(object)", [1, 2, 3])
            }
        }.shuffled(using: &generator)
    }

    /// - Returns: what chance decided, by rule, what the rule counts for, and ordinal.
    private func round(
        _ number: Int, each count: Int, seed: UInt64
    ) throws -> [String: Decision] {
        var options = MockServer.Options()
        options.seed = seed
        options.scenario = "mixed"
        var decisions: [String: Decision] = [:]
        let settings = BackendSettings.made { settings in
            for object in Self.objects { settings.give(object, 1000) }
        }
        let rules = try Self.rules()
        try withServer(rules, settings: settings, options: options) { run in
            var generator = SplitMix64(seed: UInt64(number))
            let probes = try (0..<Self.connections).map { _ in try run.probe() }
            let lists = probes.map { _ in requests(count, &generator) }
            for index in 0..<count {
                for place in probes.indices.shuffled(using: &generator) {
                    let request = lists[place][index]
                    try probes[place].begin(
                        request.method, request.target, length: request.body.count)
                    try probes[place].send(request.body)
                }
                for probe in probes { _ = try probe.readAnswer() }
            }
            try run.ended(count * Self.connections)
            for record in try run.on({ $0.records }) {
                for fault in record.faults {
                    let key =
                        switch rules[fault.rule - 1].selector.per {
                        case .run: ""
                        case .object, .transfer: record.path ?? ""
                        case .connection: "\(record.connection)"
                        }
                    decisions["\(fault.rule) \(key) \(fault.ordinal)"] = Decision(
                        draw: fault.draw, delays: fault.delays)
                }
            }
        }
        return decisions
    }

    /// `SQUALL_CHANCE=10x5000` asks for so many rounds of so many requests.
    private static var size: (rounds: Int, requests: Int) {
        let text = getenv("SQUALL_CHANCE").map { String(cString: $0) } ?? "3x640"
        let parts = text.split(separator: "x").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : (3, 640)
    }

    @Test(
        "The same seed gives each rule and ordinal the same draws, whatever the order of requests")
    func sameDraws() throws {
        // A whole number of each request on every connection.
        let each = max(16, Self.size.requests / Self.connections / 16 * 16)
        let first = try round(1, each: each, seed: 11)
        #expect(first.count > each * Self.connections / 4)
        for number in 2...max(2, Self.size.rounds) {
            let other = try round(number, each: each, seed: 11)
            #expect(other == first, "round \(number)")
        }
        let draws = SeededDraw(seed: 11, scenario: "mixed")
        for ordinal in 1...each {
            let number = draws.number(rule: 1, key: .run, ordinal: ordinal)
            let decision = first["1  \(ordinal)"]
            #expect((decision != nil) == (number < 0.5))
            #expect(decision?.draw == (number < 0.5 ? number : nil))
        }
        #expect(try round(1, each: 16, seed: 12) != (try round(1, each: 16, seed: 11)))
    }
}
