import CloudStorage

// Mistakes in how long and how often something is tried, and in what is kept between tries.
extension Mutants {
    private static func retries(
        _ name: String, _ mistake: String, breaks rules: [String], says: [String]...,
        change: @escaping @Sendable (inout StorageBehaviour.Retries) -> Void
    ) -> Mutant {
        Mutant(name, mistake, breaks: rules, says: says, .behaviour { change(&$0.retries) })
    }

    static let waits: [Mutant] = [
        retries(
            "no-limit", "tries again without an end", breaks: ["D26"],
            says: ["retryLimitExceeded"], ["not ended"]
        ) {
            $0.requests.limit = .nothing
            $0.requests.longestWait = .seconds(1 << 40)
        },
        retries(
            "no-wait", "tries again at once at first", breaks: ["D26"], says: ["exchanges"], ["gap"]
        ) { $0.requests.firstWait = .milliseconds(1) },
        retries(
            "waits-do-not-grow", "waits a second before each try", breaks: ["D26"],
            says: ["growth"], ["gap"]
        ) { $0.requests.longestWait = .seconds(1) },
        retries(
            "query-not-repeated", "fails when the server does not say what it holds",
            breaks: ["D26", "W18"], says: ["failure"]
        ) { $0.repeatsQueries = false },
        retries(
            "download-begun-anew", "loads everything again after a break or a pause",
            breaks: ["D14", "D18", "W27"], says: ["progress fell"], ["offset="], ["downloaded"]
        ) { $0.downloads = .never },
        retries(
            "upload-begun-anew-after-pause", "uploads everything again after a pause",
            breaks: ["D14", "W6", "W7"], says: ["upload.start"]
        ) { $0.pausedUploads = .beginsAnew },
        retries(
            "upload-begun-anew-after-break", "uploads everything again after a break",
            breaks: ["D14", "D20", "W6", "W39"], says: ["upload.start"], ["generations"]
        ) { $0.brokenUploads = .beginsAnew },
        retries(
            "body-repeated-after-break", "sends a broken body again without asking",
            breaks: ["D14", "W6"], says: ["upload.query"], ["offset-mismatch"]
        ) { $0.brokenUploads = .repeats },
        retries(
            "body-repeated-after-pause", "goes on after a pause without asking",
            breaks: ["D14", "W6"], says: ["upload.query"], ["offset-mismatch"]
        ) { $0.pausedUploads = .repeats },
        Mutant(
            "upload-checksum-unchecked", "does not compare the checksums of transfers",
            breaks: ["D26", "W30"], says: [["nonMatchingChecksum"], ["differ"]],
            .behaviour { $0.checks.comparesChecksums = false }),
        Mutant(
            "success-without-metadata", "takes a last answer without metadata for a failure",
            breaks: ["D6", "D20", "W32"], says: [["failure"], ["metadata"]],
            .behaviour { $0.checks.asksForMetadata = false }),
        Mutant(
            "progress-of-sent-bytes", "counts bytes that were sent and not those that were kept",
            breaks: ["D18"], says: [["progress"]],
            .behaviour { $0.progress.countsSentBytes = true }),
        Mutant(
            "progress-of-metadata", "counts the bytes of the metadata, too", breaks: ["D18"],
            says: [["progress"], ["total"]], .behaviour { $0.progress.countsMetadata = true }),
    ]
}
