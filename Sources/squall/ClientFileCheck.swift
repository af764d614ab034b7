import Glibc
import Scenario
import StorageModel

/// What a client file names outside of itself, held against what there is on this machine.
struct ClientFileCheck {
    private let file: ClientFile

    init(_ file: ClientFile) { self.file = file }

    /// What is wrong; empty where the client can be started.
    var diagnostics: [Diagnostic] { [suite, program].compactMap(\.self) }

    /// A client cannot be pinned to what is not there.
    private var suite: Diagnostic? {
        guard let pinned = file.suite, let installed = SuiteVersion(Installation.suiteVersion),
            pinned.value > installed
        else { return nil }
        return Diagnostic(
            place: pinned.place,
            message: "the client is pinned to suite \(pinned.value), and this is \(installed)")
    }

    /// The program must be there, and one that can be started.
    private var program: Diagnostic? {
        guard let command = file.command, let name = command.value.first else { return nil }
        guard name.contains("/") else {
            if Self.isInPath(name) { return nil }
            let isBeside = Self.isProgram(inFolder(name))
            return Diagnostic(
                place: command.place, message: "no folder of PATH has a program '\(name)'",
                suggestion: isBeside ? "./\(name)" : nil)
        }
        let path = inFolder(name)
        if Self.isProgram(path) { return nil }
        let why = access(path, F_OK) == 0 ? "is no program that can be started" : "is not there"
        return Diagnostic(place: command.place, message: "'\(path)' \(why)")
    }

    /// A path that the file names, as seen from our own working directory.
    private func inFolder(_ path: String) -> String {
        if path.hasPrefix("/") || file.folder == "." { return path }
        return (file.folder == "/" ? "" : file.folder) + "/" + path
    }

    private static func isInPath(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
        return path.split(separator: ":", omittingEmptySubsequences: false).contains { folder in
            isProgram((folder.isEmpty ? "." : folder) + "/" + name)
        }
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}
