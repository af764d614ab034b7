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
        switch settings.access {
        case .open: return nil
        case .signedIn: return credentialRefusal
        case .rules(let rules): return refusal(by: rules)
        }
    }

    private var credentialRefusal: HTTPResponse? {
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

    private var isDownloadTokenValid: Bool {
        guard let token = call.downloadToken, let bucket = call.bucket, let path,
            let object = try? store.object(path, in: bucket)
        else { return false }
        return object.attributes.downloadTokens.contains(token)
    }
}
