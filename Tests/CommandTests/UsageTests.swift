import Foundation
import Testing

@Suite("Command line")
struct UsageTests {
    @Test("Tells its version")
    func version() throws {
        let outcome = try Command.squall("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("squall "))
    }

    @Test(
        "Every command has a help with an example",
        arguments: [
            "run", "serve", "drive", "check", "list", "faults", "schema", "client init",
            "client check", "baseline update",
        ])
    func help(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let outcome = try Command.squall(arguments: words + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("usage: squall \(command)"))
        #expect(outcome.output.contains("  squall \(command)"))
        #expect(outcome.output.contains("examples:"))
    }

    @Test(
        "A wrong command line ends with 2 and says what is wrong",
        arguments: [
            (["rum"], "unknown command 'rum'; did you mean 'run'?"),
            (["run", "--sed", "3"], "unknown option '--sed'; did you mean '--seed'?"),
            (["run", "--seed"], "--seed needs N"),
            (["run", "--seed", "many"], "--seed takes a whole number"),
            (["run", "--jobs", "0"], "--jobs takes a whole number from 1"),
            (["run", "--"], "there is no command after '--'"),
            (["run", "--report", "pdf=x"], "unknown report 'pdf'"),
            (["run", "--profile", "appel"], "unknown profile 'appel'"),
            (["check", "--", "x"], "'check' drives no command"),
            (["serve", "file.yaml"], "'serve' takes no 'file.yaml'"),
            (
                ["client", "init", "true"],
                "takes no 'true'; the client's command stands behind '--'"
            ),
            (["serve", "--port", "70000"], "--port takes a whole number from 0 to 65535"),
            (["serve", "--host", "0.0.0.0"], "--allow-remote"),
            (["serve", "--fault", "download: droop answer"], "did you mean 'drop'?"),
            (["serve", "--data", "nothing"], "FILE=OBJECT"),
        ])
    func usage(arguments: [String], message: String) throws {
        let outcome = try Command.run(Command.products.appending(path: "squall"), arguments)
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
    }

    @Test("Without a command it shows the overview and ends with 2")
    func nothing() throws {
        let outcome = try Command.run(Command.products.appending(path: "squall"), [])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("squall run"))
    }
}
