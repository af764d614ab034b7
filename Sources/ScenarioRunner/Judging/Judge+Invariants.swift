import EventMatching
import ObjectStore
import RunModel
import Scenario
import StorageModel

// What holds in every scenario without being written.
extension Judge {
    func invariants(_ expect: Expectation) -> [Failure] {
        let except = expect.invariants?.value.invariants ?? []
        var violations: [InvariantViolation] = []
        for task in evidence.book.tasks {
            let checks = InvariantChecks(
                task, exchanges: evidence.exchanges(of: task), grace: evidence.scale.grace,
                countsSentBytes: expect.countsSentBytes && task.isUpload)
            violations += checks.violations(except: except)
            if !except.contains(.storedBytes) { violations += storedBytes(task) }
            if !except.contains(.noPartialFile) { violations += partialFile(task) }
        }
        // A list of complaints in the file is a test of its own.
        if !except.contains(.noComplaint), expect.complaints == nil {
            violations += InvariantChecks.complaints(in: evidence.exchanges)
        }
        return violations.map { Failure($0, place: place(of: $0.task, expect)) }
    }

    private func place(of task: String?, _ expect: Expectation) -> SourcePlace? {
        expect.tasks.first { expected in
            task.map { evidence.names(expected.name).contains($0) } ?? false
        }?.place
    }

    private func succeeded(_ task: TaskRecord) -> Bool {
        task.events.contains { $0.kind == .success }
            || (!task.hasRecorder && task.completions.contains { $0.error == nil })
    }

    private func failed(_ task: TaskRecord) -> Bool {
        task.events.contains { $0.kind == .failure }
            || (!task.hasRecorder && task.completions.contains { $0.error != nil })
    }

    private func storedBytes(_ task: TaskRecord) -> [InvariantViolation] {
        guard succeeded(task) else { return [] }
        let versions = evidence.versions(evidence.address(task))
        let seen: (any ByteSource)?
        if task.isUpload {
            seen = evidence.book.sources[task.name]
        } else {
            guard evidence.book.destinations[task.name] != nil,
                !evidence.book.touched.contains(task.name)
            else { return [] }
            seen = evidence.local(task.name)
        }
        guard let seen else {
            guard !task.isUpload else { return [] }
            return [violation(.storedBytes, task, "it succeeded, and there are no bytes of it")]
        }
        let fits = versions.contains { version in
            [version.plainBytes, version.body].contains {
                $0.map { $0.firstDifference(from: seen) == nil } ?? false
            }
        }
        guard !fits else { return [] }
        let sizes = versions.map { "\($0.attributes.size)" }.joined(separator: ", ")
        let byte = versions.last?.plainBytes?.firstDifference(from: seen)
        let stored =
            versions.isEmpty
            ? "nothing is stored"
            : "stored are \(sizes) bytes"
                + (byte.map { ", the last of them differs from byte \($0)" } ?? "")
        let sentence =
            task.isUpload
            ? "it succeeded with \(seen.count) bytes, but no generation at rest equals its "
                + "source: \(stored)"
            : "it succeeded with \(seen.count) bytes that equal no generation of the object: "
                + stored
        return [violation(.storedBytes, task, sentence)]
    }

    private func partialFile(_ task: TaskRecord) -> [InvariantViolation] {
        guard !task.isUpload, failed(task), !evidence.book.touched.contains(task.name),
            let destination = evidence.book.destinations[task.name], destination.path != nil
        else { return [] }
        let problem = problem(
            destination.before == nil ? .absent : .unchanged, with: evidence.local(task.name),
            before: destination.before, what: "its destination")
        return problem.map { [violation(.noPartialFile, task, "it failed, but \($0)")] } ?? []
    }

    private func violation(
        _ invariant: Invariant, _ task: TaskRecord, _ sentence: String
    ) -> InvariantViolation {
        InvariantViolation(
            invariant, task: task.name, sentence,
            time: task.events.last { $0.kind.isTerminal }?.time)
    }
}
