import CloudStorage
import Foundation
import Scenario
import StorageModel
import TestSupport
import Testing

/// The rows of the fault table that want a server which speaks TLS; wall time.
@Suite("The reference client in the fault table, through TLS", .serialized)
struct FaultTableTLSTests {
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    static let rows = FaultTable.rows.filter(\.needsTLS)

    @Test("Does in every row what the rules say", arguments: rows)
    func follows(row: FaultRow) async throws {
        let failure = try await outcome(of: row)
        #expect(failure?.clientError.code == row.code, "\(row.name)")
        guard case .transport(let fault)? = row.fault.cause else { return }
        #expect(failure?.transport == fault, "\(row.name)")
    }

    static let flaws = [
        ("fail-handshake", -1200), ("expired", -1201), ("wrong-name", -1202),
        ("untrusted", -1203),
    ]

    @Test("Says underneath what is wrong with the certificate", arguments: flaws)
    func flaw(how: String, code: Int) async throws {
        let row = try #require(
            Self.rows.first { $0.target == .metadata && $0.fault.action == "{tls: \(how)}" })
        #expect(try await outcome(of: row)?.urlError == code)
    }

    /// What the operation of a row fails with; nil: it does not.
    private func outcome(of row: FaultRow) async throws -> StorageFailure? {
        let action = (row.fault.action ?? "").dropFirst("{tls: ".count).dropLast()
        let text = (row.repetition == .each ? "connect: tls " : "connect#1: tls ") + action
        let rule = try #require(ScenarioLoader().fault(text, position: 1).rule, "\(text)")
        let object = BackendSettings.GivenObject(
            path: row.target.path, content: Content(.synthetic(size: 204_800, seed: 7)))
        return try await SecureStorage.with(faults: [rule], objects: [object]) {
            storage, folder -> StorageFailure? in
            do {
                try await Self.carryOut(row.target, storage, folder)
                return nil
            } catch {
                let failure = StorageFailure(error)
                #expect(failure != nil, "\(error)")
                return failure
            }
        }
    }

    private static func carryOut(
        _ target: FaultTarget, _ storage: Storage, _ folder: TemporaryDirectory
    ) async throws {
        let place = storage.reference(withPath: target.path)
        switch target {
        case .uploadStart, .uploadChunk, .uploadLast, .uploadWhole, .uploadQuery:
            _ = try await place.putDataAsync(content)
        case .download, .downloadResumed:
            _ = try await place.writeAsync(toFile: URL(fileURLWithPath: folder.path(of: "a")))
        case .downloadToMemory: _ = try await place.data(maxSize: 1 << 20)
        case .metadata: _ = try await place.getMetadata()
        case .metadataUpdate: _ = try await place.updateMetadata(StorageMetadata())
        case .delete: try await place.delete()
        case .list: _ = try await storage.reference(withPath: "films").listAll()
        }
    }
}
