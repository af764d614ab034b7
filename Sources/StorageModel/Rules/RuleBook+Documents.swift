/// What the product pages for Apple platforms promise.
extension RuleBook {
    static let documentRules: [(sentence: String, source: String)] = [
        (
            """
            The root of a bucket is a reference, and child references are reached from it by \
            path.
            """,
            """
            pages "Upload files" and "Download files", creating a reference
            """
        ),
        (
            "A reference tells its last segment as its name and everything as its full path.",
            """
            page "Upload files", creating a reference
            """
        ),
        (
            """
            A reference can be made from a path, from a gs:// URL and from an escaped https:// \
            URL.
            """,
            """
            page "Download files", creating a reference
            """
        ),
        (
            "Uploading to the root reference is refused with a clear error.",
            """
            page "Upload files", creating a reference
            """
        ),
        (
            "Data in memory and local files can be uploaded, and both give a task to manage.",
            """
            page "Upload files", from memory and from a local file
            """
        ),
        (
            "A completion gets either metadata or an error, never both, and only once.",
            """
            page "Upload files", from memory
            """
        ),
        (
            "After an upload there is a download URL that fetches the object.",
            """
            page "Upload files", from memory
            """
        ),
        (
            "Metadata tells name, size and content type; a type that the caller gives wins.",
            """
            page "Upload files", metadata of a file
            """
        ),
        (
            "Uploading a local file that is missing or must not be read fails with an error.",
            """
            page "Upload files", from a local file and errors
            """
        ),
        (
            "An object can be downloaded into memory, into a local file, or by its URL.",
            """
            page "Download files", the three ways
            """
        ),
        (
            "A download into memory fails when the object is larger than the allowed size.",
            """
            page "Download files", into memory
            """
        ),
        (
            "A download into a file gives a task, and its completion the file's URL or an error.",
            """
            page "Download files", into a local file
            """
        ),
        (
            "The metadata of a stored object can be read and changed.",
            """
            page "Download files", metadata of a file
            """
        ),
        (
            "Pausing, resuming and cancelling manage a transfer and raise the matching events.",
            """
            pages "Upload files" and "Download files", managing a transfer
            """
        ),
        (
            "A cancelled transfer fails with an error that says that it was cancelled.",
            """
            pages "Upload files" and "Download files", managing a transfer
            """
        ),
        (
            "An observer is attached to one kind of event, and a handle for it is returned.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "The resume event comes when a transfer starts and whenever it goes on.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "The progress event comes as data is transferred and tells completed and total bytes.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "The pause event comes whenever the transfer was paused.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            """
            A transfer ends with the success event or the failure event, and errors come only \
            there.
            """,
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "A snapshot shows the task as it was at the moment of the event, and never changes.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            """
            An upload's snapshot has the metadata being sent, and after success the stored \
            metadata.
            """,
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "The task of a snapshot can be paused, resumed and cancelled.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "Observers are removed one by one, by kind of event, or all at once.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "After success or failure all observers are removed.",
            """
            pages "Upload files" and "Download files", following a transfer
            """
        ),
        (
            "An error has a code of the published list, and the server's answer is kept on it.",
            """
            pages "Upload files" and "Download files", errors
            """
        ),
        (
            "Without other rules a bucket takes requests of signed-in users alone.",
            """
            pages "Upload files" and "Download files", the note on signing in and Security Rules
            """
        ),
        (
            "On the free plan executable files are refused.",
            """
            page "Upload files", the note on the free plan
            """
        ),
        (
            "An image loader shows a placeholder until the image of a reference is there.",
            """
            page "Download files", images with FirebaseUI
            """
        ),
    ]
}
