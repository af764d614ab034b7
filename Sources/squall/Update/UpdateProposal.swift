import EventMatching
import Foundation
import RunModel
import Scenario
import StorageModel

/// What the expectations of failed scenarios would be if the client were right: a patch that nobody
/// applies here, and what cannot be said by one.
struct UpdateProposal {
    private(set) var patch: [UInt8] = []
    /// One line each: warnings, and what is left to a person.
    private(set) var remarks: [String] = []

    private struct Change: Hashable {
        var place: SourcePlace
        var value: ScenarioEdit.Value
    }

    /// - Parameters:
    ///   - plan: what was run, with the results in the same order.
    ///   - all: every row of the files, run or not.
    init(_ results: [ScenarioResult], _ plan: [PlannedScenario], all: [PlannedScenario]) {
        let planned = Dictionary(plan.map { ($0.id, $0) }) { one, _ in one }
        var changes: [String: [(id: String, change: Change)]] = [:]
        for result in results where result.verdict == .failed {
            guard let planned = planned[result.id] else { continue }
            warn(result)
            for failure in result.failures {
                if let change = change(failure, result, planned) {
                    changes[planned.file, default: []].append((result.id, change))
                }
            }
        }
        for (file, changes) in changes.sorted(by: { $0.key < $1.key }) {
            let rows = all.filter { $0.file == file }.map(\.id)
            propose(changes, file, rows: rows)
        }
        if patch.isEmpty { remarks.append("nothing to propose") }
    }

    private mutating func warn(_ result: ScenarioResult) {
        guard result.level == .must else { return }
        let rules = result.sources.joined(separator: ", ")
        remarks.append(
            "\(result.id) is a must (\(rules)): a rule is not changed by a client's mistake")
    }

    /// The value that a failure would have another for; nil where a person must look.
    private mutating func change(
        _ failure: Failure, _ result: ScenarioResult, _ planned: PlannedScenario
    ) -> Change? {
        func refuse(_ why: String) -> Change? {
            remarks.append("\(result.id): no change for '\(failure.sentence)': \(why)")
            return nil
        }
        if failure.kind == .invariant {
            return refuse("an invariant is never loosened")
        }
        guard planned.rewrites.isEmpty else {
            return refuse("the client's profile has rewritten what is expected")
        }
        guard let place = failure.place else { return refuse("the file says nothing about it") }
        let task = result.tasks.first { $0.name == failure.subject }
        switch failure.kind {
        case .events:
            guard let task else { return refuse("only the events of transfers are proposed") }
            return Change(place: place, value: .events(task.events))
        case .error:
            guard let task else { return refuse("only the errors of transfers are proposed") }
            let error = task.events.last { $0.kind == .failure }?.error
            let hasUnderlying =
                planned.scenario.expect.tasks.first { $0.name == task.name }?.error.map {
                    $0.value.status != nil || $0.value.transport != nil
                } ?? false
            return Change(place: place, value: .error(error, hasUnderlying: hasUnderlying))
        case .requests where planned.scenario.expect.requests?.first?.value.isWhole == true:
            let log = result.exchanges.filter {
                $0.operation != .connect && $0.operation != .preflight && $0.resendOf == nil
            }
            return Change(place: place, value: .requests(log))
        case .requests, .progress, .metadata, .time, .local, .completion, .result, .stored,
            .exchanges, .sessions, .tokens, .resources, .complaints, .ends, .invariant, .deadline,
            .budget, .client, .deadlock, .unfiredFault, .missedStep, .infrastructure:
            return refuse("this is for a person to change")
        }
    }

    private mutating func propose(
        _ changes: [(id: String, change: Change)], _ file: String, rows: [String]
    ) {
        guard let data = FileManager.default.contents(atPath: file) else {
            remarks.append("\(file) cannot be read any more")
            return
        }
        var edit = ScenarioEdit(Array(data), file: file)
        let byPlace = Dictionary(grouping: changes) { $0.change.place }
        for (place, wanted) in byPlace.sorted(by: { $0.key.line < $1.key.line }) {
            let values = Set(wanted.map(\.change.value))
            let missing = rows.filter { row in !wanted.contains { $0.id == row } }
            guard values.count == 1, let value = values.first, missing.isEmpty else {
                let why =
                    values.count > 1
                    ? "the rows would have different values there"
                    : "\(missing.count) other rows have the value too, as \(missing[0])"
                for (id, _) in wanted {
                    remarks.append(
                        "\(id): the value at \(place) cannot be changed for one row alone: \(why)")
                }
                continue
            }
            do throws(ScenarioEdit.Refusal) {
                try edit.put(value, at: place)
            } catch {
                remarks.append("\(wanted[0].id): \(error.sentence)")
            }
        }
        let plan = ScenarioLoader().read(edit.result, file: file, id: "update")
        if plan.isValid {
            patch += edit.patch(path: Self.relative(file))
        } else {
            remarks.append("\(file): the changed file would not be valid, so it is not proposed")
        }
    }

    /// As it is found from here, where the patch is taken.
    private static func relative(_ file: String) -> String {
        guard file.hasPrefix("/") else { return file }
        let here = FileManager.default.currentDirectoryPath + "/"
        return String(file.dropFirst(file.hasPrefix(here) ? here.count : 1))
    }

    /// The patch to standard output, the rest beside it.
    func tell() {
        for remark in remarks { Terminal.error("squall: update: \(remark)") }
        Terminal.write(String(decoding: patch, as: UTF8.self))
        if !patch.isEmpty {
            Terminal.error(
                "squall: update: no file was changed; to take the patch: git apply, or patch -p1")
        }
    }
}

extension RequestsExpectation.Part {
    fileprivate var isWhole: Bool { path == nil && after == nil && before == nil }
}
