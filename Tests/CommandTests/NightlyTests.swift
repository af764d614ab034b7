import Foundation
import Testing

@Suite("Scenarios of very many bytes")
struct NightlyTests {
    private static let day = "title: A day\nlevel: may\nsteps: [{reference: {path: a}, as: r}]\n"

    private func run(_ arguments: [String]) throws -> Command.Outcome {
        let scratch = try Scratch()
        try scratch.file("suite/day.yaml", Self.day)
        try scratch.file("suite/night.yaml", Self.day + "tags: [nightly]\n")
        return try Command.squall(arguments: arguments, in: scratch.url)
    }

    @Test("Are left out, and a run says how many")
    func leftOut() throws {
        let outcome = try run(["run", "suite"])
        #expect(outcome.output.contains("1 planned: 1 passed"), "\(outcome.all)")
        #expect(outcome.errors.contains("1 that move very many bytes are left out: --nightly"))
        #expect(try run(["list", "suite"]).output == "day\n")
    }

    @Test(
        "Are run where they are asked for, all or one by its file",
        arguments: [(["suite", "--nightly"], 2), (["suite/night.yaml"], 1)])
    func asked(arguments: [String], count: Int) throws {
        let outcome = try run(["run"] + arguments)
        #expect(outcome.output.contains("\(count) planned: \(count) passed"), "\(outcome.all)")
        #expect(!outcome.errors.contains("left out"))
    }
}
