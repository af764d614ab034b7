import ClientDriver

extension ClientCommand {
    /// The files that it names.
    var paths: [String] {
        switch verb {
        case .upload(let upload):
            switch upload.source {
            case .data(let bytes): bytes.paths
            case .file(let path): [path]
            case .stream(let stream): stream.bytes.paths
            }
        case .download(let download):
            switch download.target {
            case .memory(_, let into): [into]
            case .file(let path): [path]
            }
        case .fetch(_, let into), .image(_, let into): [into]
        case .burst(let commands), .parallel(let commands): commands.flatMap(\.paths)
        case .pause, .resume, .cancel, .snapshot, .observe, .unobserve, .getMetadata,
            .updateMetadata, .delete, .url, .list, .listAll, .reference, .release, .token, .purge,
            .restart:
            []
        }
    }
}

extension ClientCommand.GivenBytes {
    fileprivate var paths: [String] {
        if case .file(let path) = self { [path] } else { [] }
    }
}
