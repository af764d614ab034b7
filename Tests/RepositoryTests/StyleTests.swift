import Testing

@Suite("Style")
struct StyleTests {
    @Test("A source file has fewer than 400 lines, a test file fewer than 600")
    func fileLengths() throws {
        for file in try Repository.swiftFiles(below: "Sources", "Conformance") {
            #expect(file.lines.count < 400, "\(file.path) has \(file.lines.count) lines")
        }
        for file in try Repository.swiftFiles(below: "Tests") {
            #expect(file.lines.count < 600, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test("A function has fewer than 60 lines")
    func functionLengths() throws {
        for file in try Repository.swiftFiles(below: "Sources", "Conformance") {
            for function in functions(in: file) {
                #expect(
                    function.count < 60,
                    "\(file.path):\(function.lowerBound + 1) has \(function.count) lines")
            }
        }
    }

    @Test(
        "No source traps on purpose or throws errors away",
        arguments: ["try!", "fatalError(", "try? await", "@preconcurrency import"])
    func forbidden(text: String) throws {
        try expectNone(of: text, in: "Sources", "Conformance")
    }

    @Test(
        "Concurrency starts only where a loop can count it",
        arguments: [
            "Task {", "Task.detached", "DispatchQueue(", "DispatchQueue.global", "Thread(",
            "Mutex<", "Mutex(",
        ])
    func countedConcurrency(text: String) throws {
        // The product's API is given the user's queue and has one of its own; both are counted there.
        let queues = "Sources/CloudStorage/Transfer/DispatchCallbackQueue.swift"
        let exceptions = ["Sources/EventLoop/"] + (text == "DispatchQueue(" ? [queues] : [])
        try expectNone(of: text, in: "Sources", except: exceptions)
    }

    @Test(
        "No source sleeps to let something happen",
        arguments: ["usleep(", "Thread.sleep", "Task.sleep", "nanosleep("])
    func noSleeping(text: String) throws {
        // The ledger waits microseconds for the kernel, and says so there.
        try expectNone(of: text, in: "Sources", except: ["Sources/EventLoop/SocketLedger.swift"])
    }

    @Test("Nothing is left to be written later without an issue's number")
    func noLooseEnds() throws {
        for word in ["TODO", "FIXME"] { try expectNone(of: word, in: "Sources") }
    }

    private func expectNone(of text: String, in folders: String..., except: [String] = []) throws {
        for folder in folders {
            for file in try Repository.swiftFiles(below: folder)
            where !except.contains(where: file.path.hasPrefix) {
                for (index, line) in file.lines.enumerated() where !isComment(line) {
                    #expect(!contains(line, text), "\(file.path):\(index + 1): \(text)")
                }
            }
        }
    }

    /// Whether the text stands in the line as a word of its own: `StorageTask {` is no `Task {`.
    private func contains(_ line: String, _ text: String) -> Bool {
        line.ranges(of: text).contains { range in
            range.lowerBound == line.startIndex
                || !(line[line.index(before: range.lowerBound)].isLetter)
        }
    }

    private func isComment(_ line: String) -> Bool {
        line.drop { $0 == " " }.hasPrefix("//")
    }

    /// Line ranges of functions: from the line of `func`, `init` or an accessor's owner to the brace
    /// at the same indentation, as the formatter lays them out.
    private func functions(in file: Repository.File) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for (start, line) in file.lines.enumerated() where isFunction(line) {
            let indent = line.prefix { $0 == " " }
            let end = file.lines[(start + 1)...].firstIndex { $0 == indent + "}" }
            if let end, !line.hasSuffix("}") { found.append(start..<(end + 1)) }
        }
        return found
    }

    private func isFunction(_ line: String) -> Bool {
        guard !isComment(line) else { return false }
        let words = line.split(separator: " ")
        return words.contains("func") || words.contains { $0.hasPrefix("init(") }
    }
}
