import StorageModel

extension ScenarioDecoder {
    private static let entryKeys = ["scenario", "failure", "reason", "link", "expires", "count"]

    /// The lists of a client's file: the values of `known-failing`, `known-flaky`, `flaky-limit`.
    ///
    /// An entry with a mistake is reported and left out. A key without a value is an empty list: so
    /// stands a list whose entries were all made comments.
    func knownLists(
        failing: YAMLNode?, flaky: YAMLNode?, flakyLimit: YAMLNode? = nil
    ) -> KnownLists {
        var lists = KnownLists()
        lists.failing = entries(failing).compactMap {
            knownEntry($0, "an entry of known-failing", isFlaky: false)
        }
        lists.flaky = entries(flaky).compactMap {
            knownEntry($0, "an entry of known-flaky", isFlaky: true)
        }
        if let flakyLimit, let limit = integer(flakyLimit, in: 0...100) { lists.flakyLimit = limit }
        return lists
    }

    private func entries(_ node: YAMLNode?) -> [YAMLNode] {
        guard let node, !node.isNull else { return [] }
        return list(node)
    }

    private func knownEntry(_ node: YAMLNode, _ what: String, isFlaky: Bool) -> KnownEntry? {
        let keys = isFlaky ? Self.entryKeys + ["limit"] : Self.entryKeys
        guard let reader = MappingReader(node, what, keys: keys, self) else { return nil }
        let pattern = reader.require("scenario", scenarioPattern)
        let failure = reader.read("failure", failureTexts)
        let reason = reader.require("reason") {
            self.filled($0, "'reason' is empty: say what is known, for whoever reads it next")
        }
        let link = reader.require("link", link)
        let expires =
            isFlaky ? reader.require("expires", calendarDay) : reader.read("expires", calendarDay)
        let limit = reader.read("limit") { self.integer($0, in: 2...10) }
        let count = reader.read("count") { self.integer($0, in: 1...10_000) }
        guard let pattern, let reason, let link, !isFlaky || expires != nil else { return nil }
        return KnownEntry(
            pattern: pattern, failure: failure ?? [], reason: reason, link: link,
            expires: expires, limit: isFlaky ? limit ?? KnownEntry.defaultTries : nil,
            count: count, place: node.place)
    }

    private func scenarioPattern(_ node: YAMLNode) -> ScenarioPattern? {
        guard
            let text = filled(
                node, "'scenario' is empty: it takes an id as 'squall list' prints it")
        else { return nil }
        let pattern = ScenarioPattern(text)
        guard pattern.namesTopic else {
            error(
                "'\(text)' begins with a wildcard and would fit what nobody has looked at: begin "
                    + "with the topic, as in 'retry/**'", at: node.place)
            return nil
        }
        return pattern
    }

    /// One text, or a list of them.
    private func failureTexts(_ node: YAMLNode) -> [String]? {
        let empty = "'failure' is empty: it takes words of the failure as the report shows it"
        guard let nodes = node.sequence else { return filled(node, empty).map { [$0] } }
        if nodes.isEmpty { error(empty, at: node.place) }
        let texts = nodes.compactMap { filled($0, empty) }
        return texts.isEmpty ? nil : texts
    }

    private func calendarDay(_ node: YAMLNode) -> CalendarDay? {
        guard let text = filled(node, "'expires' is empty: it takes a day, as 2027-01-31") else {
            return nil
        }
        guard let day = CalendarDay(text) else {
            error(
                "'\(text)' is no day of the calendar, which is written 2027-01-31", at: node.place)
            return nil
        }
        return day
    }

    private func link(_ node: YAMLNode) -> String? {
        guard let text = filled(node, "'link' is empty: say where more is said of it") else {
            return nil
        }
        guard Self.isWebAddress(text) || Self.isPageWithAnchor(text) else {
            error(
                "'\(text)' is no link: https://..., or a page of the repository with an anchor, "
                    + "as docs/KNOWN.md#upload-cut", at: node.place)
            return nil
        }
        return text
    }

    /// A text with more than white space in it.
    private func filled(_ node: YAMLNode, _ emptiness: String) -> String? {
        let isBlank = node.scalar?.allSatisfy(\.isWhitespace) ?? false
        guard !node.isNull, !isBlank else {
            error(emptiness, at: node.place)
            return nil
        }
        return text(node)
    }

    private static func isWebAddress(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else {
            return false
        }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return host.contains { $0.isLetter || $0.isNumber } && isSolid(text)
    }

    private static func isPageWithAnchor(_ text: String) -> Bool {
        guard let hash = text.firstIndex(of: "#"), !text.hasPrefix("/"), !text.contains(":") else {
            return false
        }
        let page = text[..<hash]
        return page.contains(".") && !page.hasSuffix("/") && text[hash...].count > 1
            && isSolid(text)
    }

    /// Whether nothing in it ends a link: no white space, no control characters.
    private static func isSolid(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value > 0x20 && !$0.properties.isWhitespace }
    }
}
