import StorageModel

/// Reads a scalar word by word, and knows where each word stands.
struct WordScanner {
    struct Word {
        var text: String
        /// In characters from the text's start.
        var offset: Int
    }

    let node: YAMLNode
    private(set) var words: ArraySlice<Word>
    private let length: Int

    /// - Parameter shift: characters of the node's text before the part that is read.
    init(_ text: String, in node: YAMLNode, shift: Int = 0) {
        self.node = node
        var words: [Word] = []
        var current = ""
        var start = 0
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if scalar == " " {
                if !current.isEmpty { words.append(Word(text: current, offset: shift + start)) }
                current = ""
            } else {
                if current.isEmpty { start = index }
                current.unicodeScalars.append(scalar)
            }
        }
        if !current.isEmpty { words.append(Word(text: current, offset: shift + start)) }
        self.words = words[...]
        length = shift + scalars.count
    }

    var isAtEnd: Bool { words.isEmpty }

    var peek: String? { words.first?.text }

    /// The place of the next word, or of the end.
    var place: SourcePlace { node.place(atOffset: words.first?.offset ?? length) }

    mutating func next() -> Word? { words.popFirst() }

    /// All that is left, joined by single spaces.
    mutating func rest() -> String {
        defer { words = [] }
        return words.map(\.text).joined(separator: " ")
    }
}
