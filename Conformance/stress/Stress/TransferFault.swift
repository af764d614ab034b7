import CloudStorage
import StorageModel

/// A fault on one transfer, in the words of the scenario language, and what may come of it.
struct TransferFault: Hashable, Sendable {
    var text: String
    /// Codes with which the transfer may fail because of it; none: it is got over.
    var codes: Set<Int> = []
    /// The upload session is gone: another one may store the object.
    var losesSession = false
    /// What the server answers is not what it holds.
    var falsifies = false
    /// What is falsified cannot be told.
    var hidesChecksum = false

    static func random(
        _ direction: TransferPlan.Direction, path: String, isVirtual: Bool,
        _ random: inout SplitMix64
    ) -> TransferFault {
        let percent = Int.random(in: 0...100, using: &random)
        let ordinal = Int.random(in: 1...3, using: &random)
        let how = Bool.random(using: &random) ? "reset" : "close"
        // Longer and shorter than the silence after which the client gives an exchange up.
        let stall =
            isVirtual
            ? ["5s", "50s", "70s", "forever"].randomElement(using: &random)
            : ["5ms", "60ms", "400ms", "forever"].randomElement(using: &random)
        let time = stall ?? "1s"
        let table =
            switch direction {
            case .upload: uploads(path, ordinal, percent, how, time)
            case .download: downloads(path, ordinal, percent, how, time)
            }
        return table[Int.random(in: 0..<table.count, using: &random)]
    }

    private static func uploads(
        _ path: String, _ ordinal: Int, _ percent: Int, _ how: String, _ time: String
    ) -> [TransferFault] {
        let body = "upload.body#\(ordinal) path=\(path)"
        let passing = [
            "upload.start#1 path=\(path): respond 503",
            "upload.start#1 path=\(path) @ request-head: disconnect \(how)",
            "upload.start#1 path=\(path): drop answer",
            "\(body) @ request-body \(percent)%: disconnect \(how)",
            "\(body) @ request-head: disconnect \(how)",
            "\(body): respond 503",
            "\(body): respond 408",
            "\(body): respond {status: 429, retry-after: 3s}",
            "\(body): drop chunk",
            "\(body): drop answer",
            "\(body) @ response-head: delay \(time == "forever" ? "1s" : time)",
            "\(body) @ request-body \(percent)%: stall \(time)",
            "\(body) @ after-commit: stall \(time)",
            "upload.finalize#1 path=\(path): drop answer",
            "upload.finalize#1 path=\(path) @ after-commit: disconnect \(how)",
            "upload.finalize#1 path=\(path) @ response-body 50%: disconnect \(how)",
            "upload.query#1 path=\(path): respond 503",
            "upload.query#1 path=\(path) @ response-head: disconnect \(how)",
            "upload.query#1 path=\(path) @ request-head: stall \(time)",
        ]
        return passing.map { TransferFault(text: $0) } + [
            TransferFault(
                text: "upload.body#2 path=\(path): session expire",
                codes: codes(.objectNotFound, .unknown), losesSession: true),
            TransferFault(
                text: "\(body): respond {preset: permission-denied}", codes: codes(.unauthorized)),
            TransferFault(
                text: "upload.finalize#1 path=\(path): hash wrong",
                codes: codes(.nonMatchingChecksum), falsifies: true),
            TransferFault(
                text: "\(body) @ request-body \(percent)%: corrupt {flip: 1}",
                codes: codes(.nonMatchingChecksum), falsifies: true),
        ]
    }

    private static func downloads(
        _ path: String, _ ordinal: Int, _ percent: Int, _ how: String, _ time: String
    ) -> [TransferFault] {
        let any = "download#\(ordinal) path=\(path)"
        let passing = [
            "\(any): respond 503",
            "\(any): respond {status: 429, retry-after: 3s}",
            "\(any) @ request-head: disconnect \(how)",
            "\(any) @ response-head: disconnect \(how)",
            "\(any) @ response-body \(percent)%: disconnect \(how)",
            "\(any) @ response-body \(percent)%: stall \(time)",
            "\(any) @ response-head: stall \(time)",
            "\(any) @ response-head: delay \(time == "forever" ? "1s" : time)",
            "\(any) @ response-head: slice {size: 30000, gap: 2ms}",
            "download#2 path=\(path): range ignore",
            "download#2 path=\(path): range refuse",
        ]
        // A download that is begun anew is another transfer to the server, and meets the fault again.
        let falsified = codes(.nonMatchingChecksum, .retryLimitExceeded)
        return passing.map { TransferFault(text: $0) } + [
            TransferFault(text: "\(any): hash missing", hidesChecksum: true),
            TransferFault(text: "\(any): hash wrong", codes: falsified, falsifies: true),
            TransferFault(
                text: "\(any) @ response-body \(percent)%: corrupt {flip: 1}", codes: falsified,
                falsifies: true),
            TransferFault(
                text: "\(any): respond {preset: permission-denied}", codes: codes(.unauthorized)),
            TransferFault(
                text: "\(any): respond {preset: object-not-found}", codes: codes(.objectNotFound)),
        ]
    }

    private static func codes(_ codes: StorageErrorCode...) -> Set<Int> {
        Set(codes.map(\.rawValue))
    }
}
