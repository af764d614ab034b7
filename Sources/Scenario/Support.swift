/// The one table of what this version carries out; faults have their own in `FaultAction`.
///
/// A construct that stands in the language and not here is read, and refused at its place.
enum Support {
    /// The raw value names the construct in messages.
    enum Construct: String, CaseIterable {
        case aliveTasks = "'tasks' of 'resources'"
        case continuedUpload = "an upload that continues another"
        case destinationObstacle = "'destination' of a download"
        case gzipObject = "an object stored compressed"
        case link = "a link that goes down"
        case preconditions = "preconditions of an upload"
        case processes = "several processes"
        case resends = "the setting 'resends'"
        case restartClient = "the step 'restart-client'"
        case timedWireTriggers = "a wire trigger on 'idle'"
    }

    static func has(_ construct: Construct) -> Bool {
        switch construct {
        case .gzipObject, .link, .preconditions, .destinationObstacle, .resends, .continuedUpload,
            .restartClient:
            true
        case .aliveTasks, .processes, .timedWireTriggers: false
        }
    }
}
