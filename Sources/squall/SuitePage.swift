import Scenario

/// The second part of `scenarios/README.md`: the suite's table of contents.
struct SuitePage {
    private let contents: SuiteContents

    init(_ contents: SuiteContents) { self.contents = contents }

    var text: String {
        [introduction, lifecycles, topics, boundaries].joined(separator: "\n\n") + "\n"
    }

    private var introduction: String {
        """
        ## What is in the suite

        Made by `squall list --markdown`; a test holds it to the files. Three ways to look for a
        scenario: by what the client does, by topic, by the boundary that it touches. A number behind
        a title is the number of rows of its matrix. The rules are in [RULES.md](RULES.md), what users
        say in [SYMPTOMS.md](SYMPTOMS.md), what the SDKs' own tests assert in [BEHAVIOURS.md](BEHAVIOURS.md).
        """
    }

    private var lifecycles: String {
        let rows = Lifecycle.allCases.map { lifecycle in
            row(lifecycle.rawValue, contents.files.filter { $0.lifecycles.contains(lifecycle) })
        }
        let others = contents.files.filter(\.lifecycles.isEmpty)
        let last = others.isEmpty ? [] : [row("none of these", others)]
        return table("### By what the client does", "the client does", rows + last)
    }

    private var boundaries: String {
        let rows = Boundary.allCases.map { boundary in
            row(boundary.rawValue, contents.files.filter { $0.boundaries.contains(boundary) })
        }
        return table("### By boundary", "boundary", rows)
    }

    private func table(_ title: String, _ head: String, _ rows: [String]) -> String {
        ([title, "", "| \(head) | scenarios |", "| --- | --- |"] + rows).joined(separator: "\n")
    }

    private func row(_ name: String, _ files: [SuiteContents.File]) -> String {
        "| \(name) | " + (files.isEmpty ? "none" : files.map(link).joined(separator: ", ")) + " |"
    }

    private var topics: String {
        (["### By topic"] + contents.topics.map(topic)).joined(separator: "\n\n")
    }

    private func topic(_ name: String) -> String {
        let files = contents.files.filter { $0.topic == name }
        var lines = ["#### \(name.isEmpty ? "(no topic)" : name)", ""]
        lines += ["| scenario | what it shows | level |", "| --- | --- | --- |"]
        for file in files {
            let rows = file.rows > 1 ? " (\(file.rows))" : ""
            let title = file.title.replacing("|", with: "\\|")
            lines.append("| \(link(file)) | \(title)\(rows) | \(file.level.rawValue) |")
        }
        return lines.joined(separator: "\n")
    }

    private func link(_ file: SuiteContents.File) -> String {
        "[\(file.name)](\(file.name).yaml)"
    }
}
