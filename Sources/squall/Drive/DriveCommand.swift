import ClientDriver
import EventLoop
import FaultEngine
import RunModel
import StorageModel

/// `squall drive`: an adapter is talked to by hand, or by a transcript.
struct DriveCommand {
    private let options: DriveOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try DriveOptions(arguments)
    }

    func perform() throws(UsageError) -> ExitCode {
        Interruption.watch()
        do {
            let loop = try EventLoop()
            let bench = try DriveBench(loop, options)
            try loop.start()
            defer { loop.stop() }
            let listening = Rendezvous<UInt16>()
            loop.post { listening.set(Result { try bench.listen() }) }
            let port = try listening.wait()
            banner(port)
            if let transcript = options.transcript {
                return try replay(transcript, ReplaySession(bench, transcript), loop)
            }
            return try talk(DriveSession(bench), loop)
        } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
    }

    private func banner(_ port: UInt16) {
        Terminal.print("squall drive: the backend listens on http://127.0.0.1:\(port)")
        for (number, fault) in options.served.faults.enumerated() {
            Terminal.print("  fault \(number + 1): \(fault.text)")
        }
        if options.transcript == nil {
            Terminal.print("  > to the adapter, < from it, | its log; 'help' lists the commands")
        }
    }

    // MARK: By hand

    private func talk(_ session: DriveSession, _ loop: EventLoop) throws -> ExitCode {
        let isTalking = try Self.ask(loop) { done in session.begin(done) }
        let isUnderstood = try !isTalking || readLines(session, loop)
        if isUnderstood, isTalking, !Interruption.hasCome, !session.isOver {
            try Self.ask(loop) { done in session.rest { done(()) } }
        }
        try Self.ask(loop) { done in session.finish { done(()) } }
        let hasMisbehaved = try Self.ask(loop) { done in done(session.hasMisbehaved) }
        return hasMisbehaved || !isTalking ? .red : isUnderstood ? .asPlanned : .usage
    }

    /// False where a line cannot be understood and nobody is there to say it again.
    private func readLines(_ session: DriveSession, _ loop: EventLoop) throws -> Bool {
        var input = DriveInput()
        var reader = DriveLine(directory: session.bench.clientDirectory)
        let isTerminal = DriveInput.isTerminal
        var number = 0
        while let text = input.next(unless: { session.isOver || Interruption.hasCome }) {
            number += 1
            do throws(DriveError) {
                let action = try reader.action(text)
                if case .help = action { Terminal.print(DriveHelp.text) }
                if case .quit = action { return true }
                try? Self.ask(loop) { done in
                    session.perform(action, isPatient: !isTerminal) { done(()) }
                }
            } catch {
                Terminal.error("squall: line \(number): \(error)")
                if !isTerminal { return false }
            }
        }
        return true
    }

    // MARK: By a transcript

    private func replay(
        _ transcript: TranscriptFile, _ session: ReplaySession, _ loop: EventLoop
    ) throws -> ExitCode {
        let outcome = try Self.ask(loop) { done in session.play(done) }
        Terminal.print("\n" + outcome.text)
        return outcome.isSame ? .asPlanned : .red
    }

    /// Has work done on the loop and waits until it says that it is.
    private static func ask<Value: Sendable>(
        _ loop: EventLoop, _ work: @escaping @Sendable (@escaping (Value) -> Void) -> Void
    ) throws -> Value {
        let answer = Rendezvous<Value>()
        loop.post { work { answer.set(.success($0)) } }
        return try answer.wait()
    }
}
