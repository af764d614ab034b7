import EventMatching
import ObjectStore
import RunModel
import Scenario
import StorageModel

// Lies about what a download left on the disk or in memory.
extension Falsifier {
    func localByteFlipped(_ task: TaskRecord, _ draw: inout Draw) -> [Falsification] {
        guard !task.isUpload, let destination = evidence.book.destinations[task.name],
            let seen = evidence.local(task.name), seen.count > 0
        else { return [] }
        var noticers: [Noticer] = []
        switch expectation(of: task)?.local?.value {
        case .sameAs?, .content?: noticers.append(ofLocal(task))
        case .unchanged? where destination.before != nil: noticers.append(ofLocal(task))
        case .unchanged?, .size?, .absent?, .any?, nil: break
        }
        let versions = evidence.versions(evidence.address(task))
        if isBorneOut(task), versions.count == 1, versions[0].attributes.contentEncoding != "gzip" {
            noticers += invariant(.storedBytes, task)
        }
        let byte = draw.number(below: seen.count)
        return lies(
            .localByteFlipped, "byte \(byte) of what \(task.name) left was flipped", noticers, task,
            FlippedSource(seen, at: byte))
    }

    func localFileMissing(_ task: TaskRecord, _: inout Draw) -> [Falsification] {
        guard !task.isUpload, let destination = evidence.book.destinations[task.name],
            evidence.local(task.name) != nil
        else { return [] }
        var noticers: [Noticer] = []
        switch expectation(of: task)?.local?.value {
        case .sameAs?, .content?, .size?: noticers.append(ofLocal(task))
        case .unchanged? where destination.before != nil: noticers.append(ofLocal(task))
        case .unchanged?, .absent?, .any?, nil: break
        }
        if isBorneOut(task) { noticers += invariant(.storedBytes, task) }
        return lies(
            .localFileMissing, "what \(task.name) left was taken away", noticers, task, nil)
    }

    func localFileLeft(_ task: TaskRecord, _: inout Draw) -> [Falsification] {
        guard !task.isUpload, let destination = evidence.book.destinations[task.name],
            destination.before == nil, evidence.local(task.name) == nil
        else { return [] }
        var noticers: [Noticer] = []
        switch expectation(of: task)?.local?.value {
        case .absent?, .unchanged?: noticers.append(ofLocal(task))
        case .sameAs?, .content?, .size?, .any?, nil: break
        }
        if task.hasFailed, destination.path != nil, !evidence.book.touched.contains(task.name) {
            noticers += invariant(.noPartialFile, task)
        }
        return lies(
            .localFileLeft, "a file of 1 byte was put where \(task.name) was to write", noticers,
            task, ByteArraySource([0]))
    }

    private func ofLocal(_ task: TaskRecord) -> Noticer {
        .expectation(.local, subject: task.name)
    }

    private func lies(
        _ kind: Control.Kind, _ what: String, _ noticers: [Noticer], _ task: TaskRecord,
        _ told: (any ByteSource)?
    ) -> [Falsification] {
        noticers.map { noticer in
            Falsification(kind, what, noticer: noticer) {
                $0.replacedLocals.updateValue(told, forKey: task.name)
            }
        }
    }
}
