// What a row is called as a scenario.
extension FaultRow {
    /// `generated/upload.chunk/early-answer/respond-503/request-head/once`: the request, the fault, what it
    /// does, its moment, and how often it comes.
    package var id: String {
        [
            GeneratedMatrix.folder, target.segment, fault.fault, fault.segment, momentSegment,
            repetition.rawValue,
        ].joined(separator: "/")
    }

    /// The file that the row would be: nothing lies there.
    package var file: String { id + ".yaml" }

    private var momentSegment: String {
        IdentityText.segment(phase ?? fault.defaultMoment(of: target))
    }
}

extension FaultCase {
    /// What it does, as a segment of an id.
    fileprivate var segment: String {
        var parts = [action].compactMap { $0 }
        if let commit { parts.append("commit \(commit)") }
        // A setting that goes with an action is the same for all rows of the fault.
        if parts.isEmpty, let backend { parts.append(backend) }
        return IdentityText.segment(parts.joined(separator: " "))
    }

    /// The moment where none is written (SCENARIOS section 4); `always` for what is no fault but a setting.
    func defaultMoment(of target: FaultTarget) -> String {
        guard let action else { return commit == nil ? "always" : "before-commit" }
        let word = action.drop { !$0.isLetter }.prefix { $0.isLetter || $0 == "-" }
        switch word {
        case "continue": return "request-head"
        case "respond", "object", "session", "token", "range", "server": return "before-commit"
        case "drop": return action.contains("answer") ? "after-commit" : "before-commit"
        case "keep-alive": return "response-end"
        case "tls": return "connect"
        case "throttle", "slice":
            return FaultTarget.bodies.contains(target) ? "request-head" : "response-head"
        default: return "response-head"
        }
    }
}

extension FaultTarget {
    /// What it is called in ids.
    package var segment: String {
        switch self {
        case .uploadStart: "upload.start"
        case .uploadChunk: "upload.chunk"
        case .uploadLast: "upload.last-chunk"
        case .uploadWhole: "upload.whole"
        case .uploadQuery: "upload.query"
        case .download: "download.to-file"
        case .downloadToMemory: "download.to-memory"
        case .downloadResumed: "download.second-half"
        case .metadata: "metadata.get"
        case .metadataUpdate: "metadata.update"
        case .delete: "delete"
        case .list: "list"
        }
    }
}

/// Words of the language as a segment of an id: small letters, digits and single dashes.
enum IdentityText {
    static func segment(_ text: String) -> String {
        var segment = ""
        var before: Character = " "
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            if character.isASCII, character.isLetter || character.isNumber {
                segment += character.lowercased()
            } else if "+-".contains(character), next.isNumber, !before.isLetter, !before.isNumber {
                // `+100` and `-100` are two things.
                if let last = segment.last, last != "-" { segment += "-" }
                segment += character == "+" ? "plus-" : "minus-"
            } else if let last = segment.last, last != "-" {
                segment += "-"
            }
            before = character
        }
        if segment.last == "-" { segment.removeLast() }
        return segment
    }
}
