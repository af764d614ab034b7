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
            let given = Recorder<String?>()
            for _ in 0..<3 { tokens.token(fresh: false) { given.append(try? $0.get()) } }
            #expect(sink.questions == [TokenQuestion(instance: "second", refreshes: false)])
            sink.answers[0](.token("alice"))
            tokens.token(fresh: false) { given.append(try? $0.get()) }
            #expect(sink.questions.count == 1)
            tokens.token(fresh: true) { given.append(try? $0.get()) }
            #expect(sink.questions.last == TokenQuestion(instance: "second", refreshes: true))
            sink.answers[1](.token("bob"))
            tokens.set(signedIn: false)
            tokens.token(fresh: false) { given.append(try? $0.get()) }
            #expect(sink.questions.count == 2)
            return given.values
        }
        #expect(given == ["alice", "alice", "alice", "alice", "bob", nil])
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
