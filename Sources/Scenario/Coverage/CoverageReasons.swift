import StorageModel

/// Why a moment of a request has no scenario that was written for it.
package enum CoverageReasons {
    /// Nil: there is no reason, and a scenario is missing.
    package static func reason(_ moment: CoverageTable.Moment) -> String? {
        ofOperation(moment.operation) ?? ofPhase(moment.phase, moment.operation)
    }

    /// Of requests that no client of the suite makes by itself, or that have one moment.
    private static func ofOperation(_ operation: Operation) -> String? {
        switch operation {
        case .connect: "a connection has the one moment of its beginning"
        case .uploadMultipart, .uploadMedia:
            "the expectations are written for sessions; the trait `small-upload` turns their scenarios "
                + "into ones of this request"
        case .downloadByURL: "the link is fetched by the runner, and not by the client"
        case .tokenCreate, .tokenDelete: "no step of a client asks for it"
        case .preflight: "a browser asks by itself, and tells no program"
        case .unknown: "it is no request of the protocol"
        default: nil
        }
    }

    private static func ofPhase(_ phase: PhaseName, _ operation: Operation) -> String? {
        switch phase {
        case .connect: "no request is known yet: see `connect`"
        case .requestBody where !hasBody(operation): "it has no body"
        case .responseBody where hasEmptyAnswer(operation): "its answer has no body"
        case .afterCommit where isReading(operation): "it applies nothing: as before-commit"
        case .idle, .responseEnd:
            "the connection is at rest, whatever was asked: see the other rows of this column"
        case .elapsed: "the clock alone counts, whatever was asked: see upload.finalize"
        case .unread: "a client that does not read needs `slow-reader`, and is made by a test"
        default: nil
        }
    }

    private static func hasBody(_ operation: Operation) -> Bool {
        switch operation {
        case .uploadStart, .uploadChunk, .uploadFinalize, .metadataUpdate: true
        default: false
        }
    }

    private static func hasEmptyAnswer(_ operation: Operation) -> Bool {
        switch operation {
        case .uploadStart, .uploadChunk, .uploadQuery, .uploadCancel, .delete: true
        default: false
        }
    }

    private static func isReading(_ operation: Operation) -> Bool {
        switch operation {
        case .download, .metadataGet, .list, .uploadQuery: true
        default: false
        }
    }
}
