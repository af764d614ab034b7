import Glibc

/// Looks at files one after the other.
package struct FuzzWorker {
    /// CPU seconds that one file may take.
    package static let limit = 10

    private let mutator: Mutator
    private let check: LoadCheck

    package init(_ mutator: Mutator, check: LoadCheck = LoadCheck()) {
        self.mutator = mutator
        self.check = check
    }

    /// - Parameter found: is told each finding: the file's number, its bytes, the sentence, the texts.
    package func run(
        _ numbers: Range<Int>, _ tally: SharedTally,
        found: (Int, Corpus.Entry, String, [String]) -> Void
    ) {
        for number in numbers {
            tally[.current] = number
            let start = Self.cpuMicroseconds()
            let entry = mutator.file(number)
            switch check.outcome(of: entry) {
            case .refused: tally[.refused] += 1
            case .loaded: tally[.loaded] += 1
            case .tooLong: tally[.tooLong] += 1
            case .finding(let sentence, let texts):
                tally[.findings] += 1
                found(number, entry, sentence, texts)
            }
            let time = Self.cpuMicroseconds() - start
            if time > tally[.slowest] {
                tally[.slowest] = time
                tally[.slowestFile] = number
            }
        }
        tally[.current] = numbers.upperBound
    }

    /// The CPU time of this process.
    private static func cpuMicroseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
