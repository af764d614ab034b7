import StorageModel

// What the answer says when its form is right, and what happens to the server as a whole.
extension FaultCase {
    private static let said: [String?] = [
        "request-head", "before-commit", "after-commit", "response-head",
    ]
    private static let both: [String?] = ["request-head", "before-commit"]

    static let content: [FaultCase] = [
        FaultCase(
            "wrong-hash", "{hash: wrong}", at: said, .falsified,
            on: [.download, .downloadToMemory]),
        FaultCase("wrong-hash", "{hash: wrong}", at: said, .misfit, on: [.downloadResumed]) {
            $0.repetitions = [.once]
        },
        FaultCase(
            "wrong-hash", "{hash: wrong}", at: said, .falsified,
            on: FaultTarget.last.union([.metadata, .metadataUpdate])),
        FaultCase(
            "wrong-hash", "{headers: {set: {x-goog-hash: \"crc32c=AAAAAA==\"}}}", .falsified,
            on: [.download, .downloadToMemory]),
        FaultCase(
            "wrong-hash",
            "{headers: {set: {x-goog-hash: \"md5=AAAAAAAAAAAAAAAAAAAAAA==\"}}}", .falsified,
            on: [.download, .downloadToMemory]),
        FaultCase("wrong-hash", "{hash: missing}", at: said, .harmless),
        FaultCase(
            "other-bytes", "{respond: {status: 200, body: {size: 200KiB, seed: 9}}}",
            at: ["before-commit", "response-head"], .undecided,
            on: [.download, .downloadToMemory]),
        FaultCase(
            "other-bytes",
            "{object: {replace: films/short.mp4, with: {size: 100KiB, seed: 9}}}",
            at: ["before-commit"], .replaced, on: [.download, .downloadToMemory]
        ) { $0.repetitions = [.once] },
        FaultCase("wrong-range", "{range: ignore}", at: both, .replaced, on: resumed) {
            $0.repetitions = [.once]
        },
        FaultCase("wrong-range", "{range: refuse}", at: both, .misfit, on: resumed) {
            $0.repetitions = [.once]
        },
        FaultCase("wrong-range", "{range: {shift: 100}}", at: both, .misfit, on: resumed) {
            $0.repetitions = [.once]
        },
        FaultCase("wrong-range", "{range: {longer: 100}}", at: both, .misfit, on: resumed) {
            $0.repetitions = [.once]
        },
        FaultCase(
            "moving-generation",
            "{object: {replace: films/short.mp4, with: {size: 200KiB, seed: 9}}}",
            at: both, .misfit, on: resumed
        ) { $0.repetitions = [.once] },
        FaultCase(
            "moving-generation", "{headers: {set: {ETag: \"other\"}}}", .misfit, on: resumed
        ) { $0.repetitions = [.once] },
        FaultCase(
            "moving-generation", "{headers: {set: {X-Goog-Generation: \"99\"}}}", .misfit,
            on: resumed
        ) { $0.repetitions = [.once] },
        FaultCase(
            "moving-generation", "{object: {touch: films/short.mp4}}", at: before, .harmless,
            on: [.download, .downloadToMemory, .downloadResumed, .metadata, .metadataUpdate]),
        FaultCase(
            "moving-generation", "{object: {delete: films/short.mp4}}", at: both, .gone,
            .status(404),
            on: [.download, .downloadToMemory, .downloadResumed, .metadata, .metadataUpdate]
        ) { $0.repetitions = [.once] },
        FaultCase(
            "moving-generation", "{object: {delete: films/short.mp4}}", at: after + inside + end,
            .harmless, on: [.download, .downloadToMemory, .metadata]),
        FaultCase(
            "wrong-json", "{json: {truncate: 20}}", at: said, .senseless, on: FaultTarget.withJSON),
        FaultCase(
            "wrong-json", "{json: {replace: \"<html>\"}}", at: said, .senseless,
            on: FaultTarget.withJSON),
        FaultCase(
            "wrong-json", "{json: {set: {size: [1, 2]}}}", at: said, .senseless,
            on: FaultTarget.last),
        FaultCase(
            "wrong-json", "{json: {set: {size: [1, 2], more: true}}}", at: said, .harmless,
            on: [.metadata, .metadataUpdate]),
        FaultCase(
            "wrong-json", "{json: {remove: [name, md5Hash]}}", at: said, .senseless,
            on: FaultTarget.last),
        FaultCase(
            "endless-list", "{json: {set: {items: [], nextPageToken: again}}}", .senseless,
            on: [.list]
        ) {
            $0.repetitions = [.each]
            $0.tries = "2"
        },
    ]

