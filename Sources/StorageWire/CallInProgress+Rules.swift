import ObjectStore
import StorageModel

/// What access rules and the project's plan allow.
extension CallInProgress {
    /// The refusal that a request earns at its head. Uploads are judged when all is known of them;
    /// credentials that are no good are refused for any request.
    func refusal(by rules: [AccessRule]) -> HTTPResponse? {
        switch caller {
        case .expired: return AnswerPreset.tokenExpired.response
        case .unknown: return AnswerPreset.unauthenticated.response
        case .admin: return nil
        case .absent, .known, .accepted: break
        }
        guard let (right, path) = wantedRight else { return nil }
        if rules.contains(where: { $0.covers(right, path, ruleCaller) }) {
            return nil
        }
        return preset(rules.contains { $0.covers(right, path, .anybody) }).response
    }

    private var wantedRight: (AccessRule.Right, path: String)? {
        let path = path ?? ""
        switch call.operation {
        case .download, .downloadByURL, .metadataGet: return (.get, path)
        // Some name under the prefix.
        case .list: return (.list, path + "x")
        case .metadataUpdate: return (.update, path)
        case .delete: return (.delete, path)
        case .connect, .uploadStart, .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel,
            .uploadMultipart, .uploadMedia, .tokenCreate, .tokenDelete, .preflight, .unknown:
            return nil
        }
    }

    private var ruleCaller: AccessRule.Caller {
        switch caller {
        case .known(let name): .signedIn(token: name)
        case .accepted, .admin: .signedIn(token: nil)
        case .absent, .expired, .unknown: .nobody
        }
    }

    private func preset(_ wouldDoSignedIn: Bool) -> AnswerPreset {
        wouldDoSignedIn && !caller.isSignedIn ? .unauthenticated : .permissionDenied
    }

    /// The refusal that an upload earns; told where the upload finishes, like every refusal of one.
    ///
    /// - Parameter size: in bytes; nil while it is unknown.
    func refusal(
        ofUploadTo path: String, size: Int64?, contentType: String?
    ) -> UploadSession.Outcome? {
        if let refusal = planRefusal(path) { return refusal }
        guard case .rules(let rules) = settings.access, caller != .admin else { return nil }
        func allows(_ caller: AccessRule.Caller) -> Bool {
            rules.contains {
                $0.covers(.create, path, caller)
                    && $0.allows(contentType: contentType) && size ?? 0 <= $0.maxSize ?? .max
            }
        }
        if allows(ruleCaller) { return nil }
        return Self.outcome(preset(allows(.anybody)))
    }

    /// The largest that the rules allow; nil: any size.
    func sizeLimit(ofUploadTo path: String, contentType: String?) -> UploadSession.SizeLimit? {
        guard case .rules(let rules) = settings.access, caller != .admin else { return nil }
        let fitting = rules.filter {
            $0.covers(.create, path, ruleCaller)
                && $0.allows(contentType: contentType)
        }
        guard let size = fitting.map({ $0.maxSize ?? .max }).max(), size < .max else { return nil }
        return UploadSession.SizeLimit(size: size, refusal: Self.outcome(.permissionDenied))
    }

    private static func outcome(_ preset: AnswerPreset) -> UploadSession.Outcome {
        UploadSession.Outcome(status: preset.status, message: preset.message)
    }

    /// Source: rule D28.
    private func planRefusal(_ path: String) -> UploadSession.Outcome? {
        guard settings.plan == .spark else { return nil }
        let name = path.lowercased()
        guard Self.executables.contains(where: name.hasSuffix) else { return nil }
        return UploadSession.Outcome(
            status: AnswerPreset.permissionDenied.status,
            message: "The project's plan does not allow executable files to be uploaded.")
    }

    private static let executables = [".exe", ".dll", ".bat", ".apk", ".ipa"]
}
