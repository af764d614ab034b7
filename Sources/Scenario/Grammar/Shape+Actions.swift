import FaultEngine
import StorageModel

extension Shape {
    /// What actions take.
    var actionTable: KeyTable? { answerTable ?? timingTable ?? changeTable }

    private var answerTable: KeyTable? {
        switch self {
        case .respond: Self.respondTable
        case .retryAfterDate:
            KeyTable(keys: [required("date", .duration, "a date so far ahead")])
        case .answerBody:
            KeyTable(
                keys: [optional("json", .data, "JSON as YAML writes it")]
                    + Self.contentTable.keys,
                oneOf: [["json", "size", "text", "base64", "file"]],
                together: Self.contentTable.together)
        case .filler:
            KeyTable(keys: [required("size", .someSize, "so many bytes of filler, at most 16MiB")])
        case .headerEdit:
            KeyTable(keys: [
                optional("set", Self.headers, "fields that are added or replaced"),
                optional("remove", .list(.text), "names of fields that go"),
                optional("rename", .map(.text, keys: .any), "old name: new name"),
                optional("duplicate", .list(.text), "names of fields that come twice"),
            ])
        case .jsonEdit:
            KeyTable(keys: [
                optional("set", .map(.data, keys: .any), "by path (a.b): the new value"),
                optional("fill", .map(.anySize, keys: .any), "by path: a text of this size"),
                optional("remove", .list(.text), "paths that go"),
                optional("truncate", .anySize, "only so many bytes of the JSON are left"),
                optional("replace", .text, "this text instead of the JSON"),
            ])
        case .raw:
            KeyTable(
                keys: [
                    optional("text", .text, "the bytes of a text"),
                    optional("base64", .inner(.base64), "bytes in base64"),
                ], oneOf: [["text", "base64"]])
        case .interim:
            KeyTable(keys: [
                required("status", .integer(100...199), "the status"),
                optional("headers", .map(.text, keys: .any), "its fields"),
            ])
        case .redirect:
            KeyTable(
                keys: [
                    optional(
                        "times", .integer(1...100_000), "a chain of so many, and then the answer"),
                    optional("target", .text, "where to; self: the same target"),
                    optional(
                        "status", .integer(300...399), "301, 302, 303, 307 or 308; default 307"),
                ], oneOf: [["times", "target"]])
        default: nil
        }
    }

    private static let respondTable = KeyTable(
        keys: [
            optional("status", .integer(200...599), "the status"),
            optional("reason", .text, "the words behind the status"),
            optional("version", .any([.words(["1.0", "1.1"])]), "the HTTP version that it says"),
            optional("headers", headers, "further fields"),
            optional(
                "retry-after", .any([.duration, .shape(.retryAfterDate)]), "seconds, or a date"),
            optional("body", .shape(.answerBody), "the body"),
            optional("preset", .choice(AnswerPreset.self), "an answer of the provider's own"),
            optional(
                "upload-status", .choice(ForcedResponse.UploadStatus.self),
                "what X-Goog-Upload-Status says"),
        ], someOf: [["status", "preset"]])

    private static let headers = ValueKind.map(.any([.text, .shape(.filler)]), keys: .header)

    private var timingTable: KeyTable? {
        switch self {
        case .delay:
            KeyTable(
                keys: [
                    optional("uniform", .some(.duration), "any time between two"),
                    optional("normal", .shape(.normal), "normally distributed"),
                    optional("lognormal", .shape(.logNormal), "most short, few long"),
                    optional("list", .some(.duration), "one after the other; the last repeats"),
                ], oneOf: [["uniform", "normal", "lognormal", "list"]])
        case .normal:
            KeyTable(keys: [
                required("mean", .duration, "the middle"),
                required("deviation", .duration, "the standard deviation"),
            ])
        case .logNormal:
            KeyTable(keys: [
                required("median", .duration, "half of them are shorter"),
                required("sigma", .decimal, "how far they spread"),
                required("max", .duration, "none is longer"),
            ])
        case .hold:
            KeyTable(keys: [
                required("until", .trigger, "the moment that is waited for"),
                optional("at-most", .someDuration, "and no longer than this"),
            ])
        case .slice:
            KeyTable(keys: [
                required("size", .someSize, "bytes of a piece"),
                optional("gap", .duration, "the time between two"),
            ])
        case .continueDelay:
            KeyTable(keys: [required("delay", .duration, "100 Continue comes so late")])
        case .refuse:
            KeyTable(keys: [
                required("for", .someDuration, "how long"),
                optional(
                    "how", .choice(RefusalKind.self),
                    "refuse answers, blackhole is silent; default refuse"),
            ])
        case .slowHandshake:
            KeyTable(keys: [required("slow-handshake", .someDuration, "how long it takes")])
        case .keepAlive:
            KeyTable(
                keys: [
                    optional("close-after", .duration, "it is closed so long after the answer"),
                    optional("max-age", .duration, "it is ended at this age"),
                    optional(
                        "then", .choice(DisconnectManner.self),
                        "how it is ended at its age; default close"),
                ], oneOf: [["close-after", "max-age"]], together: [("then", with: "max-age")])
        default: nil
        }
    }

    private var changeTable: KeyTable? {
        switch self {
        case .corrupt:
            KeyTable(
                keys: ["flip", "zero", "random", "drop", "duplicate", "insert"].map {
                    optional($0, .someSize, "so many bytes: \($0)")
                }, oneOf: [["flip", "zero", "random", "drop", "duplicate", "insert"]])
        case .range:
            KeyTable(
                keys: [
                    optional(
                        "shift", .inner(.signedSize),
                        "it begins so many bytes further on; may be negative"),
                    optional("longer", .someSize, "it goes on for so many bytes more"),
                ], oneOf: [["shift", "longer"]])
        case .session:
            KeyTable(
                keys: [
                    optional("lock", .someDuration, "answers 423 for so long"),
                    optional("lose", .someSize, "so many confirmed bytes vanish"),
                    optional("claim", .anySize, "the received size that is told"),
                ], oneOf: [["lock", "lose", "claim"]])
        case .objectChange:
            KeyTable(
                keys: [
                    optional("delete", .text, "the path of an object that goes"),
                    optional("replace", .text, "the path of an object that becomes another"),
                    optional("touch", .text, "the path of an object that gets a new generation"),
                    optional("with", .content, "the new content"),
                ], oneOf: [["delete", "replace", "touch"]],
                together: [("with", with: "replace"), ("replace", with: "with")])
        case .tokenExpiry:
            KeyTable(keys: [required("expire", .name, "the token that is no longer valid")])
        case .server:
            KeyTable(
                keys: [
                    optional(
                        "restart", .words(["keep", "forget"]),
                        "with its upload sessions, or without"),
                    optional("skew", .duration, "its clock goes wrong by this"),
                    optional("full", .boolean, "true: it has no room for objects"),
                    optional("down", .duration, "how long the restart takes"),
                ], oneOf: [["restart", "skew", "full"]], together: [("down", with: "restart")])
        default: nil
        }
    }
}
