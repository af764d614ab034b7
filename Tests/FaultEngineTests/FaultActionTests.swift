import FaultEngine
import StorageModel
import Testing

@Suite("Fault actions")
struct FaultActionTests {
    @Test(
        "An action has the default phase of the language, or none",
        arguments: [
            (FaultAction.respond(ForcedResponse(status: 503)), FaultPhase.beforeCommit),
            (.delay(.fixed(.seconds(1))), .responseHead), (.drop(.chunk), .beforeCommit),
            (.drop(.answer), .afterCommit), (.headers(HeaderEdit()), .responseHead),
            (.range(.ignore), .beforeCommit), (.backend(.session(.expire)), .beforeCommit),
            (.hash(.wrong), .responseHead), (.throttle(rate: 1), .responseHead),
            (.raw([]), .responseHead), (.tls(.expired), .connect), (.stall(nil), nil),
            (.disconnect(.reset), nil), (.silence, nil), (.corrupt(.flip(1)), nil),
            (.hold(until: .gate(name: "g"), atMost: nil), nil),
            (.refuse(for: .seconds(1), .refuse), nil),
        ] as [(FaultAction, FaultPhase?)])
    func defaults(action: FaultAction, phase: FaultPhase?) {
        #expect(action.defaultPhase(for: .one(.download)) == phase)
    }

    @Test("Throttling an upload begins with its body, a connection has one phase")
    func byOperation() {
        let throttle = FaultAction.throttle(rate: 1)
        #expect(throttle.defaultPhase(for: .uploadBody) == .requestHead)
        #expect(throttle.defaultPhase(for: .one(.uploadMedia)) == .requestHead)
        #expect(FaultAction.silence.defaultPhase(for: .one(.connect)) == .connect)
    }

    @Test(
        "What is not carried out yet is named",
        arguments: [
            (FaultAction.framing(.lostChunk), FaultPhase.responseEnd),
            (.interim([]), .responseBody(.bytes(1))), (.length(.exactly(1)), .responseEnd),
            (.tls(.expired), .requestHead), (.expectContinue(.twice), .beforeCommit),
            (.stall(nil), .idle(.seconds(1))),
            (.respond(ForcedResponse(status: 503)), .responseEnd), (.hash(.wrong), .connect),
        ])
    func unsupported(action: FaultAction, phase: FaultPhase) {
        #expect(action.unsupported(at: phase) != nil)
    }

    @Test(
        "What is carried out is not named",
        arguments: [
            (FaultAction.respond(ForcedResponse(status: 503)), FaultPhase.requestHead),
            (.disconnect(.reset), .responseBody(.percent(50))), (.silence, .connect),
            (.tls(.expired), .connect),
            (.corrupt(.flip(1)), .responseBody(.bytes(0))), (.length(.none), .responseHead),
            (.raw([1]), .requestHead), (.drop(.chunk), .beforeCommit),
            (.refuse(for: .seconds(1), .refuse), .requestBody(.bytes(1))),
            (.backend(.server(.full(true))), .beforeCommit), (.stall(nil), .connect),
            (.refuse(for: .seconds(1), .blackhole), .responseEnd), (.throttle(rate: 1), .connect),
            (.corrupt(.drop(1)), .requestBody(.bytes(1))), (.expectContinue(.refuse), .requestHead),
            (.backend(.server(.full(true))), .beforeCommit), (.silence, .idle(.seconds(1))),
            (.framing(.lostChunk), .responseHead), (.framing(.lostChunk), .responseBody(.bytes(1))),
            (.interim([]), .responseHead), (.corrupt(.drop(1)), .responseBody(.bytes(1))),
            (.length(.exactly(1)), .responseHead), (.keepAlive(.closeAtNext), .responseEnd),
        ])
    func supported(action: FaultAction, phase: FaultPhase) {
        #expect(action.unsupported(at: phase) == nil)
    }
}
