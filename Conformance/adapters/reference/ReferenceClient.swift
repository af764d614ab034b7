import ClientDriver
import CloudStorage
import EventLoop
import Glibc
import ReferenceDriver

/// The reference client as a child process: the driver protocol on standard input and output.
///
/// `--behaviour NAME`: as which clients it behaves, `documented` or `apple`.
@main
enum ReferenceClient {
    static func main() {
        guard let behaviour = behaviour(CommandLine.arguments.dropFirst()) else {
            complain("wants nothing, or --behaviour documented or --behaviour apple")
            exit(2)
        }
        do throws(LoopError) {
            let loop = try EventLoop()
            try loop.start()
            loop.post {
                let driver = ReferenceDriver(loop: loop, handsOverFiles: true, behaviour: behaviour)
                DriverServer(loop: loop, driver: driver).start { exit($0) }
            }
            // The loop's thread ends the process.
            while true { pause() }
        } catch {
            complain("\(error)")
            exit(5)
        }
    }

    /// Nil for words that mean nothing.
    private static func behaviour(_ words: ArraySlice<String>) -> StorageBehaviour? {
        guard let option = words.first else { return .documented }
        guard option == "--behaviour", words.count == 2 else { return nil }
        return words.last.flatMap(StorageBehaviour.init(named:))
    }

    private static func complain(_ reason: String) {
        let text = "squall-reference-client: \(reason)\n"
        _ = write(STDERR_FILENO, text, text.utf8.count)
    }
}
