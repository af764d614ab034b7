import EventMatching
import ObjectStore
import RunModel
import Scenario
import StorageModel

/// What is stored under one name, and the lies that can be told about it.
struct StoredObjectLies {
    let address: ObjectAddress
    /// With its bucket.
    let place: ObjectAddress
    /// What the scenario expects of it; nil: nothing.
    let test: StoredTest?
    /// Tasks whose success has to be borne out by a generation at rest.
    let borneOut: [TaskRecord]
    let versions: [StoredObject]

    private var live: StoredObject? { versions.last { $0.isLive } }

    private var expected: StoredObjectTest? {
        if case .present(let test)? = test { test } else { nil }
    }

    /// One byte of the live generation.
    func byteFlipped(_ draw: inout Draw) -> [Falsification] {
        guard let live, let body = live.body, body.count > 0,
            live.attributes.contentEncoding != "gzip"
        else { return [] }
        let byte = draw.number(below: body.count)
        var told = live
        told.body = FlippedSource(body, at: byte)
        var noticers: [Noticer] = []
        if expected?.content?.isExact == true { noticers.append(ofStored) }
        // Another generation could bear it out.
        if versions.count == 1 { noticers += ofTasks }
        return lies(
            .storedByteFlipped, "byte \(byte) of the stored \(address) was flipped", noticers,
            versions.map { $0.isLive ? told : $0 })
    }

    func missing(_: inout Draw) -> [Falsification] {
        guard live != nil else { return [] }
        let noticers = (expected == nil ? [] : [ofStored]) + ofTasks
        return lies(.objectMissing, "the stored \(address) was taken away", noticers, [])
    }

    func invented(_: inout Draw) -> [Falsification] {
        guard case .absent? = test, live == nil else { return [] }
        let attributes = ObjectAttributes(
            bucket: place.bucket ?? "", name: place.path, generation: 1, size: 1,
            md5: [UInt8](repeating: 0, count: 16), crc32c: 0, timeCreated: 0)
        let object = StoredObject(
            attributes: attributes, body: ByteArraySource([0]), isLive: true)
        return lies(
            .objectInvented, "an object of 1 byte was put under \(address)", [ofStored],
            versions + [object])
    }

    func generationAdded(_: inout Draw) -> [Falsification] {
        guard var older = live, let expected else { return [] }
        let count = Int64(versions.count + 1)
        let isNoticed = expected.versions != nil || expected.generations?.holds(count) == false
        guard isNoticed else { return [] }
        older.isLive = false
        return lies(
            .generationAdded, "a generation of \(address) was added before the others", [ofStored],
            [older] + versions)
    }

    private var ofStored: Noticer { .expectation(.stored, subject: "\(address)") }

    private var ofTasks: [Noticer] { borneOut.map { .invariant(.storedBytes, task: $0.name) } }

    private func lies(
        _ kind: Control.Kind, _ what: String, _ noticers: [Noticer], _ told: [StoredObject]
    ) -> [Falsification] {
        noticers.map { noticer in
            Falsification(kind, what, noticer: noticer) { evidence in
                let (seen, bucket) = (evidence.versions, evidence.bucket)
                evidence.versions = { asked in
                    let isThis = asked.path == place.path && asked.bucket ?? bucket == place.bucket
                    return isThis ? told : seen(asked)
                }
            }
        }
    }
}

extension Falsifier {
    /// The names that the scenario expects something of, and those that transfers were about.
    var storedObjects: [StoredObjectLies] {
        var lies: [StoredObjectLies] = expect.stored.map { stored in
            let place = full(stored.object)
            return StoredObjectLies(
                address: stored.object, place: place, test: stored.test,
                borneOut: borneOut(place), versions: evidence.versions(stored.object))
        }
        for task in evidence.book.tasks {
            let place = full(evidence.address(task))
            guard !lies.contains(where: { $0.place == place }) else { continue }
            lies.append(
                StoredObjectLies(
                    address: ObjectAddress(path: task.path), place: place, test: nil,
                    borneOut: borneOut(place), versions: evidence.versions(place)))
        }
        return lies
    }

    private func full(_ address: ObjectAddress) -> ObjectAddress {
        ObjectAddress(bucket: address.bucket ?? evidence.bucket, path: address.path)
    }

    private func borneOut(_ place: ObjectAddress) -> [TaskRecord] {
        evidence.book.tasks.filter {
            full(evidence.address($0)) == place && isBorneOut($0)
        }
    }

    /// True where the judge has to find a generation that bears the task's success out.
    func isBorneOut(_ task: TaskRecord) -> Bool {
        guard !invariant(.storedBytes, task).isEmpty, task.hasSucceeded else { return false }
        guard !task.isUpload else { return evidence.book.sources[task.name] != nil }
        return evidence.book.destinations[task.name] != nil
            && !evidence.book.touched.contains(task.name)
    }
}

extension TaskRecord {
    /// By its event; where there was no recorder, by its completion.
    var hasSucceeded: Bool {
        events.contains { $0.kind == .success }
            || (!hasRecorder && completions.contains { $0.error == nil })
    }

    var hasFailed: Bool {
        events.contains { $0.kind == .failure }
            || (!hasRecorder && completions.contains { $0.error != nil })
    }
}

extension ContentExpectation {
    /// True where every byte counts.
    var isExact: Bool {
        switch self {
        case .sameAs, .content: true
        case .size, .absent, .unchanged, .any: false
        }
    }
}
