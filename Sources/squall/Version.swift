/// The version of the tool; the suite has its own in `scenarios/VERSION`.
enum Version {
    static let tool = "0.1.0"
}
