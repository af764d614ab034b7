import ClientDriver
import CloudStorage
import EventLoop
import StorageModel
import TestSupport
import Testing

@testable import ReferenceDriver

@Suite("The reference client behind the driver protocol")
struct ReferenceDriverTests {
    private final class Sink: ClientSink {
        var questions: [TokenQuestion] = []
        var answers: [(TokenAnswer) -> Void] = []
        var events: [TransferEvent.Kind] = []

        func observed(_ event: TransferEvent, task: String, observer: String?) {
            events.append(event.kind)
        }

        func completed(_ completion: TaskCompletion, task: String) {}

        func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
            questions.append(question)
            answers.append(answer)
        }

        func misbehaved(_ misbehaviour: ClientMisbehaviour) {}
    }

    @Test("Requests at one time share one question for a token, and a refused token is asked anew")
    func asksOnce() async throws {
        let given = try await runLoop { loop in
            let sink = Sink()
            let tokens = SessionTokens(loop: loop, instance: "second", isSignedIn: true) {
                sink.asked($0, answer: $1)
            }
            func ask(_ fresh: Bool) async -> Task<String?, any Error> {
                let task = Task(executorPreference: loop) {
                    try await tokens.token(forcingRefresh: fresh)
                }
                await withCheckedContinuation { turn in loop.post { turn.resume() } }
                return task
            }
            let first = [await ask(false), await ask(false), await ask(false)]
            #expect(sink.questions == [TokenQuestion(instance: "second", refreshes: false)])
            sink.answers[0](.token("alice"))
            var given: [String?] = []
            for task in first { given.append(try await task.value) }
            given.append(try await ask(false).value)
            #expect(sink.questions.count == 1)
            let renewed = await ask(true)
            #expect(sink.questions.last == TokenQuestion(instance: "second", refreshes: true))
            sink.answers[1](.token("bob"))
            given.append(try await renewed.value)
            tokens.set(signedIn: false)
            given.append(try await ask(false).value)
            #expect(sink.questions.count == 2)
            return given
        }
        #expect(given == ["alice", "alice", "alice", "alice", "bob", nil])
    }

    @Test(
        "Whoever waits for a token when the scenario ends is told so, and who comes after it, too")
    func endsQuestions() async throws {
        let told = try await runLoop { loop in
            let tokens = SessionTokens(loop: loop, instance: nil, isSignedIn: true) { _, _ in }
            let waiting = Task(executorPreference: loop) {
                try await tokens.token(forcingRefresh: false)
            }
            await withCheckedContinuation { turn in loop.post { turn.resume() } }
            tokens.end()
            var told: [String] = []
            do { _ = try await waiting.value } catch { told.append("\(error)") }
            do { _ = try await tokens.token(forcingRefresh: true) } catch {
                told.append("\(error)")
            }
            return told
        }
        #expect(told == ["the scenario is over", "the scenario is over"])
    }

    @Test("A change of metadata holds the fields that are set and those that are cleared")
    func changesMetadata() throws {
        let change = try #require(
            ReferenceSession.change([
                "contentType": "text/plain", "cacheControl": nil, "metadata.a": "1",
                "metadata.b": nil,
            ]))
        #expect(change.contentType == "text/plain")
        #expect(change.cacheControl == nil)
        #expect(change.customMetadata == ["a": "1"])
        #expect(ReferenceSession.change(["metadata": nil]) == nil)
    }

    @Test("After the end nothing is carried out, and armed commands are lost")
    func endsWhole() async throws {
        let replies = try await runLoop { loop in
            let driver = ReferenceDriver(loop: loop)
            let sink = Sink()
            let configuration = ClientConfiguration(
                run: 1, port: 9, bucket: "b", workingDirectory: "/tmp")
            let replies = Recorder<ClientReply>()
            driver.configure(configuration, sink: sink) { replies.append($0) }
            let armed = ClientCommand(
                .pause(task: "up", throughSnapshot: false),
                on: .init(task: "up", event: .progress))
            driver.perform(armed) { replies.append($0) }
            await withCheckedContinuation { done in driver.end { _ in done.resume() } }
            driver.perform(ClientCommand(.release(task: "up"))) { replies.append($0) }
            await withCheckedContinuation { done in driver.sync { _ in done.resume() } }
            return replies.values
        }
        #expect(replies == [.result(.done), .lost, .lost])
    }

    @Test("A command for a task that is not there is refused by name")
    func refusesUnknownTasks() async throws {
        let reply = try await runLoop { loop in
            let driver = ReferenceDriver(loop: loop)
            let sink = Sink()
            driver.configure(
                ClientConfiguration(run: 1, port: 9, bucket: "b", workingDirectory: "/tmp"),
                sink: sink
            ) { _ in }
            return await withCheckedContinuation { done in
                driver.perform(ClientCommand(.snapshot(task: "nobody"))) {
                    done.resume(returning: $0)
                }
            }
        }
        #expect(reply == .unsupported("there is no task 'nobody' any more"))
    }
}
