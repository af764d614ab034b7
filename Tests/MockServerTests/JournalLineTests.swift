import FaultEngine
import MockServer
import StorageModel
import Testing

/// The bytes of a line against its value, member by member.
@Suite("Journal lines")
struct JournalLineTests {
    private static var bare: ExchangeRecord {
        ExchangeRecord(ordinal: 1, connection: 1, operation: .list, method: "GET", target: "/")
    }

    /// Every member is there.
    private static var full: ExchangeRecord {
        var record = ExchangeRecord(
            ordinal: 12, connection: 34, operation: .uploadChunk, method: "POST",
            target: "/v0/b/b/o?name=\u{e9}", start: .nanoseconds(12_345_678_901))
        record.isReused = true
        record.bucket = "b.appspot.com"
        record.path = "a/\"b\"\\\n\u{1}\u{1F600}"
        (record.session, record.transfer, record.offset, record.length) = (5, 6, 0, 262_144)
        (record.declaredSize, record.reported, record.resendOf) = (.max, 9, 10)
        (record.received, record.committed, record.sent) = (262_143, 1, 10)
        (record.status, record.hasCredentials, record.overlaps) = (308, true, true)
        record.end = .nanoseconds(99_000_999)
        record.ending = .clientLeft
        record.handshake = "no, \"bad\" certificate"
        record.complaints = [
            Complaint(.missingName, sentence: "x"), Complaint(.oddGranularity, sentence: "y"),
        ]
        var fault = FiredFault(
            rule: 3, name: "a \"fault\"", time: .milliseconds(7), ordinal: 2,
            actions: ["delay", "disconnect"], draw: 0.25, chance: 1e-7)
        fault.delays = [.microseconds(1), .seconds(1)]
        record.faults = [fault, FiredFault(rule: 4, name: "b", time: .zero)]
        return record
    }

    private static func bytes(_ records: [ExchangeRecord]) -> String {
        var bytes: [UInt8] = []
        for record in records { JournalLine.append(record, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Are the text of their values", arguments: [bare, full])
    func same(_ record: ExchangeRecord) {
        #expect(Self.bytes([record]) == JournalLine.value(of: record).text + "\n")
    }

    @Test("Stand behind each other")
    func several() {
        let one = Self.bytes([Self.full])
        let other = Self.bytes([Self.bare])
        #expect(Self.bytes([Self.full, Self.bare]) == one + other)
    }

    @Test("The full example has every member that a line may have")
    func everyMember() {
        guard case .object(let members) = JournalLine.value(of: Self.full) else {
            Issue.record("a line is no object")
            return
        }
        #expect(members.count == 27)
    }
}
