import ScenarioRunner
import Testing

@Suite("The command that repeats a scenario")
struct CommandLinePartsTests {
    @Test("Names paths, scenario and seed")
    func plain() {
        let parts = CommandLineParts(paths: ["scenarios/cancel", "scenarios/pause"])
        #expect(
            parts.repeating("pause/twice", seed: 7)
                == "squall run scenarios/cancel scenarios/pause --filter pause/twice --seed 7")
    }

    @Test("Names the suite no more than the command line did")
    func suite() {
        #expect(CommandLineParts().repeating("a", seed: 1) == "squall run --filter a --seed 1")
    }

    @Test("Quotes what a shell would take apart")
    func quoting() {
        let parts = CommandLineParts(paths: ["it's here"])
        #expect(
            parts.repeating("a[when=wire x]", seed: 1)
                == #"squall run 'it'\''s here' --filter 'a[when=wire x]' --seed 1"#)
    }

    @Test("Keeps the clock, the factor and the client's command")
    func client() {
        var parts = CommandLineParts(paths: ["a.yaml"])
        parts.isRealTime = true
        #expect(
            parts.repeating("a", seed: 1) == "squall run a.yaml --filter a --seed 1 --real-time")
        parts.timeScale = 0.5
        parts.client = ["node", "my client.js", "--fast"]
        #expect(
            parts.repeating("a", seed: 1)
                == "squall run a.yaml --filter a --seed 1 --time-scale 0.5 -- "
                + "node 'my client.js' --fast")
    }
}
