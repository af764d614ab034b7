import EventMatching
import FaultEngine
import StorageModel

extension Shape {
    /// What is expected of tasks, observers and results.
    var expectationTable: KeyTable? {
        if Self.results.contains(self) { return resultTable }
        return switch self {
        case .expectation: Self.wholeExpectation
        case .task: Self.taskTable
        case .observer:
            KeyTable(keys: [optional("events", .eventPatterns, "all events that it got")])
        case .error: Self.errorTable
        case .underlying:
            KeyTable(keys: [
                optional("status", .statusTest, "the status of the answer"),
                optional(
                    "transport", .choice(TransportFault.self), "what happened on the connection"),
                optional("body", .textTest, "the body of the answer"),
            ])
        case .progress: Self.progressTable
        case .metadataTest: Self.metadataTests
        case .timeSince:
            KeyTable(keys: [
                required("since", .trigger, "the moment from which it is counted"),
                required("is", .numberTest(.duration), "how long it took"),
            ])
        case .ends:
            KeyTable(keys: [
                optional("success", .numberTest(.count), "rounds that ended well"),
                optional("failure", .numberTest(.count), "rounds that failed"),
            ])
        case .textTest:
            KeyTable(
                keys: [
                    optional("contains", .text, "it has this in it"),
                    optional("matches", .glob, "it fits this pattern"),
                ], oneOf: [["contains", "matches"]])
        case .contentTest: Self.contentTests
        case .eventSequence:
            KeyTable(
                keys: [
                    optional("any", .some(.eventPatterns), "one of several sequences"),
                    optional("sequence", .eventPatterns, "a sequence, several times"),
                    optional("quiet", .duration, "no event for so long"),
                    optional("times", .inner(.repetition), "how often the sequence comes"),
                ], oneOf: [["any", "sequence", "quiet"]], together: [("times", with: "sequence")])
        default: nil
        }
    }

    private static let wholeExpectation = KeyTable(keys: [
        optional(
            "stored", .map(.any([.words(["absent"]), .shape(.stored)]), keys: .any),
            "by path: what the backend holds"),
        optional(
            "requests",
            .any([.requestPatterns, .shape(.requestsPart), .list(.shape(.requestsPart))]),
            "the requests in the order in which they came, all of them or a part"),
        optional("exchanges", .list(.shape(.exchanges)), "what holds of all exchanges that fit"),
        optional("sessions", .shape(.sessions), "upload sessions"),
        optional("tokens", .shape(.tokensAsked), "how often the client asked for a token"),
        optional("resources", .shape(.resources), "what is left when all is over"),
        optional(
            "complaints", .any([.words(["none"]), .list(.choice(Complaint.Kind.self))]),
            "what the server complains of; default none"),
        optional("invariants", .shape(.invariants), "an invariant that is switched off, and why"),
        optional(
            "outcomes", .some(.shape(.expectation)),
            "several expectations, one of which holds whole"),
    ])

    private static let taskTable = KeyTable(keys: [
        optional("events", .eventPatterns, "all its events, in order"),
        optional("error", .any([.words(["none"]), .shape(.error)]), "how it failed"),
        optional("progress", .shape(.progress), "its progress"),
        optional("metadata", .shape(.metadataTest), "the metadata of its success"),
        optional("time", times, "by event: the time from the task's start"),
        optional(
            "local", .any([.words(["absent", "unchanged"]), .shape(.contentTest)]),
            "of a download: the local file"),
        optional("completion", .choice(CompletionExpectation.self), "default once"),
        optional("ends", .shape(.ends), "of a task of 'repeat': how the rounds ended"),
    ])

    private static let times = ValueKind.map(
        .any([.numberTest(.duration), .shape(.timeSince)]), keys: .moment)

    private static let errorTable = KeyTable(
        keys: [
            optional("code", .codes, "the error code"),
            optional("allow", .list(.codes), "several codes, each of which will do"),
            optional("underlying", .shape(.underlying), "what lies under it"),
            optional("message", .textTest, "its words"),
        ], apart: [("code", "allow")])

    private static let progressTable = KeyTable(keys: [
        optional("total", .any([.words(["unknown"]), .numberTest(.size)]), "the total"),
        optional("last", .numberTest(.size), "the last value"),
        optional("first", .numberTest(.size), "the first value"),
        optional("count", .numberTest(.count), "how many there were"),
        optional("falls", .numberTest(.count), "how often it went back"),
        optional("fraction", .numberTest(.plain), "the last fraction"),
    ])

    static let metadataTests = KeyTable(
        keys: (MetadataFields.settable + MetadataFields.given).map { name in
            optional(name, name == "size" ? .numberTest(.size) : .textTest, "the field \(name)")
        } + [optional("custom", .textTests, "fields of the user's own")])

    /// Content as a test: with `size` alone any number test.
    private static let contentTests = KeyTable(
        keys: contentTable.keys.map { key in
            key.name == "size"
                ? optional(
                    "size", .numberTest(.size), "the size alone, where no seed stands beside it")
                : key
        } + [
            optional("same-as", .text, "the source of an upload, or an object that was given"),
            optional(
                "any", .list(.any([.words(["absent"]), .shape(.contentTest)])), "one of several"),
        ], someOf: [["size", "text", "base64", "file", "same-as", "any"]],
        apart: contentPairs)

    static let contentPairs =
        pairs(["size", "text", "base64", "file", "same-as"])
        + ["seed", "zeros", "gzip"].map { ($0, "same-as") }

    /// Each two of them.
    static func pairs(_ names: [String]) -> [(String, String)] {
        names.indices.flatMap { one in names[(one + 1)...].map { (names[one], $0) } }
    }

    // MARK: Results

    private static let resultKeys = KeyTable(keys: [
        optional("error", .any([.words(["none"]), .shape(.error)]), "how it failed"),
        optional("time", times, "the time from its start"),
        optional("completion", .choice(CompletionExpectation.self), "default once"),
        optional("ends", .shape(.ends), "in 'repeat': how the rounds ended"),
    ])

    private var resultTable: KeyTable { Self.resultKeys + KeyTable(keys: resultValues) }

    private var resultValues: [KeyTable.Key] {
        switch self {
        case .urlResult: [optional("url", .textTest, "the URL")]
        case .fetchResult:
            [
                optional("status", .numberTest(.plain), "the status"),
                optional("content", Self.contentOrAbsent, "the bytes"),
                optional("header", .textTests, "header fields"),
            ]
        case .imageResult:
            [
                optional("states", .list(.text), "the states of the view, in order"),
                optional("origin", .textTest, "where the image came from"),
                optional("stale", .boolean, "whether it is an old one"),
                optional("content", Self.contentOrAbsent, "the bytes"),
            ]
        case .referenceResult:
            ["name", "path", "bucket", "parent"].map { optional($0, .textTest, "its \($0)") }
        case .snapshotResult:
            [
                optional("status", .textTest, "the task's state"),
                optional("completed", .numberTest(.size), "bytes transferred"),
                optional("total", .numberTest(.size), "bytes in all"),
                optional(
                    "metadata", .any([.words(["absent"]), .shape(.metadataTest)]), "its metadata"),
            ]
        case .listResult:
            [
                optional("items", .list(.text), "names of the objects, in order"),
                optional("prefixes", .list(.text), "the folders, in order"),
                optional("next", .boolean, "whether there is a next page"),
            ]
        case .metadataResult: Self.metadataTests.keys
        default: []
        }
    }

    private static let contentOrAbsent = ValueKind.any([.words(["absent"]), .shape(.contentTest)])
}
