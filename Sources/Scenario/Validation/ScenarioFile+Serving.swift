import FaultEngine

extension ScenarioFile {
    /// What stands in the way of serving the scenario without a client of ours: triggers that name
    /// a client's event or a step, and faults that this kind of connection cannot have. The
    /// diagnostics carry no source line.
    package func validateForServing(throughTLS: Bool = false) -> [Diagnostic] {
        faults.compactMap { fault in
            guard let place = fault.place, let text = fault.obstacle(throughTLS: throughTLS) else {
                return nil
            }
            return Diagnostic(place: place, message: text)
        }
            + serverTriggers.compactMap { placed in
                Self.clientPart(of: placed.value).map { what in
                    Diagnostic(
                        place: placed.place,
                        message: "a served scenario has no client, so there is never \(what)")
                }
            }
    }

    private static func clientPart(of trigger: Trigger) -> String? {
        switch trigger {
        case .task(let event): "an event of the task '\(event.task)'"
        case .result(let name, _): "the result '\(name)'"
        case .step(let name): "the step '\(name)'"
        case .all(let triggers): triggers.lazy.compactMap(clientPart).first
        case .wire, .fault, .time, .gate: nil
        }
    }
}
