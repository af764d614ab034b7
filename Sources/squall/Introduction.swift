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

    /// Asks a client of its own process who it is; the reference client is known.
    init(_ client: ClientUnderTest) async {
        guard client.isOutside else { return }
        switch await ClientProbe(source: client.source).hello() {
        case .success(let hello):
            self.hello = hello
            guard let file = client.file else { return }
            let check = HelloCheck(hello, file: file)
            (problems, remarks) = (check.problems, check.remarks)
        case .failure:
            // The first scenario will say what is wrong.
            break
        }
    }
}
