/// How a child process is started.
package struct ChildCommand: Hashable, Sendable {
    /// Program and arguments; at least the program, which is found by our own PATH where it has no slash.
    package var words: [String]
    /// Added to our own environment.
    package var environment: [String: String]
    /// The working directory, from which a relative path of the program is looked up as well; nil: ours.
    package var folder: String?

    package init(
        _ words: [String], environment: [String: String] = [:], folder: String? = nil
    ) {
        precondition(!words.isEmpty)
        self.words = words
        self.environment = environment
        self.folder = folder
    }
}
