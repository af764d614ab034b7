import StorageModel
import Testing

@Suite("Durations and percentages as the language writes them")
struct ExactTextTests {
    @Test(
        "The text is read as the same duration",
        arguments: [
            ("0s", 0), ("1ms", 1_000_000), ("1.5s", 1_500_000_000), ("10m", 600_000_000_000),
            ("90m", 5_400_000_000_000), ("8d", 691_200_000_000_000), ("0.0000005s", 500),
            ("61s", 61_000_000_000), ("9223372036.854775807s", Int64.max),
        ])
    func durations(text: String, nanoseconds: Int64) {
        #expect(Duration.nanoseconds(nanoseconds).exactText == text)
        #expect(ScalarText.duration(text) == .nanoseconds(nanoseconds))
    }

    @Test("The text is read as the same percentage", arguments: [0, 0.000001, 12.5, 30, 100])
    func percentages(percent: Double) {
        #expect(ScalarText.percent(percent.percentText) == percent)
    }

    @Test("A percentage has no more digits than it needs")
    func digits() {
        #expect([0.3, 50, 0.000001].map(\.percentText) == ["0.3%", "50%", "0.000001%"])
    }
}
