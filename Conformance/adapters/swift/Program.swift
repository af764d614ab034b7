import Foundation

/// A client that uses the Swift API of Cloud Storage, behind the driver protocol on standard input and output.
@main
enum Program {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let adapter = Adapter { FileHandle.standardOutput.write($0) }
        while let line = readLine(strippingNewline: true) { adapter.receive(Data(line.utf8)) }
        adapter.finish()
    }
}
