import FaultEngine
import StorageModel

extension ScenarioValidator {
    /// Refuses a place that no body of this scenario has.
    func checkOffset(of fault: FaultRule) {
        guard let place = fault.place else { return }
        let filters = fault.selector.filters
        switch fault.phase {
        case .requestBody(let offset):
            guard Self.carriesBytes(fault.selector.operation),
                let largest = largestUpload(fitting: filters)
            else { return }
            check(offset, largest, "upload", place)
        case .responseBody(let offset):
            guard fault.selector.operation == .one(.download),
                let largest = largestDownload(fitting: filters)
            else { return }
            check(offset, largest, "download", place)
        case .connect, .requestHead, .beforeCommit, .afterCommit, .responseHead, .responseEnd,
            .idle, .elapsed, .unread:
            break
        }
    }

    /// True when the bodies are those of objects alone.
    private static func carriesBytes(_ operation: OperationPattern) -> Bool {
        switch operation {
        case .uploadBody, .one(.uploadChunk), .one(.uploadFinalize): true
        case .one, .prefix, .everything: false
        }
    }

    private func check(
        _ offset: ByteOffset, _ largest: Int64, _ what: String, _ place: SourcePlace
    ) {
        let bytes: Int64
        switch offset {
        case .bytes(let wanted), .beforeEnd(let wanted), .object(let wanted): bytes = wanted
        case .percent: return
        }
        guard bytes > largest else { return }
        decoder.error(
            "\(bytes.sizeText) lies beyond the end: the largest \(what) that fits has "
                + "\(largest.sizeText)", at: place)
    }

    /// Bytes of the largest upload; nil where a size is unknown or no upload fits.
    private func largestUpload(fitting filters: ExchangeFilters) -> Int64? {
        var largest: Int64?
        for case .upload(let upload) in steps.map(\.verb) {
            guard filters.path?.matches(upload.object.path) ?? true else { continue }
            guard let size = upload.size ?? localSize(upload) else { return nil }
            largest = max(largest ?? 0, size)
        }
        return largest
    }

    /// The size of a local file that is made once and never changed; nil for any other.
    private func localSize(_ upload: UploadStep) -> Int64? {
        guard case .localFile(let name) = upload.source else { return nil }
        var size: Int64?
        for case .local(let action) in steps.map(\.verb) {
            switch action {
            case .create(name, let content):
                guard size == nil, let given = content.givenSize else { return nil }
                size = given
            case .truncate(name, _), .grow(name, _), .link(name, _), .directory(name): return nil
            case .create, .delete, .truncate, .grow, .forbid, .directory, .link, .purge: break
            }
        }
        return size
    }

    /// Bytes of the largest given object that is downloaded; nil where anything may change it.
    private func largestDownload(fitting filters: ExchangeFilters) -> Int64? {
        guard !changesObjects else { return nil }
        var largest: Int64?
        for case .download(let download) in steps.map(\.verb) {
            guard filters.path?.matches(download.object.path) ?? true else { continue }
            let given = scenario.backend.settings.objects.first {
                $0.path == download.object.path
            }
            guard let size = given?.content.givenSize else { return nil }
            largest = max(largest ?? 0, size)
        }
        return largest
    }

    private var changesObjects: Bool {
        let bySteps = steps.contains { step in
            switch step.verb {
            case .upload, .backend, .repeat: true
            default: false
            }
        }
        let byFaults = scenario.faults.contains { rule in
            rule.actions.contains { if case .backend = $0 { true } else { false } }
        }
        return bySteps || byFaults
    }
}
