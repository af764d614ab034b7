/// The arguments of a tool, with placeholders in braces: `--output {file}`.
///
/// A group of arguments is left out when one of its placeholders has no value.
package struct OneShotTemplate: Hashable, Sendable {
    /// What a placeholder stands for. The raw value is the word between the braces.
    package enum Placeholder: String, Hashable, Sendable, CaseIterable {
        case host
        case port
        case bucket
        case object
        /// The object's path as one segment of a URL.
        case objectEscaped = "object-escaped"
        /// `http://HOST:PORT/v0/b/BUCKET/o`
        case base
        /// The local file: source of an upload, destination of a download or of what a URL gives.
        case file
        case contentType = "content-type"
        /// The metadata of an upload or of an update, as one line of JSON.
        case metadata
        case prefix
        case prefixEscaped = "prefix-escaped"
        case maxResults = "max-results"
        case pageToken = "page-token"
        /// Bytes that a download into memory may have.
        case maxSize = "max-size"
        /// Bytes of a chunk.
        case chunkSize = "chunk-size"
        case idleSeconds = "idle-seconds"
        /// How long something that fails is tried again.
        case retrySeconds = "retry-seconds"
        case token
        /// What `fetch` gets: a download URL.
        case url
        /// A folder that the tool may write into.
        case directory
        case seed
    }

    package enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    /// Arguments that stand or fall together.
    package struct Group: Hashable, Sendable {
        package var arguments: [[Part]]
        /// False: a placeholder without a value is empty.
        package var isOptional: Bool

        package init(_ arguments: [[Part]], isOptional: Bool) {
            self.arguments = arguments
            self.isOptional = isOptional
        }
    }

    package var groups: [Group]

    package init(_ groups: [Group]) { self.groups = groups }

    /// What is wrong with a text that was to be an argument.
    package enum Failure: Error, Hashable, Sendable {
        /// `{{` and `}}` stand for braces themselves.
        case openBrace(offset: Int)
        case unknown(String, offset: Int)
    }

    /// Takes one argument apart.
    package static func parts(of text: String) throws(Failure) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            let offset = rest.startIndex - 1
            switch scalar {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                plain.unicodeScalars.append(scalar)
                rest = rest.dropFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw .openBrace(offset: offset) }
                let word = String(String.UnicodeScalarView(rest[..<end]))
                guard let placeholder = Placeholder(rawValue: word) else {
                    throw .unknown(word, offset: offset)
                }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(.placeholder(placeholder))
                rest = rest[(end + 1)...]
            default: plain.unicodeScalars.append(scalar)
            }
        }
        if !plain.isEmpty || parts.isEmpty { parts.append(.text(plain)) }
        return parts
    }

    package func uses(_ placeholder: Placeholder) -> Bool {
        groups.contains { $0.arguments.contains { $0.contains(.placeholder(placeholder)) } }
    }

    /// The words of the command line.
    func words(_ values: [Placeholder: String]) -> [String] {
        groups.flatMap { group -> [String] in
            let needed = group.arguments.flatMap(\.self).compactMap { part -> Placeholder? in
                if case .placeholder(let placeholder) = part { placeholder } else { nil }
            }
            if group.isOptional, needed.contains(where: { values[$0] == nil }) { return [] }
            return group.arguments.map { argument in
                argument.map { part in
                    switch part {
                    case .text(let text): text
                    case .placeholder(let placeholder): values[placeholder] ?? ""
                    }
                }.joined()
            }
        }
    }
}
