import Fuzz
import Glibc

/// Shares the files out among workers, and goes on behind a file that ended one of them.
struct Supervisor {
    private let options: Options
    private let seed: UInt64
    private let mutator: Mutator
    private var tallies: [SharedTally] = []
    private(set) var deaths: [(file: Int, how: String)] = []
    private var started = 0

    init(_ options: Options, seed: UInt64, mutator: Mutator) {
        self.options = options
        self.seed = seed
        self.mutator = mutator
    }

    mutating func run() throws {
        let share = max(1, (options.count + options.jobs - 1) / options.jobs)
        let end = options.first + options.count
        var workers: [WorkerProcess] = []
        for job in 0..<options.jobs {
            let start = options.first + job * share
            if start < end { workers.append(try launch(start..<min(end, start + share))) }
        }
        var told = 0
        while !workers.isEmpty {
            var waits = workers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            poll(&waits, nfds_t(waits.count), 1_000)
            for index in workers.indices.reversed() {
                guard let end = workers[index].end() else { continue }
                let worker = workers.remove(at: index)
                guard case .died(let how) = end else { continue }
                let file = worker.tally[.current]
                deaths.append((file, how))
                Kept.put(mutator.file(file).bytes, "\(seed)-\(file).yaml", options.keep)
                print("FAILED: file \(file): \(how)")
                fflush(nil)
                if file + 1 < worker.numbers.upperBound {
                    workers.append(try launch((file + 1)..<worker.numbers.upperBound))
                }
            }
            if done / 100_000 > told {
                told = done / 100_000
                print("\(done) files, \(total(.loaded)) loaded")
                fflush(nil)
            }
        }
    }

    func total(_ field: SharedTally.Field) -> Int { tallies.reduce(0) { $0 + $1[field] } }

    /// Files that were looked at to their end.
    var done: Int {
        total(.refused) + total(.loaded) + total(.tooLong) + total(.findings)
    }

    /// CPU time in milliseconds of the slowest file, and its number.
    var slowest: (milliseconds: Int, file: Int) {
        let worst = tallies.max { $0[.slowest] < $1[.slowest] }
        return ((worst?[.slowest] ?? 0) / 1_000, worst?[.slowestFile] ?? 0)
    }

    private mutating func launch(_ numbers: Range<Int>) throws -> WorkerProcess {
        started += 1
        let path = "\(options.keep)/tally-\(getpid())-\(started)"
        let worker = try WorkerProcess(numbers, options, seed: seed, tallyPath: path)
        unlinkLater(path)
        tallies.append(worker.tally)
        return worker
    }

    /// The worker opens the file by its name; the folder is emptied of tallies at the end.
    private func unlinkLater(_ path: String) { TallyFiles.add(path) }
}

/// The files of tallies, which go when the program ends.
enum TallyFiles {
    nonisolated(unsafe) private static var paths: [String] = []

    static func add(_ path: String) { paths.append(path) }

    static func remove() {
        for path in paths { unlink(path) }
    }
}

/// Files that failed.
enum Kept {
    static func put(_ bytes: [UInt8], _ name: String, _ folder: String) {
        guard let file = fopen("\(folder)/\(name)", "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
