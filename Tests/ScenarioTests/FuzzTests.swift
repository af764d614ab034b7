import Scenario
import StorageModel
import Testing

@Suite("Damaged files")
struct FuzzTests {
    /// Files with much of the language in them.
    private static let seeds = [
        "partial/b074-chunk-kept-in-part.yaml", "concurrency/b147-four-hundred-downloads.yaml",
        "offline/b041-link-lost-in-mid-upload.yaml", "retry/b102-refused-while-still-working.yaml",
        "pause/b017-twelve-quick-cycles.yaml", "concurrency/b149-two-apps-one-bucket.yaml",
    ]

    private static let tokens = [
        "{", "}", "[", "]", ":", ",", "#", "\"", "'", "\n", "  ", "- ", "${x}", "${n}", "*", "&a",
        "!", "|", ">", "%", "@", "?", "\t", "null", "9223372036854775808", "-1", "1e999", "999TiB",
        "upload.body#0", "every 0", "..", "5..1", "x3", "(|)", "{any: [[]]}", "copies: 400",
        "repeat: 9", "matrix: {a: [1, 2]}", "\u{0}", "\u{2028}", "ü",
    ]

    @Test("A damaged file is valid or tells an error with a place in it", arguments: 0..<6)
    func damage(file: Int) throws {
        let bytes = try #require(Fixtures.bytes(of: Self.seeds[file]))
        let lineCount = bytes.count { $0 == 0x0A } + 4
        var random = SplitMix64(seed: UInt64(file) + 1)
        for round in 0..<60 {
            var damaged = bytes
            for _ in 0...(round % 4) { Self.damage(&damaged, &random) }
            let plan = ScenarioLoader().read(damaged, file: "a.yaml", id: "a")
            let text = String(decoding: damaged, as: UTF8.self)
            #expect(plan.isValid || plan.planned.isEmpty, "\(text)")
            #expect(!plan.isValid || !plan.planned.isEmpty, "\(text)")
            for diagnostic in plan.diagnostics {
                #expect((1...(lineCount * 4)).contains(diagnostic.place.line), "\(text)")
                #expect(diagnostic.place.column >= 1, "\(text)")
                #expect(!diagnostic.text.isEmpty)
            }
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 2:
            let token = tokens[Int.random(in: 0..<tokens.count, using: &random)]
            bytes.replaceSubrange(start..<end, with: Array(token.utf8))
        default: bytes[start] = UInt8.random(in: 0...255, using: &random)
        }
    }
}
