import EventLoop
import TestSupport
import Testing

@Suite("Test support")
struct TestSupportTests {
    @Test("A recorder's wait ends with what it waited for")
    func recorder() async throws {
        let recorder = Recorder<Int>()
        _ = try await runLoop { loop in
            for number in 0..<5 {
                loop.timer(after: .milliseconds(number)) { recorder.append(number) }
            }
            _ = await loop.sleep(for: .milliseconds(20))
        }
        #expect(try recorder.wait(count: 5) == [0, 1, 2, 3, 4])
    }

    @Test("A recorder's wait ends at its deadline, and says what came")
    func recorderDeadline() throws {
        let recorder = Recorder<Int>()
        recorder.append(7)
        let error = #expect(throws: DeadlinePassed.self) {
            try recorder.wait(count: 2, within: .milliseconds(10))
        }
        #expect(error?.description == "waited for 2 values, saw [\"7\"]")
    }

    @Test("A temporary directory is gone with its owner")
    func directory() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let written = try directory?.write("text", to: "a/b.txt")
        let path = try #require(written)
        #expect(try directory?.read("a/b.txt") == Array("text".utf8))
        #expect(try directory?.names == ["a"])
        directory = nil
        #expect(throws: (any Error).self) {
            try TemporaryDirectory.read(path)
        }
    }

    @Test("Errors of a body on a loop come out")
    func errors() async {
        await #expect(throws: CancellationError.self) {
            try await runVirtually { _ in throw CancellationError() }
        }
    }

    @Test("The process has descriptors, threads and memory")
    func process() {
        #expect(ProcessState.descriptorCount > 0)
        #expect(ProcessState.threadCount > 0)
        #expect(ProcessState.residentBytes > 0)
        #expect(ProcessState.privateBytes > 0)
    }
}
