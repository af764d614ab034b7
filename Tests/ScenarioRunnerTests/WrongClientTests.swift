import EventMatching
import RunModel
import Testing

/// Every check of the suite turns red for a client that is wrong, and says what is wrong.
@Suite("Wrong clients")
struct WrongClientTests {
    @Test(
        "A wrong client turns its scenario red, and the headline names its mistake",
        arguments: WrongClient.all)
    func finds(_ client: WrongClient) async throws {
        let result = try await client.run()
        let told = result.failures.map { failure in
            let name = failure.invariant.map { ":\($0.rawValue)" } ?? ""
            return "\(failure.kind.rawValue)\(name): \(failure.sentence)"
        }
        let report = "\(client.name): \(result.verdict)\n" + told.joined(separator: "\n")
        #expect(result.verdict == client.verdict, "\(report)")
        let headline = try #require(result.failures.first, "\(report)")
        #expect(headline.kind == client.kind, "\(report)")
        #expect(headline.invariant == client.invariant, "\(report)")
        for word in client.words {
            #expect(headline.sentence.contains(word), "'\(word)' is not in the headline\n\(report)")
        }
        // What only an invariant can see must not be found by an expectation that happens to fit.
        if client.invariant != nil {
            #expect(result.failures.allSatisfy { $0.kind == .invariant }, "\(report)")
        }
    }

    @Test("The honest client passes the scenarios that find wrong ones", arguments: WrongClient.all)
    func sparesTheHonest(_ client: WrongClient) async throws {
        let result = try await client.control()
        #expect(result.verdict == .passed, "\(result.failures)")
    }

    @Test("Every invariant has a wrong client that breaks it")
    func coversInvariants() {
        let broken = Set(WrongClient.all.compactMap(\.invariant))
        #expect(Set(Invariant.allCases).subtracting(broken).isEmpty)
    }
}
