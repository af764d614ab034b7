import FaultEngine

extension ScenarioFile {
    /// What stands in the way of serving the scenario without a client of ours: triggers that name
    /// a client's event or a step, and without TLS its faults. The diagnostics carry no source line.
    package func validateForServing(throughTLS: Bool = false) -> [Diagnostic] {
        let unable = throughTLS ? [] : faults.filter(\.needsTLS)
        return unable.compactMap { fault in
            fault.place.map { place in
                Diagnostic(place: place, message: "'tls' wants a server that speaks it: add --tls")
            }
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
