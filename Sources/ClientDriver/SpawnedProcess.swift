import CEpoll
import Glibc

/// A process that was started in a group of its own, with three pipes and a descriptor for its end.
struct SpawnedProcess {
    /// In the child's environment, and so in that of every process that it starts.
    static let markName = "SQUALL_CHILD"
    /// How the entry begins in the environment of every child of this process.
    static var markOfAll: String { "\(markName)=\(getpid())-" }

    let pid: pid_t
    /// Becomes readable when the process ended.
    let pidDescriptor: Int32
    let input: Int32
    let output: Int32
    let errorOutput: Int32
    let mark: String

    init(_ command: ChildCommand) throws(LinkFailure) {
        var pipes: [Int32] = []
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            guard cepoll_pipe(&ends) == 0 else {
                let number = errno
                for end in pipes { close(end) }
                throw LinkFailure(problem: Self.text(number))
            }
            pipes += ends
        }
        mark = "\(getpid())-\(UInt64.random(in: 0...(.max)))"
        var marked = command
        marked.environment[Self.markName] = mark
        let (number, pid) = Self.spawn(marked, [pipes[0], pipes[3], pipes[5]])
        for end in [pipes[0], pipes[3], pipes[5]] { close(end) }
        let ours = [pipes[1], pipes[2], pipes[4]]
        guard number == 0 else {
            for end in ours { close(end) }
            throw LinkFailure(problem: Self.text(number))
        }
        let descriptor = cepoll_pidfd(pid)
        guard descriptor >= 0 else {
            let number = errno
            kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            for end in ours { close(end) }
            throw LinkFailure(problem: Self.text(number))
        }
        for end in ours { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (input, output, errorOutput) = (ours[0], ours[1], ours[2])
        self.pid = pid
        pidDescriptor = descriptor
    }

    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

    /// - Parameter ends: become the child's descriptors 0, 1 and 2; it gets no others.
    static func spawn(
        _ command: ChildCommand, _ ends: [Int32]
    ) -> (error: Int32, pid: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (index, end) in ends.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(index))
        }
        cepoll_spawn_closefrom(&actions, 3)
        if let folder = command.folder {
            cepoll_spawn_chdir(&actions, folder)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var pid: pid_t = 0
        let number = withTextArray(command.words) { arguments in
            withTextArray(Self.environment(adding: command.environment)) { variables in
                posix_spawnp(&pid, command.words[0], &actions, &attributes, arguments, variables)
            }
        }
        return (number, pid)
    }

    private static func environment(adding given: [String: String]) -> [String] {
        var all: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            let name = text.prefix { $0 != "=" }
            if given[String(name)] == nil { all.append(text) }
            next += 1
        }
        return all + given.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    private static func withTextArray<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

extension SpawnedProcess {
    /// Ends processes that the child started and that left its group: they carry its mark.
    static func endStrays(marked mark: String) {
        // One of them may be starting another right now.
        for _ in 0..<10 where endStraysOnce(Array("\(markName)=\(mark)".utf8)) == 0 { return }
    }

    /// Returns how many there were.
    private static func endStraysOnce(_ wanted: [UInt8]) -> Int {
        var count = 0
        for pid in ProcessFile.pids() where pid != getpid() {
            if environment(of: pid).contains(where: { $0.elementsEqual(wanted) }) {
                kill(pid, SIGKILL)
                count += 1
            }
        }
        return count
    }

    /// Empty for a process that is gone, or not ours to look at.
    private static func environment(of pid: pid_t) -> [ArraySlice<UInt8>] {
        ProcessFile.text("/proc/\(pid)/environ").split(separator: 0)
    }
}
