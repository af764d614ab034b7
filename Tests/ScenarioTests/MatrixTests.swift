import FaultEngine
import Scenario
import StorageModel
import Testing

@Suite("Matrix")
struct MatrixTests {
    private func ids(_ body: String) -> [String] { Reading(body: body).plan.planned.map(\.id) }

    @Test("The product is taken, the first name turns slowest")
    func product() {
        #expect(
            ids("matrix: {how: [close, reset], kept: [none, 64KiB]}") == [
                "a[how=close,kept=none]", "a[how=close,kept=64KiB]", "a[how=reset,kept=none]",
                "a[how=reset,kept=64KiB]",
            ])
    }

    @Test("A value that is no scalar is written by its position")
    func positions() {
        #expect(ids("matrix: {x: [{a: 1}, b, [c]]}") == ["a[x=1]", "a[x=b]", "a[x=3]"])
    }

    @Test("An id is one line: ends of lines and tabs in a value are written as in quotes")
    func oneLine() {
        #expect(
            ids(#"matrix: {x: ["a\r\nb", "c\td", e]}"#) == [
                #"a[x=a\r\nb]"#, #"a[x=c\td]"#, "a[x=e]",
            ])
    }

    @Test("Rows that fit an entry of matrix-exclude are left out")
    func exclusion() {
        let body = """
            matrix: {how: [close, reset], kept: [none, all]}
            matrix-exclude: [{how: close, kept: all}, {how: reset, kept: none}]
            """
        #expect(ids(body) == ["a[how=close,kept=none]", "a[how=reset,kept=all]"])
    }

    @Test("'smoke' with values means the rows that have them all, with true every row")
    func smoke() {
        let matrix = "matrix: {how: [close, reset], kept: [none, all]}\n"
        for (smoke, wanted) in [
            ("{how: reset, kept: all}", ["a[how=reset,kept=all]"]),
            ("{how: reset}", ["a[how=reset,kept=none]", "a[how=reset,kept=all]"]),
            ("false", []),
        ] {
            let planned = Reading(body: matrix + "smoke: \(smoke)").plan.planned
            #expect(planned.count == 4)
            #expect(planned.filter(\.scenario.isSmoke).map(\.id) == wanted)
        }
        let all = Reading(body: matrix + "smoke: true").plan.planned
        #expect(all.filter(\.scenario.isSmoke).count == 4)
    }

    @Test("'smoke' refuses values that no row has, and values without a matrix")
    func wrongSmoke() {
        let matrix = "matrix: {how: [close, reset]}\n"
        #expect(
            Reading(body: matrix + "smoke: {how: rest}").messages == [
                "4:8: no row of the matrix is like this"
            ])
        #expect(
            Reading(body: matrix + "smoke: {hwo: reset}").messages == [
                "4:9: unknown key 'hwo' | how"
            ])
        #expect(
            Reading(body: "smoke: {how: reset}").messages == [
                "3:8: a single value belongs here, not a mapping"
            ])
    }

    @Test("A scalar that is nothing but a value takes it with its type")
    func wholeScalars() {
        let body = """
            matrix: {c: [{size: 5, seed: 1}], r: [503]}
            faults: [{match: download, do: {respond: "${r}"}}]
            steps: [{upload: a, data: "${c}"}]
            """
        let scenario = Reading(body: body).scenario
        guard case .upload(let upload)? = scenario?.steps.first?.verb else {
            Issue.record("no upload")
            return
        }
        #expect(upload.source == .data(Content(.synthetic(size: 5, seed: 1))))
        #expect(scenario?.faults.first?.actions == [.respond(.init(status: 503))])
    }

    @Test("Values and their members are put into texts")
    func interpolation() {
        let reading = Reading(
            "title: T ${x} ${y.a.b}\nsource: [D1]\nmatrix: {x: [one], y: [{a: {b: two}}]}")
        #expect(reading.scenario?.title.value == "T one two")
    }

    @Test(
        "Wrong matrices are refused at their place",
        arguments: [
            ("matrix: {n: [1]}", ["3:10: the name 'n' is reserved: it counts"]),
            (
                "matrix: {X: [1]}",
                ["3:10: 'X' is no name: a small letter, then small letters, digits and '-'"]
            ),
            ("matrix: {x: []}", ["3:13: the matrix value 'x' has an empty list"]),
            ("matrix: {x: 1}", ["3:13: a list belongs here, not a single value"]),
            ("matrix: {x: [a, b, a]}", ["3:20: the matrix value 'x' has this twice"]),
            (
                "matrix: {x: [a]}\nmatrix-exclude: [{x: b}]",
                ["4:18: no row of the matrix is like this"]
            ),
            (
                "matrix: {x: [a]}\nmatrix-exclude: [{y: b}]", ["4:19: unknown key 'y' | x"]
            ),
            ("matrix: {x: [a]}\nmatrix-exclude: [{x: a}]", ["3:9: the matrix has no row left"]),
            ("matrix-exclude: [{x: a}]", ["3:17: 'matrix-exclude' needs a 'matrix'"]),
            ("matrix: {how: [a]}\nabout: ${hwo}", ["4:8: unknown matrix value 'hwo' | how"]),
            ("about: ${x}", ["3:8: unknown matrix value 'x'"]),
            ("matrix: {x: [a]}\nabout: b ${x.y}", ["4:10: the matrix value 'x' has no member 'y'"]),
            (
                "matrix: {x: [[a]]}\nabout: b ${x}",
                ["4:10: '${x}' is a list, which has no place inside a text"]
            ),
            ("about: b ${x", ["3:10: '${' is never closed by '}'"]),
            (
                "about: ${n}",
                ["3:8: '${n}' counts only in 'repeat' and in objects with 'copies'"]
            ),
        ])
    func refusals(body: String, messages: [String]) {
        #expect(Reading(body: body).messages == messages)
    }

    @Test("A matrix of more than 1,000 rows is refused")
    func limit() {
        let values = (1...11).map(String.init).joined(separator: ", ")
        let body = "matrix: {a: [\(values)], b: [\(values)], c: [\(values)]}"
        #expect(Reading(body: body).messages == ["3:9: the matrix has more than 1000 rows"])
    }

    @Test("A mistake in every row is told once, one in a single row too")
    func rows() {
        let body = "matrix: {x: [1s, 2]}\ndeadline: ${x}\nexchanges: y"
        #expect(
            Reading(body: body).messages == [
                "4:11: '2' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d",
                "5:12: 'y' is no whole number",
            ])
    }
}
