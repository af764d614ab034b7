package import StorageModel

/// Codes that a client gives instead of the documented ones (trait `error-names`).
package struct ErrorNames: Hashable, Sendable {
    /// What the error ends.
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        case uploads
        case downloads
        /// Everything that is no transfer.
        case operations
    }

    /// For every subject.
    package var all: [ErrorCode: [ErrorCode]] = [:]
    /// For one subject; these come before those for all.
    package var bySubject: [Subject: [ErrorCode: [ErrorCode]]] = [:]

    package init() {}

    package var isEmpty: Bool { all.isEmpty && bySubject.values.allSatisfy(\.isEmpty) }

    /// What a client gives instead of a code: one of these; the code itself where it is not named.
    package func codes(for code: ErrorCode, of subject: Subject) -> [ErrorCode] {
        bySubject[subject]?[code] ?? all[code] ?? [code]
    }
}
