import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// What an exchange leaves behind: in the store, on the wire, in the journal.
extension MockServer {
    /// Carries the request out, or gives it up; once.
    ///
    /// - Parameter carriedOut: false: bytes may be kept, but nothing is finished.
    func settle(_ run: ExchangeRun, carriedOut: Bool) {
        guard !run.isSettled else { return }
        run.isSettled = true
        if run.forced != nil { noteForgedAnswer(run) }
        guard let call = run.call else { return }
        if let rest = run.altered?.finish() { rest.withUnsafeBytes { call.receive($0) } }
        call.hasOtherLength = run.altered?.changesLength ?? false
        if carriedOut {
            run.answer = call.finish(keeping: run.commit.map(KeptBytes.init) ?? .all)
            bindSession(run)
        } else {
            // A refused request leaves nothing; a cut one what production would keep.
            let usual: KeptBytes = run.forced == nil ? .wholeUnits : .none
            call.cut(keeping: run.commit.map(KeptBytes.init) ?? usual)
        }
        run.record.committed = call.committed
        if run.record.path == nil { run.record.path = call.path }
        run.record.complaints += complaints(about: call, of: run)
        // A start request has its session only now.
        if run.forced != nil || run.isEdited { noteForgedAnswer(run) }
    }

    /// The session of the exchange, whatever its state.
    func session(of run: ExchangeRun) -> UploadSession? {
        run.call?.session ?? run.wire.uploadID.flatMap { store.session(evenExpired: $0) }
    }

    func noteForgedAnswer(_ run: ExchangeRun) { session(of: run)?.noteForgedAnswer() }

    private func bindSession(_ run: ExchangeRun) {
        guard run.record.operation == .uploadStart, let session = run.call?.session,
            let transfer = run.facts.transfer
        else { return }
        injector.transfers.bind(session: session.ordinal, to: transfer)
    }

    // MARK: The answer

    /// The answer is known: what earlier phases want changed in it is changed now.
    func prepareAnswer(_ run: ExchangeRun) {
        guard var response = run.exchange.response else { return }
        if run.forced == nil { run.readsAnswer(response) }
        for edit in run.edits { edit.apply(to: &response, &run.exchange.form) }
        run.edits = []
        run.exchange.response = response
    }

    /// The head is about to be sent: nothing of the answer changes any more.
    func sendHead(_ run: ExchangeRun) {
        guard var response = run.exchange.response else { return }
        shapeBody(run, &response)
        run.exchange.response = response
        if corruptsAnswers {
            let source = DamagedSource(response.body)
            run.responseDamage = source
            response.body = source
            run.exchange.response = response
        }
        if run.answersInstead || run.forced != nil || run.isEdited {
            noteForgedURLs(in: response.headers)
        }
        if options.explains {
            Explanation.add(run.record.faults, of: run.record, to: &response.headers)
            run.exchange.response = response
        }
        if hasOwnClock, response.headers["Date"] == nil {
            response.headers["Date"] = WireTime.httpDate(store.time)
            run.exchange.response = response
        }
        if settings.freshConnections { run.exchange.closesConnection = true }
        if run.responsePace == nil {
            let kind =
                connectionPaces[run.exchange.connection]
                ?? settings.bandwidthDown.map(Pace.Kind.rate)
            run.responsePace = kind?.pace(origin: 0, start: loop.now)
        }
        if run.exchange.slicesHead {
            if run.exchange.responseStops.first != 0 { run.exchange.responseStops.insert(0, at: 0) }
        } else if run.responsePace != nil {
            addStop(run, run.responsePace, after: 0)
        }
        watchSending(run)
        if !run.exchange.isClientGone, run.exchange.form.script == nil {
            run.record.status = response.status
            run.record.reported = response.headers["X-Goog-Upload-Size-Received"].flatMap {
                Int64($0)
            }
        }
    }

    /// True where the time of the backend is not the machine's: then no answer may tell the latter.
    private var hasOwnClock: Bool {
        loop.time != nil || options.epoch != nil || store.skewMilliseconds != 0
    }

    // MARK: The end

    /// The exchange is over.
    func close(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        let run = run(of: exchange)
        if run.isAbandoned { exchange.state = nil }
        guard run.place != nil, run.record.end == nil else { return }
        if ending == .clientLeft { beginFaultsWhereItStood(run) }
        settle(run, carriedOut: false)
        noteBrokenHTTP(run)
        cancelTimer(run)
        run.beside?.timer.map(loop.cancel)
        run.clockTimers.forEach(loop.cancel)
        run.wait = nil
        run.record.end = loop.now
        run.record.ending = ending
        noteTransfer(run, ending)
        if let plan = run.plan {
            injector.finish(plan, received: exchange.received, sent: exchange.sent)
        }
        noteResendable(run, ending)
        watchConnection(run, ending)
        save(run)
        runs[run.record.ordinal] = nil
        for id in run.holds + (run.beside?.holds ?? []) { held[id] = nil }
        // Each holds the other.
        exchange.state = nil
        tell(.end(run.record))
    }

    private func noteTransfer(_ run: ExchangeRun, _ ending: ExchangeRecord.Ending) {
        guard let transfer = run.facts.transfer else { return }
        if run.record.operation.carriesObjectBytes, run.exchange.received > 0 {
            injector.transfers.noteBytes(of: transfer)
        }
        guard ending == .complete else { return }
        // A fault may have left out bytes of the body.
        let isSentWhole =
            run.sentRange.map { range in
                range.upperBound == run.objectSize
                    && run.exchange.sent >= range.upperBound - range.lowerBound
            } ?? false
        if run.tellsEnd || isSentWhole { injector.transfers.finish(transfer) }
    }
}

extension ExchangeRun {
    /// Notes what the backend's answer says of the transfer.
    func readsAnswer(_ response: HTTPResponse) {
        switch record.operation {
        case .download, .downloadByURL:
            guard response.status == 200 || response.status == 206 else { return }
            let size = response.body.count
            guard let text = response.headers["Content-Range"],
                let range = ContentRange(text)
            else {
                sentRange = 0..<size
                objectSize = size
                if record.offset == nil { record.offset = 0 }
                return
            }
            sentRange = range.bytes
            objectSize = range.size
            record.offset = range.bytes.lowerBound
        case .uploadMultipart, .uploadMedia: tellsEnd = response.status == 200
        case .uploadFinalize, .uploadQuery, .uploadCancel:
            let status = response.headers["X-Goog-Upload-Status"]
            tellsEnd = response.status == 200 && (status == "final" || status == "cancelled")
        case .connect, .uploadStart, .uploadChunk, .metadataGet, .metadataUpdate, .delete, .list,
            .tokenCreate, .tokenDelete, .preflight, .unknown:
            break
        }
    }
}

/// `bytes 0-99/200`. Source: RFC 9110 section 14.4.
struct ContentRange: Hashable {
    let bytes: Range<Int64>
    let size: Int64

    init?(_ text: String) {
        let parts = text.split(whereSeparator: { " -/".contains($0) })
        guard parts.count == 4, parts[0] == "bytes", let first = Int64(parts[1]),
            let last = Int64(parts[2]), let size = Int64(parts[3]), first <= last
        else { return nil }
        bytes = first..<last + 1
        self.size = size
    }
}

extension KeptBytes {
    init(_ amount: CommitAmount) {
        switch amount {
        case .none: self = .none
        case .all: self = .all
        case .bytes(let bytes): self = .exactly(bytes)
        case .percent(let percent): self = .percent(percent)
        case .more(let bytes): self = .more(bytes)
        case .twice: self = .twice
        }
    }
}
