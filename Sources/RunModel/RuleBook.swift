/// The published rules that scenarios cite, each in one sentence.
///
/// Source: the product pages "Upload files" and "Download files" for Apple platforms.
package enum RuleBook {
    /// The sentence of a rule such as `D14`; nil for a name that is no published rule.
    package static func sentence(for name: String) -> String? { sentences[name] }

    private static let sentences = [
        "D1":
            "The root of a bucket is a reference, and child references are reached from it by path.",
        "D2": "A reference tells its last segment as its name and everything as its full path.",
        "D3":
            "A reference can be made from a path, from a gs:// URL and from an escaped https:// URL.",
        "D4": "Uploading to the root reference is refused with a clear error.",
        "D5": "Data in memory and local files can be uploaded, and both give a task to manage.",
        "D6": "A completion gets either metadata or an error, never both, and only once.",
        "D7": "After an upload there is a download URL that fetches the object.",
        "D8": "Metadata tells name, size and content type; a type that the caller gives wins.",
        "D9": "Uploading a local file that is missing or must not be read fails with an error.",
        "D10": "An object can be downloaded into memory, into a local file, or by its URL.",
        "D11": "A download into memory fails when the object is larger than the allowed size.",
        "D12":
            "A download into a file gives a task, and its completion the file's URL or an error.",
        "D13": "The metadata of a stored object can be read and changed.",
        "D14": "Pausing, resuming and cancelling manage a transfer and raise the matching events.",
        "D15": "A cancelled transfer fails with an error that says that it was cancelled.",
        "D16": "An observer is attached to one kind of event, and a handle for it is returned.",
        "D17": "The resume event comes when a transfer starts and whenever it goes on.",
        "D18":
            "The progress event comes as data is transferred and tells completed and total bytes.",
        "D19": "The pause event comes whenever the transfer was paused.",
        "D20":
            "A transfer ends with the success event or the failure event, and errors come only there.",
        "D21": "A snapshot shows the task as it was at the moment of the event, and never changes.",
        "D22":
            "An upload's snapshot has the metadata being sent, and after success the stored metadata.",
        "D23": "The task of a snapshot can be paused, resumed and cancelled.",
        "D24": "Observers are removed one by one, by kind of event, or all at once.",
        "D25": "After success or failure all observers are removed.",
        "D26": "An error has a code of the published list, and the server's answer is kept on it.",
        "D27": "Without other rules a bucket takes requests of signed-in users alone.",
        "D28": "On the free plan executable files are refused.",
        "D29": "An image loader shows a placeholder until the image of a reference is there.",
    ]
}