    private static let resumed: Set<FaultTarget> = [.downloadResumed]

    static let server: [FaultCase] = [
        FaultCase("ended-keep-alive", "{keep-alive: close-at-next}", .harmless, on: single),
        FaultCase(
            "ended-keep-alive", "{keep-alive: {close-after: 0s}}", .harmless, on: single),
        FaultCase(
            "ended-keep-alive", "{keep-alive: {max-age: 1s, then: reset}}", .harmless,
            on: single),
        FaultCase("ended-keep-alive", "{disconnect: close}", at: end, .harmless),
        FaultCase(
            "ended-keep-alive", "{disconnect: reset}", at: ["idle 1s"], .harmless, on: single),
        FaultCase(
            "slow-close", "[{delay: 300ms}, {disconnect: close}]", at: end, .harmless,
            on: single),
        FaultCase("slow-close", "{keep-alive: {close-after: 1s}}", .harmless),
        FaultCase("half-close", "{disconnect: half}", at: before, .broken),
        FaultCase("half-close", "{disconnect: half}", at: after, .lost, .transport(.closed)),
        FaultCase("half-close", "{disconnect: half}", at: inside, .lost) {
            $0.repetitions = [.once]
        },
        FaultCase("half-close", "{disconnect: half}", at: end, .harmless),
        restart("{restart: keep, down: 2s}", before, .broken),
        restart("{restart: keep, down: 2s}", after + inside, .lost),
        restart("{restart: keep}", before, .broken),
        restart("{restart: keep}", after + inside, .lost),
        restart(
            "{restart: forget, down: 2s}", before, .broken,
            FaultTarget.everywhere.subtracting(FaultTarget.ofSession)),
        restart("{restart: forget, down: 2s}", before, .gone, FaultTarget.bodies),
        FaultCase(
            "restart", "{server: {restart: forget, down: 2s}}", at: before, .gone,
            on: [.uploadQuery]
        ) {
            $0.repetitions = [.once]
            $0.tries = "2"
        },
        restart("{restart: forget, down: 2s}", after, .lost, FaultTarget.last),
        restart("{restart: keep}", end, .harmless, single),
        FaultCase(
            "restart", "{server: {restart: keep, down: 100s}}", at: before, .broken,
            .transport(.refused)
        ) { $0.lasts = true },
        FaultCase("wrong-clock", "{server: {skew: 8d}}", at: every, .harmless),
        FaultCase(
            "no-room", "{server: {full: true}}", at: ["request-head", "before-commit"],
            .passing, .status(507), on: FaultTarget.last
        ) {
            $0.lasts = true
            $0.tries = "2..6"
        },
        FaultCase(
            "no-room", "{server: {full: true}}", at: every, .harmless,
            on: FaultTarget.everywhere.subtracting(FaultTarget.uploads)),
    ]

    /// One request is all there is.
    private static let single = FaultTarget.first.subtracting([.uploadStart]).union([
        .uploadLast, .uploadWhole,
    ])

    private static func restart(
        _ how: String, _ phases: [String?], _ kind: FaultClass,
        _ targets: Set<FaultTarget> = FaultTarget.everywhere
    ) -> FaultCase {
        FaultCase("restart", "{server: \(how)}", at: phases, kind, on: targets) {
            $0.repetitions = [.once]
        }
    }
}
