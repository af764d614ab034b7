import CEpoll
import Fuzz
import Glibc

/// This program once more, for a range of files, watched from outside.
struct WorkerProcess {
    /// How it ended; nil: it goes on.
    enum End: Equatable {
        case finished
        /// The file that it was at ended it, or was too much for it.
        case died(String)
    }

    let numbers: Range<Int>
    let tally: SharedTally
    private let pid: pid_t
    let descriptor: Int32
    /// The file that it was last seen at, and the CPU time that it had then.
    private var seen: (file: Int, cpu: Int) = (-1, 0)

    init(_ numbers: Range<Int>, _ options: Options, seed: UInt64, tallyPath: String) throws {
        self.numbers = numbers
        tally = try SharedTally(path: tallyPath)
        tally[.current] = numbers.lowerBound
        let words = [
            "/proc/self/exe", "--worker", tallyPath, "--seed", "\(seed)", "--first",
            "\(numbers.lowerBound)", "--count", "\(numbers.count)", "--keep", options.keep,
        ]
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pid: pid_t = 0
        let number = posix_spawn(&pid, words[0], nil, nil, copies + [nil], environ)
        guard number == 0 else {
            throw Corpus.Failure(text: "no worker: \(String(cString: strerror(number)))")
        }
        self.pid = pid
        descriptor = cepoll_pidfd(pid)
    }

    /// To be asked once a second, and when the descriptor is readable.
    mutating func end() -> End? {
        var status: Int32 = 0
        if waitpid(pid, &status, WNOHANG) == pid {
            close(descriptor)
            if status == 0, tally[.current] == numbers.upperBound { return .finished }
            let signal = status & 0x7F
            return .died(signal == 0 ? "exit code \(status >> 8)" : "signal \(signal)")
        }
        let (file, cpu) = (tally[.current], cpuSeconds)
        if file != seen.file { seen = (file, cpu) }
        guard cpu - seen.cpu > FuzzWorker.limit else { return nil }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        close(descriptor)
        return .died("more than \(FuzzWorker.limit) s of CPU time")
    }

    private var cpuSeconds: Int {
        var clock: clockid_t = 0
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return seen.cpu
        }
        return time.tv_sec
    }
}
