import ClientDriver
import EventLoop
import Glibc
import ReferenceDriver

/// The reference client as a child process: the driver protocol on standard input and output.
@main
enum ReferenceClient {
    static func main() {
        do throws(LoopError) {
            let loop = try EventLoop()
            try loop.start()
            loop.post {
                let driver = ReferenceDriver(loop: loop, handsOverFiles: true)
                DriverServer(loop: loop, driver: driver).start { exit($0) }
            }
            // The loop's thread ends the process.
            while true { pause() }
        } catch {
            let text = "squall-reference-client: \(error)\n"
            _ = write(STDERR_FILENO, text, text.utf8.count)
            exit(5)
        }
    }
}
