import EventMatching
import RunModel
import Scenario
import StorageModel

// Lies about completions and complaints.
extension Falsifier {
    func completionDoubled(_ task: TaskRecord, _: inout Draw) -> [Falsification] {
        guard let called = task.completions.first, task.hasCompletion, !task.isCutOff else {
            return []
        }
        var told = task
        told.completions.append(called)
        return lies(.completionDoubled, "the completion of \(task.name) was called once more", told)
    }

    func completionMissing(_ task: TaskRecord, _: inout Draw) -> [Falsification] {
        let hasEnd = task.events.contains { $0.kind.isTerminal }
        guard task.completions.count == 1, task.hasCompletion, !task.isCutOff, hasEnd else {
            return []
        }
        var told = task
        told.completions = []
        return lies(.completionMissing, "the completion of \(task.name) was never called", told)
    }

    private func lies(
        _ kind: Control.Kind, _ what: String, _ told: TaskRecord
    ) -> [Falsification] {
        var noticers = invariant(.completion, told)
        if let expected = expectation(of: told)?.completion?.value {
            let isBroken = expected == .once ? told.completions.count != 1 : told.completions != []
            if isBroken { noticers.append(.expectation(.completion, subject: told.name)) }
        }
        return noticers.map { noticer in
            Falsification(kind, what, noticer: noticer) { $0.book.replace(told) }
        }
    }

    func complaintAdded(_ draw: inout Draw) -> [Falsification] {
        guard isComplaintFree, let exchange = draw.pick(evidence.exchanges) else { return [] }
        let complaint = Complaint(.unknownRoute, sentence: "a control has said so")
        let noticer: Noticer =
            expect.complaints == nil
            ? .invariant(.noComplaint, task: nil) : .expectation(.complaints, subject: nil)
        let what =
            "a complaint about \(exchange.operation.rawValue) (request \(exchange.ordinal)) was added"
        let lie = Falsification(.complaintAdded, what, noticer: noticer) { evidence in
            evidence.complaints.append(complaint)
            for index in evidence.exchanges.indices
            where evidence.exchanges[index].ordinal == exchange.ordinal {
                evidence.exchanges[index].complaints.append(complaint)
            }
        }
        return [lie]
    }

    /// True where no complaint of that kind may come.
    private var isComplaintFree: Bool {
        switch expect.complaints?.value {
        case nil: !(expect.invariants?.value.invariants.contains(.noComplaint) ?? false)
        case ComplaintsTest.none?: true
        case .names(let names)?: !names.contains(Complaint.Kind.unknownRoute.rawValue)
        }
    }
}
