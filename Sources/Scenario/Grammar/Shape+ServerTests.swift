import EventMatching
import FaultEngine
import StorageModel

extension Shape {
    /// What is expected of the server's side.
    var serverTestTable: KeyTable? {
        switch self {
        case .stored: Self.storedTable
        case .requestsPart:
            KeyTable(keys: [
                optional("of", .inner(.address), "only those of this object"),
                optional("after", .trigger, "only those after this moment"),
                optional("before", .trigger, "only those before this moment"),
                required("are", .requestPatterns, "the requests, in order"),
            ])
        case .requestSequence:
            KeyTable(
                keys: [
                    optional("any", .some(.requestPatterns), "one of several sequences"),
                    optional("sequence", .requestPatterns, "a sequence, several times"),
                    optional("times", .inner(.repetition), "how often the sequence comes"),
                ], oneOf: [["any", "sequence"]], together: [("times", with: "sequence")])
        case .exchanges: Self.exchangeTests
        case .sessions:
            KeyTable(keys: [
                optional("open", .numberTest(.count), "still open"),
                optional("started", .numberTest(.count), "opened in all"),
                optional("fed", .numberTest(.count), "that got at least one byte"),
            ])
        case .tokensAsked:
            KeyTable(keys: [required("asked", .numberTest(.count), "how often")])
        case .resources:
            KeyTable(keys: [
                optional("tasks", .numberTest(.count), "tasks that are still alive"),
                optional("connections", .numberTest(.count), "connections that are still open"),
            ])
        case .invariants:
            KeyTable(keys: [
                required(
                    "except", .list(.choice(Invariant.self)), "the invariants that do not hold here"
                ),
                required("why", .text, "the reason"),
            ])
        default: nil
        }
    }

    private static let storedTable = KeyTable(
        keys: contentTable.keys.map { key in
            key.name == "size"
                ? optional(
                    "size", .numberTest(.size), "the size alone, where no seed stands beside it")
                : key
        } + [
            optional("same-as", .text, "the source of an upload, or an object that was given"),
            optional("any", .some(.any([.words(["absent"]), .shape(.stored)])), "one of several"),
            optional("generations", .numberTest(.count), "how often it was stored"),
            optional("metadata", .shape(.metadataTest), "its metadata"),
            optional(
                "versions", .list(.any([.words(["absent"]), .shape(.contentTest)])),
                "all its versions, the oldest first"),
        ],
        apart: contentPairs
            + (contentTable.names + ["same-as", "generations", "metadata", "versions"]).map {
                ($0, "any")
            })

    private static let exchangeTests = KeyTable(keys: [
        required("match", .inner(.match), "the exchanges that it is about"),
        optional("where", .shape(.exchangeFilters), "conditions that choose among them"),
        optional(
            "per", .choice(CountingScope.self), "what the ordinal is counted for; default transfer"),
        optional("after", .trigger, "only those after this moment"),
        optional("before", .trigger, "only those before this moment"),
        optional("any", .boolean, "true: one that fulfils the tests is enough"),
        optional("header", .textTests, "header fields"),
        optional("query", .textTests, "values of the query"),
        optional("json", .textTests, "members of a JSON body, by path"),
        optional("status", .statusTest, "the status that the client was sent"),
        optional("offset", .numberTest(.size), "where the body begins; of a download, the range"),
        optional("length", .numberTest(.size), "bytes of the body"),
        optional("declared", .numberTest(.size), "the size that the upload announced"),
        optional("uploaded", .numberTest(.size), "bytes of all bodies together"),
        optional("downloaded", .numberTest(.size), "bytes of all answers together"),
        optional("count", .numberTest(.count), "how many there are"),
        optional("gap", .numberTest(.duration), "time between neighbours"),
        optional("growth", .numberTest(.plain), "each gap by the one before"),
        optional("overlap", .boolean, "whether two are under way at once"),
        optional("connections", .numberTest(.count), "connections that they used"),
    ])
}
