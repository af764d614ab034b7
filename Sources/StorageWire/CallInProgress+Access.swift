import ObjectStore
import StorageModel

/// Who may do what.
extension CallInProgress {
    /// The refusal that the request's credentials earn; nil where it may go on.
    ///
    /// The requests of an upload session are covered by its start request. A start request without
    /// credentials is taken, and its finishing request is refused, as production does.
    func accessRefusal() -> HTTPResponse? {
        switch call.operation {
        case .tokenCreate, .tokenDelete:
            return caller == .admin
                ? nil : ErrorAnswer.response(status: 403, message: "Missing admin credentials.")
        case .preflight, .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel: return nil
        case .downloadByURL where isDownloadTokenValid: return nil
        default: break
        }
        guard settings.access == .signedIn else { return nil }
        switch caller {
        case .known, .accepted, .admin: return nil
        case .expired: return AnswerPreset.tokenExpired.response
        case .unknown: return AnswerPreset.unauthenticated.response
        case .absent:
            if call.operation == .uploadStart { return nil }
            return call.operation == .downloadByURL
                ? AnswerPreset.permissionDenied.response : AnswerPreset.unauthenticated.response
        }
    }

    /// The refusal that waits for the upload's finishing request.
    var refusalAtTheEnd: UploadSession.Outcome? {
        guard settings.access == .signedIn, !caller.isSignedIn else { return nil }
        let preset = AnswerPreset.unauthenticated
        return UploadSession.Outcome(status: preset.status, message: preset.message)
    }

    /// The refusal that an upload to the path earns by its name; told where the upload finishes, like
    /// every refusal of an upload. Source: rule D28.
    func refusal(ofUploadTo path: String) -> UploadSession.Outcome? {
        guard settings.plan == .spark else { return nil }
        let name = path.lowercased()
        guard Self.executables.contains(where: name.hasSuffix) else { return nil }
        return UploadSession.Outcome(
            status: AnswerPreset.permissionDenied.status,
            message: "The project's plan does not allow executable files to be uploaded.")
    }

    private static let executables = [".exe", ".dll", ".bat", ".apk", ".ipa"]

    private var isDownloadTokenValid: Bool {
        guard let token = call.downloadToken, let bucket = call.bucket, let path,
            let object = try? store.object(path, in: bucket)
        else { return false }
        return object.attributes.downloadTokens.contains(token)
    }
}
