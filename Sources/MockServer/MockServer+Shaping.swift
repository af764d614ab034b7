import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// Faults of which an answer's head has to know, although they happen in its body.
//
// The declared length follows a body that is falsified: the faults of an exchange are known when its
// head is read, so that the damage is known before the answer's head is sent. `length` is for lies.
extension MockServer {
    /// Makes of the body what goes over the wire, and finds the places of all that is to happen in it.
    func shapeBody(_ run: ExchangeRun, _ response: inout HTTPResponse) {
        let size = response.body.count
        let start = run.sentRange?.lowerBound
        var stops: Set<Int64> = []
        for fault in run.framings { frame(fault, at: 0, run, &response, &stops) }
        if var plan = run.plan {
            plan.resolveResponse(length: size, start: start)
            let known = injector.reserveForBody(&plan)
            for fault in known {
                for action in fault.rule.actions {
                    shape(action, fault, run, &response, &stops)
                }
            }
            if response.body.count != size {
                plan.resolveResponse(length: response.body.count, start: start)
            }
            if !known.isEmpty { noteForgedAnswer(run) }
            run.plan = plan
        }
        if response.body.count != size, response.headers["Content-Length"] == "\(size)" {
            response.headers.remove("Content-Length")
        }
        stops.formUnion(run.plan?.responseStops ?? [])
        run.exchange.responseStops = stops.sorted()
        declareLength(run, &response)
    }

    private func shape(
        _ action: FaultAction, _ fault: FaultInjector.Reserved, _ run: ExchangeRun,
        _ response: inout HTTPResponse, _ stops: inout Set<Int64>
    ) {
        // An earlier fault may have made the body shorter.
        let place = min(fault.place, response.body.count)
        switch action {
        case .corrupt(let corruption):
            var generator = injector.draws.generator(
                rule: fault.rule.position, key: fault.key, ordinal: fault.ordinal, use: "corrupt")
            let seed = generator.next()
            if let body = JoinedSource(response.body, corruption, at: place, seed: seed) {
                response.body = body
            }
        case .framing(let framing): frame(framing, at: place, run, &response, &stops)
        default: break
        }
    }

    /// Bytes of the chunk that is lost or comes twice: a quarter of the body, at most 64 KiB and at
    /// least one byte.
    private static func chunkSize(_ body: Int64) -> Int64 { max(1, min(65536, body / 4)) }

    private func frame(
        _ fault: FramingFault, at place: Int64, _ run: ExchangeRun,
        _ response: inout HTTPResponse, _ stops: inout Set<Int64>
    ) {
        response.isChunked = true
        response.headers.remove("Content-Length")
        let size = Self.chunkSize(response.body.count)
        switch fault {
        case .badChunkSize:
            run.exchange.form.chunkFault = .badSize(at: place)
            stops.insert(place)
        case .missingLastChunk: run.exchange.form.chunkFault = .noLastChunk
        case .bytesAfterLast:
            run.exchange.form.chunkFault = .bytesAfterLast(Array("surplus\r\n".utf8))
        case .withTrailer:
            run.exchange.form.chunkFault = .trailer(["X-Squall-Trailer": "sent"])
        case .lostChunk:
            let body = JoinedSource(response.body, .drop(size), at: place, seed: 0)
            if let body { response.body = body }
            stops.insert(place)
        case .doubledChunk:
            let whole = min(size, response.body.count - place)
            let body = JoinedSource(response.body, .duplicate(size), at: place, seed: 0)
            if let body { response.body = body }
            stops.formUnion([place, place + whole, place + 2 * whole])
        }
    }

    private func declareLength(_ run: ExchangeRun, _ response: inout HTTPResponse) {
        let length: Int64
        switch run.declaredLength {
        case .exactly(let count): length = count
        case .off(let difference): length = max(0, response.body.count + difference)
        case DeclaredLength.none?, nil: return
        }
        response.headers["Content-Length"] = "\(length)"
    }

    // MARK: Pace

    /// The head was sent in pieces: the body begins a gap later.
    func beginPace(_ run: ExchangeRun) -> ExchangeVerdict? {
        guard run.exchange.slicesHead, let pace = run.responsePace, run.bodyStart == nil else {
            return nil
        }
        let start = loop.now + pace.time
        run.bodyStart = start
        run.responsePace = pace.beginning(at: start)
        addStop(run, run.responsePace, after: 0)
        park(run, .pace, for: pace.time)
        return .wait
    }
}
