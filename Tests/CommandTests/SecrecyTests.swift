import FaultEngine
import Foundation
import Scenario
import Testing

@Suite("What a client is told", .serialized, .timeLimit(.minutes(5)))
struct SecrecyTests {
    /// Notes everything that an adapter can see: its lines, its environment, and the names of files
    /// around the directory that it is given.
    private static func spy(adapter: String, notes: String) -> String {
        """
        import json, os, sys

        notes = open("\(notes)", "a")
        base = None

        class Lines:
            def __iter__(self):
                global base
                for line in lines:
                    notes.write(line)
                    message = json.loads(line)
                    if message.get("do") == "configure":
                        base = os.path.dirname(message["directory"])
                        notes.write(json.dumps([dict(os.environ), os.getcwd()]) + "\\n")
                    for folder, names, files in os.walk(base) if base else []:
                        notes.write(folder + " " + " ".join(names + files) + "\\n")
                    notes.flush()
                    yield line

        lines = sys.stdin
        sys.stdin = Lines()
        exec(compile(open("\(adapter)").read(), "client.py", "exec"))
        """
    }

    @Test("Nothing that it can see names a scenario, its title or its faults")
    func tellsNothing() throws {
        let scratch = try Scratch()
        let notes = scratch.url.appending(path: "notes").path
        let adapter = Command.root.appending(path: "Conformance/adapters/python-minimal/client.py")
        let script = try scratch.file("spy.py", Self.spy(adapter: adapter.path, notes: notes))
        let topics = ["download", "lostreply", "upload"]
        let run = try Command.squall(
            arguments: ["run"] + topics.flatMap { ["--filter", "\($0)/**"] }
                + ["--jobs", "4", "--", "python3", script.path])
        #expect([0, 1].contains(run.status), "\(run.all)")
        let seen = try String(contentsOfFile: notes, encoding: .utf8).lowercased()
        #expect(seen.split(separator: #""do":"configure""#).count > 25)
        let root = Command.root.appending(path: "scenarios").path
        let planned = ScenarioLoader().plan(topics.map { "\(root)/\($0)" }).planned
        #expect(planned.count > 25)
        let betrayed = planned.flatMap { scenario in
            Self.words(of: scenario).filter { seen.contains($0.lowercased()) }
        }
        #expect(Set(betrayed) == [])
        let single = Set(seen.split { !$0.isLetter }.map(String.init))
        #expect(single.contains("configure") && single.contains("path"))
        #expect(single.intersection(Self.tellingWords) == [])
    }

    private static let tellingWords: Set<String> = [
        "disconnect", "corrupt", "truncate", "stall", "respond", "fault", "faults", "scenario",
        "expect", "expected", "title", "must", "should",
    ]

    /// What would betray a scenario.
    private static func words(of planned: PlannedScenario) -> Set<String> {
        let file = planned.id.prefix { $0 != "[" }
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        var words: Set<String> = [planned.scenario.title.value, String(file)]
        // A word of one part, such as `names`, may stand for anything.
        if name.contains("-") { words.insert(name) }
        for fault in planned.scenario.faults {
            words.insert(fault.text)
            if let name = fault.name { words.insert(name) }
        }
        return words
    }
}
