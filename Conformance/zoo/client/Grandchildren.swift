import Glibc

// Processes that outlive their parents, if nobody sees to it.
extension Deeds {
    static func children(_ kind: String) {
        switch kind {
        // The client goes on as if nothing were.
        case "leaves-child": start()
        case "leaves-session": start(flags: newSession)
        case "leaves-orphan": startThrough(clearing: false)
        case "leaves-bare-orphan": startThrough(clearing: true)
        // The client hangs, and its child has its pipes in its hands.
        case "hang-with-child":
            start()
            hang()
        case "hang-with-session":
            start(flags: newSession)
            hang()
        case "crash-with-session":
            start(flags: newSession)
            die(by: SIGKILL)
        default: break
        }
    }

    /// By a child that ends at once: what it started has no parent then, and a session of its own.
    private static func startThrough(clearing: Bool) {
        let script =
            clearing
            ? "exec env -i setsid \"$0\" linger \"$1\" &" : "setsid \"$0\" linger \"$1\" &"
        let pid = spawn("/bin/sh", ["sh", "-c", script, program, token])
        waitpid(pid, nil, 0)
    }

    private static func start(flags: Int32 = 0) {
        _ = spawn(program, [program, "linger", token], flags: flags)
    }

    private static let program = CommandLine.arguments.first ?? ""

    /// POSIX_SPAWN_SETSID of glibc, which the module leaves out.
    private static let newSession: Int32 = 0x80

    /// By which the processes of a run are found.
    private static let token =
        getenv("SQUALL_ZOO").flatMap { String(validatingCString: $0) } ?? "zoo"

    private static func spawn(_ path: String, _ words: [String], flags: Int32 = 0) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        posix_spawn(&pid, path, nil, &attributes, &arguments, environ)
        return pid
    }
}
