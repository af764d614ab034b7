import ClientDriver
import CloudStorage
import EventLoop

/// A signed-in user, or none: asks the scenario for a token when none is in hand or it was refused.
final class SessionTokens: StorageTokenProvider, @unchecked Sendable {
    // Invariant: the fields below are touched on the loop's thread alone.
    typealias Ask = (TokenQuestion, @escaping (TokenAnswer) -> Void) -> Void
    private typealias Reply = CheckedContinuation<String?, any Error>

    /// The scenario said that no token can be had.
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    private let loop: EventLoop
    private let instance: String?
    private let ask: Ask
    private var isSignedIn: Bool
    private var hasEnded = false
    private var inHand: String?
    private var waiting: [Reply] = []
    /// Answers to questions of an earlier sign-in are of no use.
    private var generation = 0

    init(loop: EventLoop, instance: String?, isSignedIn: Bool, ask: @escaping Ask) {
        self.loop = loop
        self.instance = instance
        self.isSignedIn = isSignedIn
        self.ask = ask
    }

    func set(signedIn: Bool) {
        isSignedIn = signedIn
        inHand = nil
        for reply in takeWaiting() { find(false, reply) }
    }

    /// The scenario is over: nobody is left waiting.
    func end() {
        hasEnded = true
        for reply in takeWaiting() { find(false, reply) }
    }

    func token(forcingRefresh: Bool) async throws -> String? {
        try await withCheckedThrowingContinuation { reply in
            loop.perform { [self] in find(forcingRefresh, reply) }
        }
    }

    private func takeWaiting() -> [Reply] {
        generation += 1
        defer { waiting = [] }
        return waiting
    }

    private func find(_ fresh: Bool, _ reply: Reply) {
        guard !hasEnded else {
            return reply.resume(throwing: Refused(description: "the scenario is over"))
        }
        guard isSignedIn else { return reply.resume(returning: nil) }
        if fresh { inHand = nil }
        if let inHand { return reply.resume(returning: inHand) }
        waiting.append(reply)
        guard waiting.count == 1 else { return }
        let asked = generation
        ask(TokenQuestion(instance: instance, refreshes: fresh)) { [self] answer in
            if asked == generation { settle(answer) }
        }
    }

    private func settle(_ answer: TokenAnswer) {
        let result: Result<String?, any Error>
        switch answer {
        case .token(let token):
            inHand = token
            result = .success(token)
        case .none: result = .success(nil)
        case .failure(let text): result = .failure(Refused(description: text))
        }
        let left = waiting
        waiting = []
        for reply in left { reply.resume(with: result) }
    }
}
