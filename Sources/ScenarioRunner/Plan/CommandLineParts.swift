/// The parts of a command line `squall run` that decide how a scenario runs, and the command that
/// repeats one scenario of it.
package struct CommandLineParts: Hashable, Sendable {
    /// As they were given; empty: the suite. They decide ids, and with them every draw.
    package var paths: [String]
    package var isRealTime = false
    /// Nil where none was given.
    package var timeScale: Double?
    /// The client under test; without it and without a file: the reference client.
    package var client: [String]?
    /// The port at which the client dials in.
    package var dialIn: UInt16?
    /// The client's file.
    package var clientFile: String?
    /// Name or file of the client's profile; nil where none was given.
    package var profile: String?

    package init(paths: [String] = []) { self.paths = paths }

    /// The command for a shell.
    ///
    /// - Parameters:
    ///   - id: the scenario's, with its row.
    ///   - seed: of the run that is to come again.
    package func repeating(_ id: String, seed: UInt64) -> String {
        var words = ["squall", "run"] + paths + ["--filter", id, "--seed", String(seed)]
        if let clientFile { words += ["--client", clientFile] }
        if let dialIn { words += ["--dial-in", String(dialIn)] }
        if isRealTime, client == nil, clientFile == nil, dialIn == nil {
            words.append("--real-time")
        }
        if let timeScale { words += ["--time-scale", String(timeScale)] }
        if let profile { words += ["--profile", profile] }
        if let client { words += ["--"] + client }
        return Self.shell(words)
    }

    /// The words of a command as a shell takes them.
    package static func shell(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:=+,@%".utf8.contains(byte)
            }
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
