import StorageModel

/// A YAML file as a tree: one document, plain data.
struct YAMLDocument: Sendable {
    let source: SourceText
    let root: YAMLNode

    /// What came of reading a file; without a document there is at least one error.
    struct Reading: Sendable {
        var document: YAMLDocument?
        var diagnostics: [Diagnostic]
    }

    /// Reads a file's bytes. JSON is read too, being YAML.
    static func read(_ bytes: [UInt8], file: String) -> Reading {
        do {
            let source = try SourceText(bytes: bytes, file: file)
            let parser = YAMLParser(source)
            do {
                let root = try parser.parse()
                return Reading(
                    document: YAMLDocument(source: source, root: root),
                    diagnostics: parser.diagnostics)
            } catch {
                return Reading(document: nil, diagnostics: parser.diagnostics + [error])
            }
        } catch {
            return Reading(document: nil, diagnostics: [error])
        }
    }
}
