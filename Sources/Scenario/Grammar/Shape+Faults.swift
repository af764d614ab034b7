import FaultEngine
import StorageModel

extension Shape {
    /// A fault, and which exchanges it is for.
    var faultTable: KeyTable? {
        switch self {
        case .fault: Self.wholeFault
        case .filters: Self.filterTable
        case .exchangeFilters:
            Self.filterTable
                + KeyTable(keys: [
                    optional("status", .statusTest, "the status that the client was sent")
                ])
        case .action:
            KeyTable(
                keys: ScenarioDecoder.actionNames.map {
                    optional($0, Self.value(of: $0), Self.about($0))
                }, oneOf: [ScenarioDecoder.actionNames])
        default: nil
        }
    }

    private static let wholeFault = KeyTable(
        keys: [
            optional("name", .name, "a name, for triggers and reports"),
            required(
                "match", .inner(.match), "the operation, with an ordinal or without: upload.body#2"),
            optional("where", .shape(.filters), "conditions, all of which must hold"),
            optional(
                "at", .inner(.phase), "the moment in the life of the exchange: request-body 100KiB"),
            optional("commit", .inner(.commit), "what the server keeps of this request's body"),
            optional(
                "do",
                .any([
                    .words(["silence"]), .shape(.action),
                    .some(.any([.words(["silence"]), .shape(.action)])),
                ]), "one action, or a list that is carried out in order"),
            optional(
                "times", .any([.words(["always"]), .positive]),
                "how often it fires; default 1 for a single ordinal, else always"),
            optional(
                "per", .choice(CountingScope.self),
                "what ordinals and times are counted for; default transfer"),
            optional("chance", .percent, "of each exchange, drawn from the seed"),
            optional("may-miss", .boolean, "true: the scenario is not void when it never fires"),
        ], someOf: [["do", "commit"]])

    private static let filterTable = KeyTable(keys: [
        optional("path", .glob, "the object"),
        optional("bucket", .text, "its bucket"),
        optional("method", .text, "the HTTP method"),
        optional("target", .glob, "the raw target of the request"),
        optional("query", .textTests, "values of the query"),
        optional("header", .textTests, "header fields"),
        optional("json", .textTests, "members of a JSON body, by path: a.b"),
        optional("token", .name, "the token that it carries"),
        optional("session", .positive, "the n-th upload session"),
        optional("connection", .positive, "the n-th connection"),
        optional("reused", .boolean, "whether the connection had an exchange before"),
        optional("from", .duration, "its head was read then or later"),
        optional("until", .duration, "its head was read before"),
        optional("since", .trigger, "its head was read after this moment"),
    ])

    /// What an action takes.
    private static func value(of action: String) -> ValueKind {
        switch action {
        case "respond": .any([.integer(200...599), .shape(.respond)])
        case "delay": .any([.duration, .shape(.delay)])
        case "drop": .choice(Dropped.self)
        case "hold": .any([.trigger, .shape(.hold)])
        case "stall": .any([.words(["forever"]), .duration])
        case "disconnect": .choice(DisconnectManner.self)
        case "silence": .any([.null, .words(["true"])])
        case "throttle": .rate
        case "slice": .shape(.slice)
        case "corrupt": .shape(.corrupt)
        case "headers": .shape(.headerEdit)
        case "json": .shape(.jsonEdit)
        case "length": .inner(.declaredLength)
        case "framing": .choice(FramingFault.self)
        case "raw": .shape(.raw)
        case "interim": .some(.any([.integer(100...199), .shape(.interim)]))
        case "continue": .any([.words(["withhold", "refuse", "twice"]), .shape(.continueDelay)])
        case "refuse": .any([.someDuration, .shape(.refuse)])
        case "range": .any([.words(["ignore", "refuse"]), .shape(.range)])
        case "hash": .choice(HashFault.self)
        case "redirect": .any([.text, .shape(.redirect)])
        case "tls": .any([.words(TLSFault.words.map(\.word)), .shape(.slowHandshake)])
        case "keep-alive": .any([.words(["close-at-next"]), .shape(.keepAlive)])
        case "session": .any([.words(["expire", "cancel"]), .shape(.session)])
        case "object": .shape(.objectChange)
        case "token": .shape(.tokenExpiry)
        case "server": .shape(.server)
        case "link": .shape(.linkState)
        default: .data
        }
    }

    private static func about(_ action: String) -> String {
        switch action {
        case "respond": "answers this instead of the backend"
        case "delay": "waits before it goes on"
        case "drop": "loses the body (chunk) or the answer (answer)"
        case "hold": "stands still until a moment came"
        case "stall": "stands still for a time, or for ever"
        case "disconnect":
            "ends the connection: close (FIN), reset (RST) or half (FIN, reading goes on)"
        case "silence": "reads and sends nothing more"
        case "throttle": "slows down to a rate from here on"
        case "slice": "goes on in pieces with gaps"
        case "corrupt": "falsifies bytes from here on"
        case "headers": "changes the head of the answer"
        case "json": "changes the JSON of the answer"
        case "length": "declares this Content-Length"
        case "framing": "breaks the chunked coding"
        case "raw": "sends these bytes instead of head and body"
        case "interim": "sends 1xx answers first"
        case "continue": "what becomes of Expect: 100-continue"
        case "refuse": "takes no connection for a time"
        case "range": "what a download by range gets"
        case "hash": "falsifies or leaves out the hashes of the object"
        case "redirect": "sends the client to another target"
        case "tls": "a fault of the TLS handshake"
        case "keep-alive": "how the kept connection ends"
        case "session": "changes the upload session"
        case "object": "changes an object"
        case "token": "makes a token invalid"
        case "server": "restarts or changes the server"
        default: "changes the network"
        }
    }

    /// Actions that a step has, too.
    static let backendActions = KeyTable(
        keys: ScenarioDecoder.backendActionNames.map { optional($0, value(of: $0), about($0)) },
        oneOf: [ScenarioDecoder.backendActionNames])
}
