import StorageModel

extension FaultRow {
    /// A scenario file that puts it to a client: `expect` says what the rule table says.
    package var scenarioText: String {
        var lines = [
            "# A row of the fault table: what is expected follows from what the fault is and from its rules.",
            "title: \(Self.quoted(title))",
            "about: \(Self.quoted(about))",
            "level: should",
            "class: extras",
            "tags: [generated]",
        ]
        if !sources.isEmpty { lines.append("source: [\(sources.joined(separator: ", "))]") }
        if beginsAnew { lines.append("needs: [session-restart]") }
        if !backend.isEmpty { lines.append("backend: {\(backend)}") }
        if !client.isEmpty { lines.append("client: {\(client)}") }
        if !faults.isEmpty { lines += ["faults:"] + faults.map { "  - \($0)" } }
        lines += ["steps:", "  - \(target.step)", "expect:"] + expectations.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `An upload recovers when its start meets early-answer, {respond: 503} @ request-head, once`
    private var title: String {
        let often = repetition == .each ? "each time" : "once"
        return
            "\(target.subject) \(outcome.verb) when \(target.request) meets \(fault.title(at: phase)), "
            + often
    }

    private var about: String {
        "To whoever sends the request the fault is '\(kind.rawValue)': \(kind.sentence)"
    }

    /// The rules that it follows from.
    private var sources: [String] {
        switch kind {
        case .passing, .broken: fault.wait == nil ? ["W18"] : ["W18", "W19"]
        case .lost: FaultTarget.bodies.contains(target) ? ["W18", "W6", "W7"] : ["W18"]
        case .refused: ["W17", "D26"]
        case .unsettled: FaultTarget.ofSession.contains(target) ? ["W20"] : ["W17", "D26"]
        case .gone: FaultTarget.ofSession.contains(target) ? ["W12"] : ["W17", "D26"]
        case .harmless, .stale, .untrusted, .falsified, .senseless, .overclaimed, .untold, .misfit,
            .replaced, .undecided:
            []
        }
    }

    /// True where a lost session has to be begun anew: not every client does.
    private var beginsAnew: Bool {
        FaultTarget.ofSession.contains(target) && kind == .gone
    }

    private var backend: String {
        var parts = [fault.backend].compactMap { $0 }
        if !target.isUpload {
            parts.append("objects: {\(FaultTarget.stored): {size: 200KiB, seed: 7}}")
        }
        return parts.joined(separator: ", ")
    }

    private var client: String {
        var parts = ["idleTimeout: 5s"]
        // Where no limit is reached none is set: a client whose limits are its own runs the row too.
        if outcome == .exhausts { parts.append("\(target.limit): 20s") }
        if target.isUpload, target != .uploadWhole { parts.append("chunkSize: 256KiB") }
        if let client = fault.client { parts.append(client) }
        return parts.joined(separator: ", ")
    }

    private var faults: [String] {
        var entries = [target.introduction].compactMap { $0 }
        var parts: [String] = []
        if phase == "connect" {
            parts.append("match: \"connect\(repetition == .each ? "" : "#1")\"")
        } else {
            parts.append("match: \"\(target.match(isEach: repetition == .each))\"")
        }
        parts.append("per: run")
        if let phase, phase != "connect" { parts.append("at: \(phase)") }
        if let commit = fault.commit { parts.append("commit: \(commit)") }
        if let action = fault.action { parts.append("do: \(action)") }
        if fault.mayMiss { parts.append("may-miss: true") }
        // A setting of the backend is no fault that fires.
        if fault.action != nil || fault.commit != nil {
            entries.append("{\(parts.joined(separator: ", "))}")
        }
        return entries
    }

    // MARK: What is expected

    private var expectations: [String] {
        var parts = ["it: {\(result.joined(separator: ", "))}"]
        if let stored { parts.append("stored: {\(FaultTarget.uploaded): \(stored)}") }
        var tests: [String] = []
        if let tries { tests.append("{match: \(target.operation), count: \(tries)}") }
        if let wait = fault.wait, outcome == .recovers, target != .downloadResumed, !target.isUpload
        {
            tests.append("{match: \(target.operation), gap: \">= \(wait)\"}")
        }
        // Both halves once: 100 KiB before the break, and 100 KiB by range.
        if target == .downloadResumed, [.harmless, .passing, .broken].contains(kind),
            [.passes, .recovers].contains(outcome)
        {
            tests.append("{match: download, downloaded: ..250KiB}")
        }
        if fault.changesTotal {
            parts.append("invariants: {except: [progress-total], why: the answers contradict}")
        }
        if !tests.isEmpty { parts.append("exchanges: [\(tests.joined(separator: ", "))]") }
        return parts
    }

    private var result: [String] {
        var parts: [String] = []
        if target.isTransfer {
            parts.append("events: \(events)")
        } else if outcome != .undecided {
            parts.append(code == nil ? "error: none" : "error: \(error)")
        }
        if target.isTransfer, code != nil { parts.append("error: \(error)") }
        if let time { parts.append("time: {end: \(time)}") }
        if let local { parts.append("local: \(local)") }
        return parts.isEmpty ? ["completion: once"] : parts
    }

    private var error: String {
        let code = code?.rawValue ?? ""
        guard outcome != .fails(.nonMatchingChecksum), let cause = fault.cause else {
            return "{code: \(code)}"
        }
        switch cause {
        case .status(let status): return "{code: \(code), underlying: {status: \(status)}}"
        case .transport(let fault):
            return "{code: \(code), underlying: {transport: \(fault.rawValue)}}"
        }
    }

    /// What a download leaves.
    private var local: String? {
        guard FaultTarget.downloads.contains(target), outcome != .undecided else { return nil }
        if code != nil { return "absent" }
        let isChanged = fault.action?.contains("{object: ") == true
        return isChanged ? nil : "{same-as: \(FaultTarget.stored)}"
    }

    /// What an upload leaves: one generation at most.
    private var stored: String? {
        guard target.isUpload, outcome != .undecided else { return nil }
        guard code != nil else { return "{same-as: it, generations: 1}" }
        let isApplied = phase.map { FaultCase.after.contains($0) } ?? false
        if fault.kind == .falsified || fault.kind == .overclaimed { return nil }
        guard FaultTarget.last.contains(target),
            isApplied || fault.action?.contains("redirect") == true
        else { return "absent" }
        return "{same-as: it, generations: 1}"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
