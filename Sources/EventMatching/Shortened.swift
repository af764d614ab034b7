package import StorageModel

/// Texts of others, as far as they fit into a message.
enum Shortened {
    /// At most 80 characters, control characters made visible.
    static func text(_ text: String) -> String {
        let clean = PlainText.oneLine(String(text.prefix(81)))
        return clean.count > 80 ? clean.prefix(77) + "..." : clean
    }
}

extension TextTest {
    /// The test in words.
    package var text: String {
        switch self {
        case .equals(let wanted): "'\(wanted)'"
        case .absent: "absent"
        case .present: "present"
        case .contains(let part): "one that contains '\(part)'"
        case .matches(let glob): "one that matches '\(glob)'"
        }
    }
}
