import FaultEngine
import StorageModel

extension ScenarioDecoder {
    /// What is wrong between the parts of a fault, and what is not supported yet.
    func check(_ rule: FaultRule, _ reader: MappingReader) {
        checkPhase(rule, reader)
        checkCommit(rule, reader)
        if let at = reader["at"],
            rule.actions.contains(where: { if case .drop = $0 { true } else { false } })
        {
            error("'drop' has its own moments and takes no 'at'", at: at.place)
        }
        for (index, action) in rule.actions.enumerated() {
            if case .backend(.link) = action {
                error(
                    "'link' is an action for steps alone", at: Self.actionPlace(index, reader))
            }
            guard let what = action.unsupported(at: rule.phase) else { continue }
            notYetSupported(what, at: Self.actionPlace(index, reader))
        }
    }

    private func checkPhase(_ rule: FaultRule, _ reader: MappingReader) {
        let place = reader["at"]?.place ?? reader.place
        let isConnect = rule.selector.operation == .one(.connect)
        if isConnect, rule.phase != .connect {
            error("'connect' has the phase 'connect' alone", at: place)
        }
        if !isConnect, rule.needsTLS {
            error(
                "'tls' is a fault of connections: match connect",
                at: reader["match"]?.place ?? place)
        } else if !isConnect, rule.phase == .connect {
            error("only 'match: connect' has the phase 'connect'", at: place)
        }
        switch rule.phase {
        case .requestBody where !Self.hasRequestBody(rule.selector.operation):
            error("'\(rule.selector.operation)' has no request body", at: place)
        default: break
        }
    }

    private func checkCommit(_ rule: FaultRule, _ reader: MappingReader) {
        guard rule.commit != nil, let node = reader["commit"] else { return }
        switch rule.selector.operation {
        case .uploadBody, .prefix("upload."), .everything: return
        case .one(let operation) where operation.carriesObjectBytes: return
        case .one, .prefix:
            error(
                "'\(rule.selector.operation)' carries no object bytes, so there is nothing to commit",
                at: node.place)
        }
    }

    private static func hasRequestBody(_ operation: OperationPattern) -> Bool {
        switch operation {
        case .uploadBody, .everything, .prefix: true
        case .one(let one):
            switch one {
            case .uploadStart, .uploadChunk, .uploadFinalize, .uploadMultipart, .uploadMedia,
                .metadataUpdate, .uploadQuery, .uploadCancel, .tokenCreate, .tokenDelete:
                true
            case .connect, .download, .downloadByURL, .metadataGet, .delete, .list, .preflight,
                .unknown:
                false
            }
        }
    }

    /// Where an action of a fault is written.
    private static func actionPlace(_ index: Int, _ reader: MappingReader) -> SourcePlace {
        guard let node = reader["do"] else { return reader.place }
        let actions = node.sequence ?? [node]
        guard actions.indices.contains(index) else { return node.place }
        return actions[index].mapping?.first?.key.place ?? actions[index].place
    }
}
