import EventMatching
import MockServer
import ObjectStore
import Scenario
import StorageModel

// What a server has seen of a scenario.
extension RunEvidence {
    /// On the server's loop.
    ///
    /// - Parameters:
    ///   - scenario: whose given objects expectations may name.
    ///   - end: until when silence was watched.
    init(
        _ server: MockServer, _ scenario: ScenarioFile, book: RunBook, moments: MomentLog,
        end: Duration, scale: TimeScale, countsResends: Bool, contents: ScenarioContents,
        bucket: String
    ) {
        let seen = server.assumeIsolated { ServerSight($0) }
        self.init(
            book: book, moments: moments, exchanges: seen.exchanges,
            complaints: seen.complaints, end: end, scale: scale, countsResends: countsResends,
            versions: { object in
                server.assumeIsolated { $0.versions(of: object.path, in: object.bucket) }
            },
            sessionsStarted: seen.sessionsStarted, sessionsOpen: seen.sessionsOpen,
            sessionsFed: seen.sessionsFed, connections: seen.connections, contents: contents,
            bucket: bucket)
        for object in scenario.backend.settings.objects {
            let address = ObjectAddress(object.path) ?? ObjectAddress(path: object.path)
            let full = ObjectAddress(bucket: address.bucket ?? bucket, path: address.path)
            givenObjects[address] = object.content
            givenObjects[full] = object.content
        }
    }
}

/// What can be taken off the server's actor.
private struct ServerSight: Sendable {
    let exchanges: [ExchangeRecord]
    let complaints: [Complaint]
    let sessionsStarted: Int
    let sessionsOpen: Int
    let sessionsFed: Int
    let connections: Int

    init(_ server: isolated MockServer) {
        let sessions = server.store.allSessions
        exchanges = server.records
        complaints = server.complaints
        sessionsStarted = server.store.sessionCount
        sessionsOpen = sessions.count { $0.isOpen }
        sessionsFed = sessions.count { $0.isFed }
        connections = server.openConnections
    }
}
