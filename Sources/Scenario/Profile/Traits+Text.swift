import StorageModel

extension Traits {
    /// The value of a trait, as a profile file writes it.
    package func text(_ trait: Trait) -> String {
        switch trait {
        case .startEvent: startEvent.rawValue
        case .closingProgress: closingProgress.rawValue
        case .progressEvents: progressEvents.rawValue
        case .progressUnit: progressUnit.rawValue
        case .progressTotal: progressTotal.rawValue
        case .pauseEvent: pauseEvent.rawValue
        case .memoryPause: memoryPause.rawValue
        case .refusedToken: refusedToken.rawValue
        case .cancelledEvent: cancelledEvent.rawValue
        case .cancelWhilePaused: cancelWhilePaused.rawValue
        case .cancelCommand: cancelCommand.rawValue
        case .lateObserver: lateObserver.rawValue
        case .retries: retries.text
        case .afterBreak: afterBreak.rawValue
        case .queryFailure: queryFailure.rawValue
        case .refusedWhileActive: refusedWhileActive.rawValue
        case .exhausted: exhausted.rawValue
        case .checksum: checksum.rawValue
        case .smallUpload: smallUpload.text
        case .chunks: chunks.text
        case .downloadResume: downloadResume.rawValue
        case .errorNames: errorNames.text
        }
    }
}

extension RetryHabit {
    /// As a profile file writes it.
    package var text: String {
        let statuses = statuses.map(\.text).joined(separator: ", ")
        let transport = transport.map(\.rawValue).joined(separator: ", ")
        return "{statuses: [\(statuses)], transport: [\(transport)], waits: \(waits.text)}"
    }
}

extension RetryHabit.Waits {
    /// As a profile file writes it.
    package var text: String {
        "{first: \(first.scenarioText), factor: \(Self.text(factor)), "
            + "longest: \(longest.scenarioText), overrun: \(Self.text(overrun))}"
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}

extension Traits.SmallUpload {
    var text: String {
        switch self {
        case .resumable: "resumable"
        case .multipart(let size): "{multipart-to: \(size.sizeText)}"
        case .media: "media"
        }
    }
}

extension Traits.Chunks {
    var text: String {
        switch self {
        case .settable: "settable"
        case .whole: "whole"
        case .fixed(let size): "{fixed: \(size.sizeText)}"
        case .doubling(let first, let most): "{doubling: \(first.sizeText)..\(most.sizeText)}"
        }
    }
}

extension ErrorNames {
    var text: String {
        var parts = Self.parts(all)
        for subject in Subject.allCases {
            guard let map = bySubject[subject], !map.isEmpty else { continue }
            parts.append("\(subject.rawValue): {\(Self.parts(map).joined(separator: ", "))}")
        }
        return "{\(parts.joined(separator: ", "))}"
    }

    private static func parts(_ map: [ErrorCode: [ErrorCode]]) -> [String] {
        map.sorted { $0.key.rawValue < $1.key.rawValue }.map { code, codes in
            let names = codes.map(\.rawValue)
            return "\(code.rawValue): "
                + (names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]")
        }
    }
}
