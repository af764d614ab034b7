package import ClientDriver
package import RunModel
package import Scenario
package import StorageModel

/// Holds what a client says of itself against what its file says of it.
package struct HelloCheck: Sendable {
    /// What makes the run red before its first scenario.
    package private(set) var problems: [RunReport.Problem] = []
    /// What somebody should know.
    package private(set) var remarks: [String] = []

    package init(_ hello: ClientHello, file: ClientFile) {
        if hello.name != file.name.value {
            remarks.append(
                "the client calls itself '\(hello.name)', and \(file.file) calls it "
                    + "'\(file.name.value)': is this the client that was meant?")
        }
        let line = Self.line(hello.capabilities)
        guard let pinned = file.capabilities else {
            remarks.append(
                "\(file.file) pins no capabilities, so that a client that loses one is only "
                    + "skipped more often; the line to add is `\(line)`")
            return
        }
        let missing = pinned.value.subtracting(hello.capabilities).sorted()
        if !missing.isEmpty {
            problems.append(
                RunReport.Problem(
                    .missingCapability,
                    "the client does not offer \(Self.words(missing)), which its file pins",
                    place: pinned.place))
        }
        let more = hello.capabilities.subtracting(pinned.value).sorted()
        if !more.isEmpty {
            let whole = Self.line(hello.capabilities.union(pinned.value))
            remarks.append(
                "the client offers \(Self.words(more)) as well, which its file does not pin; the "
                    + "line that does is `\(whole)`")
        }
    }

    /// The line of a client file that pins capabilities.
    package static func line(_ capabilities: Set<Capability>) -> String {
        "capabilities: [\(words(capabilities.sorted()))]"
    }

    private static func words(_ capabilities: [Capability]) -> String {
        capabilities.map(\.rawValue).joined(separator: ", ")
    }
}
