internal import EventLoop

/// Asks one provider on behalf of all requests: those that want the same at the same time share one
/// question. From any thread.
///
/// A token carries the number of renewals before it was asked for. Of many requests that are refused
/// with the same token the first asks for a renewal, those that come while it is asked for wait for
/// it, and those that come later ask for the token that there is now.
final class CredentialDesk: Sendable {
    typealias Provider = @Sendable (_ forcingRefresh: Bool) async throws -> String?

    struct Token: Hashable, Sendable {
        /// Nil: there is none, and none is needed.
        var text: String?
        /// How often the token had been renewed when this one was asked for.
        var renewals: Int
    }

    typealias Reply = @Sendable (Result<Token, any Error>) -> Void

    /// One who waits for a token.
    struct Ticket: Hashable, Sendable {
        fileprivate let question: Int
        fileprivate let number: Int
    }

    private struct Question {
        let isRenewal: Bool
        /// When it was asked.
        let renewals: Int
        var task: Task<Void, Never>?
        var waiting: [Ticket: Waiting] = [:]
    }

    private struct Waiting {
        let loop: EventLoop
        let reply: Reply
    }

    private struct State {
        var last = 0
        var renewals = 0
        var questions: [Int: Question] = [:]

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private let provider: Provider
    private let state = Lock(State())

    init(_ provider: @escaping Provider) { self.provider = provider }

    /// Asks for a token, or joins who has asked already.
    ///
    /// - Parameters:
    ///   - refused: the token that the server did not accept; nil: any token will do.
    ///   - executor: where the provider runs; nil: where Swift runs everything by default.
    ///   - reply: called once, on the loop, unless the ticket is given back before.
    func ask(
        instead refused: Token?, on loop: EventLoop, executor: (any TaskExecutor)?,
        _ reply: @escaping Reply
    ) -> Ticket {
        state.withLock { state in
            let isRenewal = refused.map { $0.renewals == state.renewals } ?? false
            let known = state.questions.first { $0.value.isRenewal == isRenewal }?.key
            let question = known ?? state.next()
            let ticket = Ticket(question: question, number: state.next())
            if known == nil {
                state.questions[question] = Question(
                    isRenewal: isRenewal, renewals: state.renewals)
            }
            state.questions[question]?.waiting[ticket] = Waiting(loop: loop, reply: reply)
            if known == nil {
                state.questions[question]?.task = begin(question, isRenewal, executor)
            }
            return ticket
        }
    }

    /// Waits no more. With the last one who waits the question itself is given up.
    func giveBack(_ ticket: Ticket) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard var question = state.questions[ticket.question] else { return nil }
            question.waiting[ticket] = nil
            state.questions[ticket.question] = question.waiting.isEmpty ? nil : question
            return question.waiting.isEmpty ? question.task : nil
        }
        task?.cancel()
    }

    private func begin(
        _ question: Int, _ isRenewal: Bool, _ executor: (any TaskExecutor)?
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) { [self, provider] in
            let result: Result<String?, any Error>
            do { result = .success(try await provider(isRenewal)) } catch {
                result = .failure(error)
            }
            settle(question, result)
        }
    }

    private func settle(_ number: Int, _ result: Result<String?, any Error>) {
        let (waiting, renewals) = state.withLock { state -> ([Waiting], Int) in
            guard let question = state.questions.removeValue(forKey: number) else { return ([], 0) }
            if question.isRenewal, case .success(_?) = result { state.renewals += 1 }
            let order = question.waiting.sorted { $0.key.number < $1.key.number }
            let renewals = question.isRenewal ? state.renewals : question.renewals
            return (order.map(\.value), renewals)
        }
        for one in waiting {
            let answer = result.map { Token(text: $0, renewals: renewals) }
            one.loop.post { one.reply(answer) }
        }
    }
}
