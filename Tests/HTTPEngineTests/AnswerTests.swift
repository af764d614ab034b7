import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Answers")
struct AnswerTests {
    @Test("A request without a body passes every point in order and gets its answer")
    func everyPoint() throws {
        try withEngine { run in
            let probe = try run.probe()
            try probe.ask("/a")
            let answer = try probe.readAnswer()
            #expect(answer.status == 200 && answer.text == "hello")
            try run.wait(for: "1 complete received=0 sent=5")
            #expect(
                run.log.values == [
                    "accepted 1", "1 head", "1 request-end", "1 response-head", "1 response-end",
                    "1 complete received=0 sent=5",
                ])
        }
    }
}
