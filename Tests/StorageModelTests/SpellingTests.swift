import StorageModel
import Testing

@Suite("Spelling")
struct SpellingTests {
    private static let names = ["upload.start", "upload.chunk", "drop", "delay", "download"]

    @Test(
        "Finds what was meant, and nothing where nothing is near",
        arguments: [
            ("droop", "drop"), ("dealy", "delay"), ("upload.chnuk", "upload.chunk"),
            ("Upload.Start", "upload.start"), ("donwload", "download"), ("drop", "drop"),
            ("stall", nil), ("x", nil), ("", nil),
        ] as [(String, String?)])
    func findsNames(word: String, wanted: String?) {
        #expect(Spelling.nearest(to: word, among: Self.names) == wanted)
    }

    @Test("Of equally near names the first is taken")
    func takesTheFirst() {
        #expect(Spelling.nearest(to: "cat", among: ["bat", "hat"]) == "bat")
        #expect(Spelling.nearest(to: "cat", among: []) == nil)
    }
}
