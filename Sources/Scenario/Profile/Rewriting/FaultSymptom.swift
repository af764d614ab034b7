import FaultEngine
import StorageModel

/// What a client sees of a fault, as far as its habits are concerned.
enum FaultSymptom: Hashable {
    /// An answer with this status; the upload status that it tells.
    case status(Int, ForcedResponse.UploadStatus?)
    /// The exchange breaks; which of these a client calls it is its own affair.
    case transport([TransportFault])
    /// Bytes of a body change on their way.
    case falseBytes
    /// The checksum that is told is not that of the bytes, or there is none.
    case falseChecksum
}

extension FaultRule {
    /// What a client sees of it, in the order of its actions; empty: it is only slowed down, or sees
    /// something that no habit is about.
    var symptoms: [FaultSymptom] {
        var symptoms: [FaultSymptom] = []
        for action in actions {
            switch action {
            case .respond(let answer):
                if phase == .connect {
                    symptoms.append(.transport([.closed, .reset, .malformed]))
                } else if answer.status >= 300 {
                    symptoms.append(.status(answer.status, answer.uploadStatus))
                }
            case .drop: symptoms.append(.transport([.closed]))
            case .disconnect(let manner):
                // The end of an answer that is whole breaks nothing.
                if phase == .responseEnd || isIdle { continue }
                symptoms.append(.transport(faults(of: manner)))
            case .silence, .stall(nil): symptoms.append(.transport([.timedOut]))
            case .refuse(_, .refuse): symptoms.append(.transport([.refused]))
            case .refuse(_, .blackhole): symptoms.append(.transport([.timedOut]))
            case .raw: symptoms.append(.transport([.malformed, .closed, .cut, .reset]))
            case .length: symptoms.append(.transport([.cut]))
            case .corrupt: symptoms.append(.falseBytes)
            case .framing(let framing): symptoms += Self.symptoms(of: framing)
            case .range: symptoms.append(.falseBytes)
            case .hash: symptoms.append(.falseChecksum)
            case .headers(let edit) where edit.touchesChecksum: symptoms.append(.falseChecksum)
            case .backend(.server(.restart)): symptoms.append(.transport([.reset, .refused]))
            case .tls: symptoms.append(.transport([.tls]))
            case .delay, .hold, .stall, .throttle, .slice, .headers, .json, .interim,
                .expectContinue, .redirect, .keepAlive, .backend:
                break
            }
        }
        // A broken exchange hides what its answer would have said.
        if let broken = symptoms.first(where: { if case .transport = $0 { true } else { false } }),
            symptoms.contains(where: { if case .status = $0 { true } else { false } })
        {
            return phase == .connect ? [broken] : symptoms
        }
        return symptoms
    }

    private var isIdle: Bool { if case .idle = phase { true } else { false } }

    private func faults(of manner: DisconnectManner) -> [TransportFault] {
        if case .responseBody = phase { return manner == .reset ? [.reset, .cut] : [.cut] }
        return manner == .reset ? [.reset] : [.closed]
    }

    private static func symptoms(of framing: FramingFault) -> [FaultSymptom] {
        switch framing {
        case .badChunkSize: [.transport([.malformed])]
        case .missingLastChunk: [.transport([.cut])]
        case .lostChunk, .doubledChunk: [.falseBytes]
        case .bytesAfterLast, .withTrailer: []
        }
    }

    /// True where an exchange about the object of a transfer can meet it.
    func canMeet(_ transfer: TransferFacts) -> Bool {
        guard selector.filters.path?.matches(transfer.object.path) ?? true else { return false }
        if let bucket = selector.filters.bucket, let own = transfer.object.bucket, bucket != own {
            return false
        }
        switch selector.operation {
        case .everything, .one(.connect): return true
        case .uploadBody, .prefix("upload."): return transfer.isUpload
        case .one(let operation):
            return transfer.isUpload ? operation.isUpload : operation.isDownload
        case .prefix: return false
        }
    }

    /// True where a step with a result can meet it.
    func canMeet(_ verb: StepVerb) -> Bool {
        let operation: Operation
        var object: ObjectAddress?
        switch verb {
        case .getMetadata(let address), .url(let address):
            (operation, object) = (.metadataGet, address)
        case .updateMetadata(let address, _): (operation, object) = (.metadataUpdate, address)
        case .delete(let address): (operation, object) = (.delete, address)
        case .list, .listAll: operation = .list
        case .fetch: operation = .downloadByURL
        case .image(let address): (operation, object) = (.download, address)
        default: return false
        }
        if let object, !(selector.filters.path?.matches(object.path) ?? true) { return false }
        return selector.operation == .one(.connect) || selector.operation.matches(operation)
    }

    /// How often it fires at most for one transfer; nil: without end.
    var mostFirings: Int? {
        let byOrdinal: Int? =
            switch selector.ordinal {
            case .exactly, .last: 1
            case .range(let first, let last): last.map { max(0, $0 - first + 1) }
            case .all, .every: nil
            }
        switch (times, byOrdinal) {
        case (let times?, let ordinal?): return min(times, ordinal)
        case (let times?, nil): return times
        case (nil, let ordinal): return ordinal
        }
    }
}

extension HeaderEdit {
    /// True where the checksum of an answer is set, removed or renamed.
    fileprivate var touchesChecksum: Bool {
        let names = set.map(\.name) + remove + rename.map(\.from)
        return names.contains { $0.lowercased() == "x-goog-hash" }
    }
}
