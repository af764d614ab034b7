import CloudStorage
import StorageModel

/// Mistakes drawn mechanically from the tables of the client: one transition, one constant or one header
/// field deleted, doubled or swapped.
package enum DrawnMutants {
    /// Some of all, in the order of the tables; the same for the same seed.
    ///
    /// - Parameter count: all of them where there are fewer.
    package static func draw(_ count: Int, seed: UInt64) -> [Mutant] {
        var random = SplitMix64(seed: SplitMix64.derive(seed, "mutants"))
        let all = all
        let chosen = Set(all.indices.shuffled(using: &random).prefix(count))
        return all.indices.filter(chosen.contains).map { all[$0] }
    }

    /// Every one that can be drawn.
    package static let all: [Mutant] = transitions + answers + breaks + headers + constants

    // MARK: Transitions

    private static let documented = TransferTable.documented

    private static let transitions: [Mutant] = TransferTable.Phase.allCases.flatMap { phase in
        TransferTable.Input.allCases.flatMap { input -> [Mutant] in
            guard let row = documented[phase, input] else { return [] }
            let place = "\(phase.rawValue).\(input.rawValue)"
            return [deleted(phase, input, row, place)]
                + row.effects.indices.flatMap { changed(phase, input, row, place, at: $0) }
        }
    }

    private static func deleted(
        _ phase: TransferTable.Phase, _ input: TransferTable.Input, _ row: TransferTable.Row,
        _ place: String
    ) -> Mutant {
        life(
            "life:\(place)-deleted",
            "does nothing for `\(input.rawValue)` while it is "
                + "`\(phase.rawValue)`", rules(of: row, input), says(of: row, input)
        ) { $0[phase, input] = nil }
    }

    private static func changed(
        _ phase: TransferTable.Phase, _ input: TransferTable.Input, _ row: TransferTable.Row,
        _ place: String, at index: Int
    ) -> [Mutant] {
        let effect = row.effects[index]
        let moment = "for `\(input.rawValue)` while it is `\(phase.rawValue)`"
        var lost = row
        lost.effects.remove(at: index)
        var doubled = row
        doubled.effects.insert(effect, at: index)
        var mutants = [
            life(
                "life:\(place)-without-\(effect.rawValue)-\(index)",
                "leaves `\(effect.rawValue)` out \(moment)", rules(of: row, input),
                says(of: row, input)
            ) { [lost] in $0[phase, input] = lost },
            life(
                "life:\(place)-doubled-\(effect.rawValue)-\(index)",
                "does `\(effect.rawValue)` twice \(moment)", rules(of: row, input),
                says(of: row, input)
            ) { [doubled] in $0[phase, input] = doubled },
        ]
        if index + 1 < row.effects.count {
            var swapped = row
            swapped.effects.swapAt(index, index + 1)
            mutants.append(
                life(
                    "life:\(place)-swapped-\(index)",
                    "does `\(effect.rawValue)` after `\(row.effects[index + 1].rawValue)` \(moment)",
                    rules(of: row, input), says(of: row, input)
                ) { [swapped] in $0[phase, input] = swapped })
        }
        return mutants
    }

    private static func life(
        _ name: String, _ mistake: String, _ rules: [String], _ says: [[String]],
        _ change: @escaping @Sendable (inout TransferTable) -> Void
    ) -> Mutant {
        Mutant(
            name, mistake, breaks: rules, says: says, isDrawn: true,
            .behaviour { behaviour in
                change(&behaviour.life.upload)
                change(&behaviour.life.fileDownload)
                change(&behaviour.life.memoryDownload)
            })
    }

    private static func rules(
        of row: TransferTable.Row, _ input: TransferTable.Input
    ) -> [String] {
        switch input {
        case .start: ["D17"]
        case .startInVain: ["D4", "D9"]
        case .pause: ["D14", "D19"]
        case .resume: ["D14", "D17"]
        case .cancel: ["D14", "D15"]
        case .progressed: ["D18"]
        case .stopped: ["D19"]
        case .finish, .succeeded, .failed: ["D20"]
        case .exceeded: ["D11"]
        }
    }

    /// What a line that names the mistake speaks of: the event that is missing or too much, or the end
    /// that does not come.
    private static func says(
        of row: TransferTable.Row, _ input: TransferTable.Input
    ) -> [[String]] {
        let told = row.effects.flatMap { effect -> [String] in
            switch effect {
            case .begin: ["not ended", "resume"]
            case .halt: ["pause"]
            case .abandon: ["cancel", "open upload sessions"]
            case .tellResume: ["resume"]
            case .tellPause: ["pause"]
            case .tellRise, .tellRest, .tellAgain: ["progress"]
            case .tellSuccess: ["success", "not ended"]
            case .tellFailure: ["failure", "not ended"]
            }
        }
        return (told + ["not ended", input.rawValue]).map { [$0] }
    }

    // MARK: Answers and breaks

    private static let answers: [Mutant] = {
        let rows = AnswerTable.documented.rows
        return rows.indices.flatMap { index -> [Mutant] in
            let row = rows[index]
            let status =
                row.statuses.count == 1
                ? "\(row.statuses.lowerBound)"
                : "\(row.statuses.lowerBound)-\(row.statuses.upperBound)"
            var mutants = [
                table(
                    "answers:\(status)-deleted-\(index)",
                    "does not know what \(status) means (row \(index + 1))", says(row, row)
                ) { $0.retries.answers.rows.remove(at: index) }
            ]
            guard index + 1 < rows.count, rows[index + 1].meaning != row.meaning else {
                return mutants
            }
            mutants.append(
                table(
                    "answers:\(status)-swapped-\(index)",
                    "takes \(status) for what the next row of answers means, and that for this",
                    says(row, rows[index + 1])
                ) { behaviour in
                    let next = behaviour.retries.answers.rows[index + 1].meaning
                    behaviour.retries.answers.rows[index + 1].meaning = row.meaning
                    behaviour.retries.answers.rows[index].meaning = next
                })
            return mutants
        }
    }()

    /// A refusal has its code in the line, what is tried again has an end that should not be, or none.
    private static func says(_ one: AnswerTable.Row, _ other: AnswerTable.Row) -> [[String]] {
        var words = ["\(one.statuses.lowerBound)", "\(other.statuses.lowerBound)"]
        for row in [one, other] {
            switch row.meaning {
            case .refused(let code): words.append("\(code)")
            case .retried, .refreshed, .sessionGone, .queried, .restarted:
                words += ["failure(", "ended with failure"]
            }
        }
        return words.map { [$0] }
    }

    private static let breaks: [Mutant] = TransportTable.documented.rows.keys
        .sorted { $0.rawValue < $1.rawValue }
        .map { fault in
            table(
                "breaks:\(fault.rawValue)-flipped",
                "tries `\(fault.rawValue)` again where it should not, or not where it should",
                [["failure("], ["retryLimitExceeded"], [fault.rawValue]]
            ) { $0.retries.breaks.rows[fault]?.isRetried.toggle() }
        }

    private static func table(
        _ name: String, _ mistake: String, _ says: [[String]],
        rules: [String] = ["D26"],
        _ change: @escaping @Sendable (inout StorageBehaviour) -> Void
    ) -> Mutant {
        Mutant(name, mistake, breaks: rules, says: says, isDrawn: true, .behaviour(change))
    }

    // MARK: Header fields

    private static let headers: [Mutant] = {
        let rows = RequestHeaders.standard.rows
        return rows.indices.flatMap { index -> [Mutant] in
            let name = rows[index].name
            let kind = name.lowercased()
            let says = [
                [name], ["failure("], ["never came"], ["complaint"], ["not ended"], ["contentType"],
            ]
            let rules = rules(ofField: name)
            var mutants = [
                table("headers:\(kind)-deleted", "never sends `\(name)`", says, rules: rules) {
                    $0.headers.rows.remove(at: index)
                },
                table("headers:\(kind)-doubled", "sends `\(name)` twice", says, rules: rules) {
                    $0.headers.rows.insert($0.headers.rows[index], at: index)
                },
            ]
            guard index + 1 < rows.count else { return mutants }
            mutants.append(
                table(
                    "headers:\(kind)-swapped",
                    "sends in `\(name)` what belongs into `\(rows[index + 1].name)`, and the other "
                        + "way round", says, rules: rules
                ) { behaviour in
                    let next = behaviour.headers.rows[index + 1].source
                    behaviour.headers.rows[index + 1].source = behaviour.headers.rows[index].source
                    behaviour.headers.rows[index].source = next
                })
            return mutants
        }
    }()

    private static func rules(ofField name: String) -> [String] {
        switch name {
        case "Authorization": ["D27"]
        case "X-Goog-Upload-Content-Type": ["D8"]
        case "Range": ["D10", "D14"]
        case "If-None-Match": ["D29"]
        case "Content-Type": ["D13"]
        default: ["D5"]
        }
    }

    // MARK: Constants

    private static let constants: [Mutant] = [
        constant("first-wait-tenfold", "waits ten times as long before its second try") {
            $0.retries.requests.firstWait *= 10
        },
        constant("first-wait-a-tenth", "waits a tenth of the time before its second try") {
            $0.retries.requests.firstWait = .milliseconds(100)
        },
        constant("longest-wait-tenfold", "lets its waits grow to ten minutes") {
            $0.retries.requests.longestWait *= 10
        },
        constant("longest-wait-a-tenth", "lets its waits grow to six seconds alone") {
            $0.retries.requests.longestWait = .seconds(6)
        },
        constant("waits-without-chance", "adds nothing by chance to its waits") {
            $0.retries.requests.jitter = .none
        },
        constant("no-renewals", "never renews a token") { $0.retries.renewals = 0 },
        constant("two-renewals", "renews a token twice") { $0.retries.renewals = 2 },
        constant("other-limit", "takes its limit for one of waits") {
            $0.retries.requests.limit = .waits
        },
        constant(
            "downloads-after-pause-alone", "loads anew after a break, and goes on after a pause"
        ) {
            $0.retries.downloads = .afterPauseOfFile
        },
    ]

    private static func constant(
        _ name: String, _ mistake: String,
        _ change: @escaping @Sendable (inout StorageBehaviour) -> Void
    ) -> Mutant {
        let says = [
            "gap", "growth", "401", "nothing more was expected", "time", "after", "ended", "asked",
            "failure(", "offset=",
        ]
        return table("constants:\(name)", mistake, says.map { [$0] }, change)
    }
}
