import ClientDriver
import CloudStorage
import EventLoop

/// A signed-in user, or none: asks the scenario for a token when none is in hand or it was refused.
final class SessionTokens: StorageTokenSource, @unchecked Sendable {
    // Invariant: the fields below are touched on the loop's thread alone.
    typealias Reply = @Sendable (Result<String?, any Error>) -> Void
    typealias Ask = (TokenQuestion, @escaping (TokenAnswer) -> Void) -> Void

    /// The scenario said that no token can be had.
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    private let loop: EventLoop
    private let instance: String?
    private let ask: Ask
    private var isSignedIn: Bool
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
        generation += 1
        let left = waiting
        waiting = []
        for reply in left { token(fresh: false, reply: reply) }
    }

    func token(fresh: Bool, reply: @escaping Reply) {
        loop.perform { [self] in find(fresh, reply) }
    }

    private func find(_ fresh: Bool, _ reply: @escaping Reply) {
        guard isSignedIn else { return reply(.success(nil)) }
        if fresh { inHand = nil }
        if let inHand { return reply(.success(inHand)) }
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
        for reply in left { reply(result) }
    }
}
