import Fuzz
import Glibc

/// A worker: looks at its files and prints what it finds.
func work(_ options: Options, _ mutator: Mutator, _ seed: UInt64, _ tallyPath: String) throws {
    let tally = try SharedTally(path: tallyPath)
    let numbers = options.first..<(options.first + options.count)
    FuzzWorker(mutator).run(numbers, tally) { number, entry, sentence, texts in
        let name = "\(seed)-\(number)"
        Kept.put(entry.bytes, "\(name).yaml", options.keep)
        for (index, text) in texts.enumerated() {
            Kept.put(Array(text.utf8), "\(name)-written-\(index + 1).yaml", options.keep)
        }
        print("FAILED: file \(number): \(sentence)")
        fflush(nil)
    }
}

/// The whole run; returns what passed and what failed.
func supervise(
    _ options: Options, _ mutator: Mutator, _ seed: UInt64
) throws -> (passed: Int, failed: Int) {
    print("seed \(seed), \(options.count) files from \(options.first) on, \(options.jobs) at once")
    fflush(nil)
    var (passed, failed) = (0, 0)
    if options.checksItself {
        for (name, isNoticed) in SelfCheck.results(mutator) {
            print("\(isNoticed ? "ok" : "FAILED"): \(name) is noticed")
            if isNoticed { passed += 1 } else { failed += 1 }
        }
    }
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    var supervisor = Supervisor(options, seed: seed, mutator: mutator)
    try supervisor.run()
    TallyFiles.remove()
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let loaded = supervisor.total(.loaded)
    let findings = supervisor.total(.findings) + supervisor.deaths.count
    let slowest = supervisor.slowest
    print(
        "\(supervisor.done + supervisor.deaths.count) files in \(end.tv_sec - start.tv_sec) s: "
            + "\(loaded) loaded and mean the same written out, \(supervisor.total(.refused)) refused, "
            + "\(supervisor.total(.tooLong)) too long to write, \(findings) findings; the slowest "
            + "took \(slowest.milliseconds) ms (file \(slowest.file))")
    if supervisor.done + supervisor.deaths.count != options.count {
        print("FAILED: some files were never looked at")
        failed += 1
    }
    if findings > 0 { print("kept in \(options.keep)") }
    return (passed + supervisor.done - supervisor.total(.findings), failed + findings)
}

func complain(_ text: String) {
    let bytes = Array("squall-fuzz: \(text)\n".utf8)
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if options.asksHelp {
        print(Options.usage)
        exit(0)
    }
    mkdir(options.keep, 0o755)
    let seed = options.seed ?? UInt64.random(in: 0...UInt64(Int64.max))
    let mutator = Mutator(corpus: try Corpus(folders: options.folders), seed: seed)
    if let number = options.shown {
        let bytes = mutator.file(number).bytes
        _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    } else if let tally = options.tally {
        try work(options, mutator, seed, tally)
    } else {
        let (passed, failed) = try supervise(options, mutator, seed)
        print("\(passed) passed, \(failed) failed")
        exit(failed == 0 ? 0 : 1)
    }
} catch let mistake as Options.Mistake {
    complain("\(mistake.text)\n\n\(Options.usage)")
    exit(2)
} catch let failure as Corpus.Failure {
    complain(failure.text)
    exit(2)
}
