import Foundation
import RunModel
import StorageModel
import Testing

@testable import Reporting

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element as a parser of another author reads it back.
private final class Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var text = ""

    init(_ name: String, _ attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    func all(_ name: String) -> [Element] {
        children.filter { $0.name == name } + children.flatMap { $0.all(name) }
    }
}

private final class TreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root = Element("", [:])
    private var open: [Element] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        let element = Element(name, attributes)
        open.last?.children.append(element)
        if open.isEmpty { root = element }
        open.append(element)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) { open.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }
}

@Suite("JUnit report")
struct JUnitReportTests {
    private static func parsed(_ text: String) throws -> Element {
        let parser = XMLParser(data: Data(text.utf8))
        let builder = TreeBuilder()
        parser.delegate = builder
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
        return builder.root
    }

    @Test("Counts tests, failures, errors and skipped for each directory and for all")
    func counts() throws {
        let root = try Self.parsed(JUnitReport.text(Samples.report()))
        #expect(root.name == "testsuites")
        #expect(root.attributes["tests"] == "3")
        #expect(root.attributes["failures"] == "1")
        #expect(root.attributes["errors"] == "0")
        #expect(root.all("testsuite").map { $0.attributes["skipped"] } == ["0", "1"])
        #expect(root.all("testsuite").map { $0.attributes["name"] } == ["resume", "auth"])
        #expect(root.all("testsuite").map { $0.attributes["tests"] } == ["2", "1"])
        let names = root.all("testcase").map { $0.attributes["name"] }
        #expect(names == ["resume/ok", "resume/cut[how=reset,path=a/b]", "auth/token"])
        #expect(
            root.all("testcase").map { $0.attributes["classname"] } == ["resume", "resume", "auth"])
    }

    @Test("Hostile text comes back whole, with what XML cannot carry made visible")
    func escapesOnce() throws {
        var report = Samples.report()
        report.results[1].failures[0].sentence = Samples.hostile
        report.results[1].failures[0].subject = nil
        report.results[1].id = "x/" + Samples.hostile
        report.results[2].reason = Samples.hostile
        let root = try Self.parsed(JUnitReport.text(report))
        let carried = "a<b>&\"'\\x1B[31m]]>\\x00\n\r\tü\\xFFFF😀"
        #expect(root.all("testcase").contains { $0.attributes["name"] == "x/" + carried })
        #expect(root.all("failure")[0].attributes["message"] == "failed: " + carried)
        #expect(root.all("skipped")[0].attributes["message"] == carried)
        #expect(root.all("failure")[0].text.contains("a<b>&\"'\\x1B"))
    }

    @Test(
        "Each verdict becomes the element that build servers understand",
        arguments: [
            (.passed, nil), (.flaky, "system-out"), (.failed, "failure"),
            (.unexpectedPass, "failure"), (.errored, "error"), (.void, "error"),
            (.notRun, "error"), (.skipped, "skipped"), (.pending, "skipped"),
            (.expectedFailure, "skipped"),
        ] as [(Verdict, String?)])
    func mapsVerdicts(verdict: Verdict, element: String?) throws {
        var report = Samples.report()
        report.results = [ScenarioResult(id: "a", title: "t", verdict: verdict)]
        let root = try Self.parsed(JUnitReport.text(report))
        #expect(root.all("testcase")[0].children.map(\.name) == (element.map { [$0] } ?? []))
    }

    @Test("Problems of the run are errors of a suite of their own")
    func showsProblems() throws {
        var report = Samples.report()
        report.problems = [.init(.infrastructure, "no sockets left")]
        let root = try Self.parsed(JUnitReport.text(report))
        let suite = root.all("testsuite").last
        #expect(suite?.attributes["name"] == "run")
        #expect(suite?.all("error").first?.attributes["message"] == "no sockets left")
    }

    @Test("Only the wall time differs between two runs that were the same")
    func isStable() {
        var other = Samples.report()
        other.wallDuration = .seconds(1)
        let (one, two) = (JUnitReport.text(Samples.report()), JUnitReport.text(other))
        #expect(one == two.replacing("\"1.00\"", with: "\"8.21\""))
    }
}
