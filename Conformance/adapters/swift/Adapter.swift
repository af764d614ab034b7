import Dispatch
import Foundation

/// The adapter: commands in, reports out, whatever carries the lines.
final class Adapter: @unchecked Sendable {
    // Invariant: touched on `queue` alone, but for `receive`, which goes there.
    let queue = DispatchQueue(label: "adapter")
    private let send: @Sendable (Data) -> Void
    private var scenario: StorageScenario?

    /// - Parameter send: called on the queue with one line, its end included.
    init(send: @escaping @Sendable (Data) -> Void) { self.send = send }

    /// Takes one line, from any thread.
    func receive(_ line: Data) {
        queue.async { [self] in
            do {
                let message = try Message(line: line)
                if message.fields["do"] != nil { carryOut(message) }
            } catch {
                FileHandle.standardError.write(Data("not a command: \(error)\n".utf8))
                exit(2)
            }
        }
    }

    /// Ends the process once everything that was received is answered.
    func finish() -> Never {
        // A `sync` is answered one turn later than it is read.
        queue.sync {}
        queue.sync {}
        exit(0)
    }

    private func carryOut(_ command: Message) {
        let id = command.number("id") ?? 0
        switch command.verb {
        case "hello": answer(id, ["hello": StorageScenario.hello])
        case "configure":
            scenario?.end()
            scenario = StorageScenario(command, on: queue) { [weak self] in self?.report($0) }
            answer(id, [:])
        case "end":
            scenario?.end()
            scenario = nil
            answer(id, [:])
        case "sync":
            // Callbacks are work on this queue: what is due now runs before this.
            queue.async { [self] in answer(id, [:]) }
        default:
            guard let scenario else {
                return answer(id, ["unsupported": "no scenario was configured"])
            }
            scenario.perform(command) { [weak self, weak scenario] fields in
                guard let self, let scenario, scenario === self.scenario else { return }
                answer(id, fields)
            }
        }
    }

    private func answer(_ id: Int64, _ fields: [String: Any]) {
        report(fields.merging(["answer": id]) { $1 })
    }

    private func report(_ fields: [String: Any]) {
        do {
            send(try JSONSerialization.data(withJSONObject: fields) + [UInt8(ascii: "\n")])
        } catch {
            FileHandle.standardError.write(Data("a report is no JSON: \(error)\n".utf8))
            exit(3)
        }
    }
}
