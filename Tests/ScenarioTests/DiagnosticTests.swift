import Scenario
import StorageModel
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test("The text has place, sentence, line, caret and suggestion")
    func text() {
        let reading = Reading(body: "faults:\n  - {match: download, do: {droop: chunk}}")
        #expect(
            reading.plan.diagnostics.map(\.text) == [
                """
                a.yaml:4:28: error: unknown action 'droop'
                    - {match: download, do: {droop: chunk}}
                                             ^
                  did you mean 'drop'?
                """
            ])
    }

    @Test("The caret stands under its character behind tabs")
    func tabs() {
        let place = SourcePlace(file: "f", line: 1, column: 3)
        let diagnostic = Diagnostic(place: place, message: "m", sourceLine: "a\tb")
        #expect(diagnostic.text == "f:1:3: error: m\n  a\tb\n   \t^")
    }

    @Test("Of a long line the part around the place is shown")
    func longLines() {
        let line = String(repeating: "x", count: 500) + "!" + String(repeating: "y", count: 500)
        let place = SourcePlace(file: "f", line: 1, column: 501)
        let lines = Diagnostic(place: place, message: "m", sourceLine: line).text.split(
            separator: "\n")
        #expect(lines[1].count < 200)
        let caret = lines[2].distance(from: lines[2].startIndex, to: lines[2].endIndex) - 1
        #expect(lines[1].dropFirst(caret).first == "!")
    }

    @Test("Several mistakes are told in one run, in the order of the file")
    func several() {
        let messages = Reading("title: T\nsource: [D1]\nlevel: shoud\nclass: cor\nexchanges: x")
            .messages
        #expect(
            messages == [
                "3:8: unknown level 'shoud' | should", "4:8: unknown class 'cor' | core",
                "5:12: 'x' is no whole number",
            ])
    }

    @Test("Control characters of the file do not reach the message")
    func controlCharacters() {
        let messages = Reading(body: #"level: "\e[31m""#).messages
        #expect(messages == ["3:8: unknown level '?[31m': must, should, may"])
    }

    @Test("A file with very many mistakes tells a hundred of them")
    func flood() {
        let body = (0..<500).map { "k\($0): 1" }.joined(separator: "\n")
        let plan = Reading(body: body).plan
        #expect(plan.diagnostics.count == 100)
        #expect(!plan.isValid)
    }
}
