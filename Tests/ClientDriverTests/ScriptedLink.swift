import ClientDriver
import EventLoop
import Foundation

/// A client without a process: it answers as it should, but for what it is told to do instead.
///
/// Confined to its loop.
final class ScriptedLink: ClientLink {
    /// What a client does wrong.
    enum Deed: Sendable, CaseIterable {
        case exit3
        case crash
        case garbage
        case event
        case halfLine

        /// As it is said of a client of which nothing was asked.
        var description: String {
            switch self {
            case .exit3: "exited with code 3"
            case .crash: "was killed by signal 11"
            case .garbage: "wrote a line that is no message (line"
            case .event: "wrote a line that is no message (line"
            case .halfLine: "wrote a line that is no message (it exited in the middle of the line)"
            }
        }
    }

    private let loop: EventLoop
    /// Kept until it has ended, as by a process.
    private var owner: AnyObject?
    /// What it does instead of an answer, by the verb.
    var instead: [String: (ScriptedLink) -> Void] = [:]
    /// What it does when its input ends, before it exits with code 0.
    var farewell: Deed?
    private(set) var heard: [String] = []
    private(set) var isTerminated = false
    var isPipeClosed = false
    private var hasEnded = false

    var onOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    var onErrorOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    var onOutputEnd: () -> Void = {}
    var onInputEnd: () -> Void = {}
    var onEnd: (LinkEnding) -> Void = { _ in }
    var pid: Int32? { nil }

    init(loop: EventLoop, owner: AnyObject) {
        self.loop = loop
        self.owner = owner
    }

    // MARK: What the driver does

    func write(_ bytes: some Sequence<UInt8>) {
        let line = Data(Array(bytes))
        let message = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] ?? [:]
        let verb = message["do"] as? String ?? ""
        let id = message["id"] as? Int ?? 0
        heard.append(verb)
        loop.realTimer(after: .zero) { [self] in
            if let deed = instead[verb] { return deed(self) }
            let hello =
                #","hello":{"name":"s","version":"1","protocol":1,"capabilities":["upload.data"]}"#
            say(#"{"answer":\#(id)\#(verb == "hello" ? hello : "")}"#)
        }
    }

    func closeInput() {
        loop.realTimer(after: .zero) { [self] in
            if let farewell { act(farewell) }
            end(.exited(0))
        }
    }

    func terminate() { killNow() }

    func killNow() {
        guard !hasEnded else { return }
        isTerminated = true
        loop.realTimer(after: .zero) { [self] in end(.signalled(15)) }
    }

    func readNow() {}
    func readErrorOutputNow() {}
    func abandon() { hasEnded = true }

    // MARK: What the client does

    func act(_ deed: Deed) {
        switch deed {
        case .exit3: end(.exited(3))
        case .crash: end(.signalled(11))
        case .garbage: say("Goodbye.")
        case .event: say(#"{"event":"progress","task":"up","completed":5,"total":5}"#)
        case .halfLine:
            tell(#"{"event":"progr"#)
            end(.exited(0))
        }
    }

    func say(_ line: String) { tell(line + "\n") }

    private func tell(_ text: String) {
        guard !hasEnded else { return }
        Array(text.utf8).withUnsafeBytes(onOutput)
    }

    func end(_ ending: LinkEnding) {
        guard !hasEnded else { return }
        hasEnded = true
        onEnd(ending)
        (onOutput, onEnd) = ({ _ in }, { _ in })
        owner = nil
    }
}
