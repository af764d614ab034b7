/// What nobody promises and every user counts on. The first twelve are the invariants.
extension RuleBook {
    static let robustnessRules: [(sentence: String, source: String, invariant: String?)] = [
        (
            "A task that was started ends with exactly one terminal event.",
            "firebase/firebase-ios-sdk#8724; firebase/firebase-android-sdk#322",
            "one-terminal"
        ),
        (
            "After the terminal event of a task no event of it comes.",
            "firebase-ios-sdk, FirebaseStorage/Sources/StorageObservableTask.swift",
            "nothing-after"
        ),
        (
            "A completion is called once and says the same as the terminal event.",
            "firebase/firebase-ios-sdk#8724; tus/TUSKit#159",
            "completion"
        ),
        (
            "Progress lies between nothing and the total, where the total is known.",
            "firebase-ios-sdk, FirebaseStorage/Tests/Integration/StorageIntegration.swift",
            "progress-bounds"
        ),
        (
            "The total of a transfer, once known, does not change.",
            "firebase/flutterfire#3723",
            "progress-total"
        ),
        (
            "Progress does not go backwards, unless the server was found to hold less.",
            "firebase-ios-sdk, FirebaseStorage/Tests/Integration/StorageIntegration.swift",
            "progress-monotone"
        ),
        (
            "Between the pause event and the resume event a transfer reports no progress.",
            "firebase-ios-sdk, FirebaseStorage/Sources/StorageUploadTask.swift",
            "quiet-while-paused"
        ),
        (
            "Pause events and resume events take turns.",
            "firebase-ios-sdk, FirebaseStorage/Sources/StorageUploadTask.swift",
            "alternation"
        ),
        (
            """
            At the success event the object at rest, or the local file, is one whole generation \
            equal to its source.
            """,
            """
            Cloud Storage documentation, "Data validation"
            """,
            "stored-bytes"
        ),
        (
            """
            A download that failed or was cancelled leaves no part of the object under the name \
            of its destination.
            """,
            """
            Foundation documentation, URLSessionDownloadTask: the file is moved into place when \
            it is whole
            """,
            "no-partial-file"
        ),
        (
            "After the failure event of a cancel no request with bytes of the object begins.",
            "firebase-ios-sdk, FirebaseStorage/Sources/StorageUploadTask.swift",
            "silent-after-cancel"
        ),
        (
            "No request of a client gives the server reason to complain of the protocol.",
            "Conformance/COMPLAINTS.md",
            "no-complaint"
        ),
        (
            """
            The number of retries and the time spent on them have a limit, and at the limit the \
            operation fails.
            """,
            "firebase-js-sdk, packages/storage/src/implementation/backoff.ts",
            nil
        ),
        (
            """
            Retries keep a growing distance, so that many clients at once do not hold down a \
            server that recovers.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionFetcher.m; Cloud Storage documentation, \
            "Retry strategy"
            """,
            nil
        ),
        (
            """
            No answer of a server, however often it comes, makes a client repeat a request \
            without delay.
            """,
            "firebase-ios-sdk, change log 10.5.0; abraunegg/onedrive#2825",
            nil
        ),
        (
            """
            A peer that falls silent is noticed after the idle timeout; no wait is without an \
            end.
            """,
            "curl, CURLOPT_LOW_SPEED_TIME; firebase/flutterfire#10852",
            nil
        ),
        (
            """
            When everything has ended, connections, sessions and tasks that nobody needs are \
            given back.
            """,
            """
            curl, CURLMOPT_MAXCONNECTS; firebase-ios-sdk, \
            FirebaseStorage/Sources/StorageObservableTask.swift
            """,
            nil
        ),
        (
            """
            A malformed or hostile answer ends the operation with an error: it neither ends the \
            process nor fills its memory.
            """,
            "RFC 9110, section 17",
            nil
        ),
        (
            "Transfers that run side by side do not disturb each other's events, bytes or errors.",
            "firebase/firebase-ios-sdk#16039; firebase/quickstart-ios#138",
            nil
        ),
        (
            "A call that comes too late, too early or twice changes nothing and harms nothing.",
            "firebase-ios-sdk, FirebaseStorage/Sources/StorageUploadTask.swift",
            nil
        ),
        (
            """
            A local file that changes, shrinks or vanishes while it is uploaded is never stored \
            as a mixture that counts as success.
            """,
            "Alamofire/Alamofire#3435; firebase/firebase-ios-sdk#2350",
            nil
        ),
        (
            "A failed transfer says what failed and keeps what the server or the transport told.",
            "firebase-ios-sdk, FirebaseStorage/Sources/StorageError.swift",
            nil
        ),
    ]
}
