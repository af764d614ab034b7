/// Runs in which something misbehaves on purpose: each has to be noticed, by a rule that fits.
package enum SelfCheck {
    package struct Probe: Sendable {
        package let name: String
        package let mischief: Mischief
        /// One of these is to be broken.
        package let expected: Set<Violation.Rule>

        /// The rules that were seen broken.
        package func run(seed: UInt64) throws -> Set<Violation.Rule> {
            var settings = ScriptedStress.Settings(seed: seed, transitions: 4_000)
            settings.mischief = mischief
            settings.patience = 40
            let report = try ScriptedStress.run(settings)
            return Set(report.findings.flatMap(\.violations).map(\.rule))
        }
    }

    package static let scripted = [
        Probe(
            name: QueueMischief.swapsNeighbours.rawValue, mischief: .queue(.swapsNeighbours),
            expected: [.alternation, .quietWhilePaused, .nothingAfter, .order]),
        Probe(
            name: QueueMischief.runsTwice.rawValue, mischief: .queue(.runsTwice),
            expected: [.alternation, .oneTerminal, .progressMonotone, .nothingAfter]),
        Probe(
            name: QueueMischief.delays.rawValue, mischief: .queue(.delays),
            expected: [.quietWhilePaused]),
        Probe(
            name: QueueMischief.losesOne.rawValue, mischief: .queue(.losesOne),
            expected: [.missed, .alternation, .lastProgress]),
        Probe(
            name: "there are " + RunnerMischief.goesBeyondTotal.rawValue,
            mischief: .runner(.goesBeyondTotal), expected: [.progressBounds]),
        Probe(
            name: "there is " + RunnerMischief.changesTotal.rawValue,
            mischief: .runner(.changesTotal), expected: [.progressTotal]),
        Probe(
            name: "there is " + RunnerMischief.endsShort.rawValue, mischief: .runner(.endsShort),
            expected: [.lastProgress]),
    ]
}

extension SelfCheck {
    /// Falsified evidence of real transfers, and the rules one of which is to be broken.
    package static let transfers: [(mischief: TransferMischief, expected: Set<Violation.Rule>)] = [
        (.flipsByte, [.storedBytes]), (.storesTwice, [.oneGeneration]),
        (.leavesFile, [.noPartialFile]), (.hidesCancel, [.cancelCommand]),
        (.failsWithoutCause, [.expectedEnd]), (.keepsDescriptor, [.leftover]),
        (.keepsTask, [.leftover]),
    ]

    /// The rules that were seen broken.
    package static func run(
        _ mischief: TransferMischief, seed: UInt64, isAlone: Bool = true
    ) throws -> Set<Violation.Rule> {
        // Batch after batch until it is noticed: in few of them is an upload cancelled in its middle.
        var settings = TransferStress.Settings(seed: seed, transfers: 60 * TransferBatch.size)
        settings.mischief = mischief
        settings.patience = 1
        settings.isAlone = isAlone || mischief == .keepsDescriptor
        let report = try TransferStress.run(settings)
        return Set(report.findings.flatMap(\.violations).map(\.rule))
    }
}
