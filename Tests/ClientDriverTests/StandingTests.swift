import Testing

@testable import ClientDriver

@Suite("Whom a misbehaviour is held against")
struct StandingTests {
    private func culprits(hasSaidHello: Bool, hasServed: Bool) -> [Standing.Culprit] {
        Standing.Stage.allCases.map {
            Standing(hasSaidHello: hasSaidHello, hasServed: hasServed, stage: $0).culprit
        }
    }

    @Test(
        "A child that has not said who it is costs whoever waits for that",
        arguments: [false, true])
    func greeting(hasServed: Bool) {
        #expect(
            culprits(hasSaidHello: false, hasServed: hasServed)
                == [.greeting, .greeting, .greeting, .greeting])
    }

    @Test("A child that has served nothing costs its first scenario, whenever it breaks")
    func fresh() {
        #expect(
            culprits(hasSaidHello: true, hasServed: false) == [
                .first, .first, .scenario, .scenario,
            ]
        )
    }

    @Test("Until a child has answered anything of a scenario it costs the one before")
    func served() {
        #expect(
            culprits(hasSaidHello: true, hasServed: true)
                == [.before, .before, .doubtful, .scenario])
    }
}
