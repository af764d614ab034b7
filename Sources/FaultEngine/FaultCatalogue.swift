/// Every fault that the backend knows, as values: for the help, the page, and the tests that hold them
/// to it.
package enum FaultCatalogue {
    /// All of them, by their numbers: 1, 2, ...
    package static let all: [CatalogueFault] =
        connection + request + handling + session + head + body + content + server

    /// Finds a fault by its name or its number.
    package static func fault(_ text: String) -> CatalogueFault? {
        all.first { $0.name == text || "\($0.number)" == text }
    }

    /// What number 6 stands for, and why there is no such fault.
    package static let unserved = (
        number: 6, name: "name-resolution",
        reason: "A name that does not resolve fails inside the client before any server is asked: "
            + "point the client at a name that ends in `.invalid`."
    )

    /// The size of the object `photo.jpg` of the examples, in bytes.
    package static let photoSize = 1_000_000

    /// What a shell needs before the lines of the examples: an address, a file, and short names for
    /// what curl is asked to do. Each prints the status.
    package static let shell = """
        base=http://127.0.0.1:9199/v0/b/demo.appspot.com/o
        ca=ca.pem # the CA file that `squall serve --tls` names
        seq 200000 | head -c \(photoSize) > photo.jpg
        ask() { curl -sS -m 2 -w '\\n%{http_code}\\n' "$@"; }
        get() { ask -o copy.jpg "$@" "$base/photo.jpg?alt=media"; }
        secure_get() { (base=https${base#http} && get --cacert "$ca" "$@"); }
        info() { ask "$@" "$base/photo.jpg"; }
        list() { ask "$@" "$base"; }
        put() { ask -o answer "$@" --data-binary @photo.jpg "$base?name=new.jpg"; }
        start() {
            ask -D head -o answer -d '' -H 'X-Goog-Upload-Protocol: resumable' \\
                -H 'X-Goog-Upload-Command: start' "$base?name=new.jpg"
            session=$(sed -n 's/^X-Goog-Upload-URL: //p' head | tr -d '\\r')
        }
        tell() { ask -D - -o answer -H "X-Goog-Upload-Command: $1" "${@:2}" "$session"; }
        chunk() {
            head -c 262144 photo.jpg |
                tell upload -H "X-Goog-Upload-Offset: ${1:-0}" --data-binary @-
        }
        finish() { tell 'upload, finalize' -H 'X-Goog-Upload-Offset: 0' --data-binary @photo.jpg; }
        query() { tell query -d ''; }
        """
}

/// A fault of the catalogue.
package struct CatalogueFault: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// As the language spells it.
        package let name: String
        /// Unit, range and meaning.
        package let meaning: String
    }

    /// From 1; 6 is none.
    package let number: Int
    /// `[a-z-]+`
    package let name: String
    /// One sentence: what it is.
    package let summary: String
    package let parameters: [Parameter]
    /// The moments at which it may stand, as the language writes them.
    package let phases: [String]
    /// The first one is the plainest.
    package let examples: [FaultExample]
    /// The tests that prove it on the wire: `BreakFaultTests.download`.
    package let proofs: [String]

    init(
        _ number: Int, _ name: String, _ summary: String, _ parameters: [(String, String)] = [],
        at phases: [String], _ examples: [FaultExample], proofs: [String]
    ) {
        self.number = number
        self.name = name
        self.summary = summary
        self.parameters = parameters.map(Parameter.init)
        self.phases = phases
        self.examples = examples
        self.proofs = proofs
    }
}

/// A fault written down, and what curl makes of it.
package struct FaultExample: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        /// The short form, as `--fault` takes it; several stand in one command line.
        case line([String])
        /// Entries of a scenario file, where the short form cannot say it.
        case file(String)
    }

    package let form: Form
    /// Options of `squall serve` beside the fault.
    package let options: [String]
    /// A line for the shell that `FaultCatalogue.shell` was typed into; its last command shows the fault.
    package let trial: String
    /// Measured; nil: not measured, because it cannot be carried out.
    package let seen: CurlSight?

    init(
        _ lines: String..., options: [String] = [], try trial: String, sees seen: CurlSight? = nil
    ) {
        form = .line(lines)
        self.options = options
        self.trial = trial
        self.seen = seen
    }

    init(
        file text: String, options: [String] = [], try trial: String, sees seen: CurlSight? = nil
    ) {
        form = .file(text)
        self.options = options
        self.trial = trial
        self.seen = seen
    }

    /// The scenario file that serves it; nil for the short form.
    package var scenarioText: String? {
        guard case .file(let text) = form else { return nil }
        return "title: A fault to try\nlevel: may\n\(text)\n"
    }
}

/// How a request ends for curl 7.88.
package struct CurlSight: Hashable, Sendable {
    /// curl's exit code: 0 for an answer, whatever its status.
    package let exit: Int
    /// The code in a race that the fault may win; nil: there is none.
    package let orExit: Int?
    /// The status of the answer's head; 0 where none came.
    package let status: Int
    /// A part of what curl says, or prints.
    package let says: String

    private init(exit: Int, orExit: Int? = nil, status: Int, says: String) {
        self.exit = exit
        self.orExit = orExit
        self.status = status
        self.says = says
    }

    /// An answer that curl takes for good.
    static func answer(_ status: Int, says: String = "") -> CurlSight {
        CurlSight(exit: 0, status: status, says: says)
    }

    /// curl ends with an error.
    static func error(_ exit: Int, _ says: String, status: Int = 0) -> CurlSight {
        CurlSight(exit: exit, status: status, says: says)
    }

    /// An RST that may come before curl has seen that it is connected.
    static let resetAtOnce = CurlSight(
        exit: 56, orExit: 7, status: 0, says: "Connection reset by peer")
    static let refused = error(7, "Failed to connect")
    static let empty = error(52, "Empty reply from server")
    static let reset = error(56, "Connection reset by peer")
    static let timedOut = error(28, "Operation timed out")
}
