/// A scenario to begin with: valid as it is, with a line above each part that says what it is for.
package struct ScenarioSkeleton: Sendable {
    /// What the scenario is about.
    package enum Subject: String, Sendable, CaseIterable {
        case upload
        case download
        /// Metadata, lists, deletions: one request each.
        case call
    }

    private let subject: Subject

    /// - Parameter topic: a word that says what it is about, such as a folder of the suite; nil: an
    ///   upload.
    package init(topic: String?) {
        switch topic {
        case "download", "integrity", "redirect", "keepalive", "midstream", "images":
            subject = .download
        case "metadata", "list", "delete", "errmap", "access", "reference", "proto", "url", "auth":
            subject = .call
        default: subject = .upload
        }
    }

    package var text: String {
        """
        # A scenario is one file; `squall check FILE` reads it, `squall run FILE` runs it.

        # One sentence that can be false: it is what a report prints.
        title: \(title)
        # Why it matters to a user.
        about: Say here what a user loses when this goes wrong.
        # What a user says who has the problem.
        symptom: \(symptom)
        # Where it is written that a client must do so: a rule (scenarios/RULES.md), a report, a link.
        source: [D14]
        # must, should or may; a must needs a rule that is published.
        level: should
        # core, lifecycle, resume, restart or extras: what a run takes first.
        class: lifecycle

        # What the server has before the first step, and how it behaves.
        backend:
        \(backend)

        # What the client is set up with; without this block its usual settings.
        client: {\(client)}

        # What goes wrong: which request, where in its life, and what happens (squall faults).
        faults:
        \(faults)

        # What the client does, one step after the other.
        steps:
        \(steps)

        # What must then be true; what is not written here is not tested, but for the invariants.
        expect:
        \(expectations)

        """
    }

    private var title: String {
        switch subject {
        case .upload: "An upload goes on after its connection broke in the middle of the body"
        case .download: "A download goes on after its connection broke in the middle of the body"
        case .call: "Metadata are asked for again after the server was busy"
        }
    }

    private var symptom: String {
        switch subject {
        case .upload: "my upload stops when the network hiccups"
        case .download: "half a picture is all that I get"
        case .call: "it says unknown error and works the next time"
        }
    }

    private var client: String {
        switch subject {
        case .upload: "chunkSize: 256KiB, maxUploadRetryTime: 10s"
        case .download: "maxDownloadRetryTime: 10s"
        case .call: "maxOperationRetryTime: 10s"
        }
    }

    private var backend: String {
        switch subject {
        case .upload:
            """
              # Bytes are kept in units of this size.
              granularity: 256KiB
            """
        case .download, .call:
            """
              # Content that costs no memory: a size and a seed; or {text: "..."}, {base64: "..."}.
              objects:
                images/stars.jpg: {size: 1MiB, seed: 7, contentType: image/jpeg}
            """
        }
    }

    private var faults: String {
        switch subject {
        case .upload:
            """
              # The second request with bytes of the object breaks after 100 KiB of its body.
              - {match: upload.body#2, at: request-body 100KiB, do: {disconnect: reset}}
            """
        case .download:
            """
              # The first answer breaks after 400 KiB of its body.
              - {match: download#1, at: response-body 400KiB, do: {disconnect: reset}}
            """
        case .call:
            """
              # The first request is refused with the server's own answer.
              - {match: metadata.get#1, do: {respond: {preset: unavailable}}}
            """
        }
    }

    private var steps: String {
        switch subject {
        case .upload:
            """
              # `as` names the transfer: expectations and later steps speak of it.
              - upload: images/rivers.jpg
                as: up
                data: {size: 1MiB, seed: 11}
            """
        case .download:
            """
              # `as` names the transfer: expectations and later steps speak of it.
              - download: images/stars.jpg
                as: down
                to: file
            """
        case .call:
            """
              # `as` names the result: expectations speak of it.
              - get-metadata: images/stars.jpg
                as: found
            """
        }
    }

    private var expectations: String {
        switch subject {
        case .upload:
            """
              up:
                # The whole sequence: nothing else, and nothing after.
                events: [resume, progress+, success]
              # What is at rest in the end.
              stored:
                images/rivers.jpg: {same-as: up, generations: 1}
              # Tests on all requests that fit.
              exchanges:
                - {match: upload.start, count: 1}
            """
        case .download:
            """
              down:
                # The whole sequence: nothing else, and nothing after.
                events: [resume, progress+, success]
                # What is in the file in the end.
                local: {same-as: images/stars.jpg}
              # Tests on all requests that fit.
              exchanges:
                - {match: download, count: 2}
            """
        case .call:
            """
              found:
                error: none
                size: 1MiB
                contentType: image/jpeg
              # Tests on all requests that fit.
              exchanges:
                - {match: metadata.get, count: 2}
            """
        }
    }
}
