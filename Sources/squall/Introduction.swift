import ClientDriver
import RunModel
import ScenarioRunner

/// What is known of a client before its first scenario.
struct Introduction: Sendable {
    /// What it says of itself; nil where it was not asked, or did not answer.
    var hello: ClientHello?
    /// Make the run red: no scenario is run.
    var problems: [RunReport.Problem] = []
    var remarks: [String] = []
    /// Why there is no hello.
    private(set) var silence: ClientMisbehaviour?
    /// The last lines of its own log then.
    private(set) var lastLines: [Substring] = []

    /// Asks a client of its own process who it is; the reference client is known.
    ///
    /// - Parameter isKnown: whether the client's file says what is expected.
    init(_ client: ClientUnderTest, isKnown: Bool = true) async {
        guard client.isOutside else { return }
        let (reply, log) = await ClientProbe(source: client.source).hello()
        switch reply {
        case .success(let hello):
            self.hello = hello
            guard isKnown, let file = client.file else { return }
            let check = HelloCheck(hello, file: file)
            (problems, remarks) = (check.problems, check.remarks)
        case .failure(let misbehaviour):
            // The first scenario will say it.
            silence = misbehaviour
            lastLines = String(decoding: log, as: UTF8.self).split(separator: "\n").suffix(20)
        }
    }
}
