import FaultEngine

/// `Conformance/FAULTS.md`, made from the catalogue.
enum FaultsPage {
    static var text: String {
        [introduction, table, selectors, PhasePage.text, shell].joined(separator: "\n\n")
            + "\n\n" + FaultCatalogue.all.map(section).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Faults

        Every fault that the mock backend can make, with an example to try and what curl makes of it.
        Made by `squall faults --markdown` from the catalogue in the code; a test holds both together,
        loads every example, and lets curl meet it. `squall faults NAME` shows one of them.

        A fault says which exchange it means (`match`, `where`), where in its life (`at`) and what
        happens (`do`). Offsets are exact: *N bytes* is N bytes of the body, not of the connection.
        """

    private static var table: String {
        var lines = ["| # | fault | what it is | at |", "| --- | --- | --- | --- |"]
        for fault in FaultCatalogue.all {
            let phases = fault.phases.joined(separator: ", ")
            lines.append(
                "| \(fault.number) | [\(fault.name)](#\(fault.number)-\(fault.name))"
                    + "\(fault.missing == nil ? "" : " *") | \(fault.summary) | \(phases) |")
        }
        let unserved = FaultCatalogue.unserved
        lines.append("| \(unserved.number) | \(unserved.name) | none: \(unserved.reason) | |")
        let isMissing = FaultCatalogue.all.contains { $0.missing != nil }
        return lines.joined(separator: "\n")
            + (isMissing ? "\n\n\\* not carried out yet, or in part: its entry says what." : "")
    }

    private static let selectors = """
        ## Which exchange

        | words | meaning |
        | --- | --- |
        | `match: download` | an operation, a group (`upload.body`, `upload.*`, `metadata.*`), or `"*"` |
        | `#2` `#1..4` `#2..` `#every 3` `#last` | which of those that fit, from 1; none: all |
        | `where` | `path`, `bucket`, `method`, `target`, `query`, `header`, `json`, `token`, `session`, \
        `connection`, `reused`, `from`, `until`, `since`: all must hold |
        | `per` | what ordinals and `times` are counted for: `transfer`, `object`, `connection` or `run` |
        | `times` | how often it may fire; 1 where the ordinal is a single one, else always |
        | `chance` | a percentage, drawn for each exchange from the seed, whatever the order |

        Proven end to end, with exchanges that are taken and others that are left, by `SelectorTests`:
        `filters`, `session`, `window` and `since` for `where`; `ordinals` and `last`; `scopes` for
        `per`; `times`; `chance`. A budget of one under 32 requests at once is spent once in every
        round of `AnswerFaultTests.onceOf32`.

        Faults that meet in one phase are carried out in the order in which they are given.
        """

    private static var shell: String {
        """
        ## What curl sees

        The lines to try are for bash, after these (curl 7.88; `exit` is the code of the last command,
        `status` what it printed last, 0 without an answer):

        ```sh
        \(FaultCatalogue.shell)
        ```
        """
    }

    private static func section(_ fault: CatalogueFault) -> String {
        var lines = ["### \(fault.number) \(fault.name)", "", fault.summary, ""]
        lines.append("At: " + fault.phases.map { "`\($0)`" }.joined(separator: ", ") + ".")
        if !fault.parameters.isEmpty { lines.append("") }
        for parameter in fault.parameters {
            let names = parameter.name.split(separator: ", ").map { "`\($0)`" }
            lines.append("- \(names.joined(separator: ", ")): \(parameter.meaning)")
        }
        for example in fault.examples { lines += [""] + Self.example(example) }
        if !fault.proofs.isEmpty {
            let proofs = fault.proofs.map { "`\($0)`" }.joined(separator: ", ")
            lines += ["", "Proven on raw sockets by \(proofs)."]
        }
        return lines.joined(separator: "\n")
    }

    private static func example(_ example: FaultExample) -> [String] {
        var lines: [String] = []
        if let text = example.scenarioText {
            lines += ["```yaml", "# fault.yaml"] + text.split(separator: "\n").map(String.init)
            lines += ["```", ""]
        }
        lines += ["```sh", example.serveCommand, example.trial, "```", ""]
        lines.append("curl: " + example.sightText)
        return lines
    }
}
