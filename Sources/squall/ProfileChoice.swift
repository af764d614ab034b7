import ClientDriver
import Scenario
import StorageModel

/// The profile that a command line, or a client's file, names.
struct ProfileChoice {
    let profile: Profile

    /// Reads it, and writes what is wrong with its file to standard error.
    ///
    /// - Parameters:
    ///   - text: a name or the path of a file; nil: `documented`.
    ///   - folder: what a path is relative to; empty: the working directory.
    ///   - place: where the text is written; nil: on the command line.
    /// - Throws: `UsageError` where it cannot be used.
    init(
        _ text: String?, relativeTo folder: String = "", at place: SourcePlace? = nil
    ) throws(UsageError) {
        let name = text ?? Profile.documentedName
        let loader = ProfileLoader(folder: Installation.profiles)
        let reading = FileRights.regained { loader.load(name, relativeTo: folder, at: place) }
        for diagnostic in reading.diagnostics { Terminal.error(diagnostic.text) }
        guard let profile = reading.profile else {
            throw UsageError("the profile '\(name)' cannot be used")
        }
        self.profile = profile
    }
}
