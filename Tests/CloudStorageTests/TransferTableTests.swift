import Foundation
import StorageModel
import Testing

@testable import CloudStorage

/// Walks the table of transitions: every call and every report in every phase, against what is promised,
/// written down here once more and from the promises alone.
@Suite("Transfer table")
struct TransferTableTests {
    /// Shortest ways into each phase: through the first generation, and through a later one.
    static let ways: [TransferTable.Phase: [[TransferCall]]] = [
        .waiting: [[], [.resume]],
        .held: [[.pause], [.pause, .resume, .pause]],
        .released: [[.pause, .resume]],
        .running: [[.start], [.start, .pause, .stopped, .resume], [.pause, .resume, .start]],
        .pausing: [[.start, .pause], [.start, .pause, .resume, .pause]],
        .resuming: [[.start, .pause, .resume]],
        .paused: [[.start, .pause, .stopped], [.pause, .start]],
        .finishing: [[.start, .finish], [.start, .pause, .finish]],
        .succeeded: [[.start, .succeeded], [.start, .finish, .succeeded]],
        .failed: [[.start, .failed], [.startInVain], [.pause, .startInVain]],
        .cancelled: [
            [.start, .cancel], [.cancel], [.start, .exceeded], [.pause, .start, .cancel],
        ],
    ]

    /// What is promised. A call that is missing in a phase does nothing there.
    ///
    /// The start is told, a pause once the exchange stands still, a resume when it goes on; progress
    /// comes while it runs alone; the last progress has all bytes; a cancel works until the result is
    /// put in place and is told at once; after the end nothing does anything.
    static let documented: [TransferTable.Phase: [TransferCall: String]] = [
        .waiting: [
            .start: "running: begin .resume",
            .startInVain: "failed: .failure",
            .pause: "held:",
            .cancel: "cancelled: .failure",
        ],
        .held: [
            .start: "paused: .resume .pause",
            .startInVain: "failed: .failure",
            .resume: "released:",
            .cancel: "cancelled: .failure",
        ],
        .released: [
            .start: "running: .resume .pause begin .resume",
            .startInVain: "failed: .failure",
            .pause: "held:",
            .cancel: "cancelled: .failure",
        ],
        .running: [
            .pause: "pausing: halt",
            .cancel: "cancelled: abandon .failure",
            .progressed: "running: .progress",
            .finish: "finishing:",
            .succeeded: "succeeded: .progress .success",
            .failed: "failed: .failure",
            .exceeded: "cancelled: .failure",
        ],
        .pausing: [
            .resume: "resuming:",
            .cancel: "cancelled: abandon .failure",
            .stopped: "paused: .pause",
            .finish: "finishing:",
            .succeeded: "succeeded: .progress .success",
            .failed: "failed: .failure",
            .exceeded: "cancelled: .failure",
        ],
        .resuming: [
            .pause: "pausing:",
            .cancel: "cancelled: abandon .failure",
            .stopped: "running: .pause begin .resume",
            .finish: "finishing:",
            .succeeded: "succeeded: .progress .success",
            .failed: "failed: .failure",
            .exceeded: "cancelled: .failure",
        ],
        .paused: [
            .resume: "running: begin .resume",
            .cancel: "cancelled: abandon .failure",
        ],
        .finishing: [
            .finish: "finishing:",
            .succeeded: "succeeded: .progress .success",
            .failed: "failed: .failure",
            .exceeded: "cancelled: .failure",
        ],
        .succeeded: [:],
        .failed: [:],
        .cancelled: [:],
    ]

    @Test("Does with every call and report in every phase what is promised")
    func documentedTable() {
        #expect(Set(Self.ways.keys) == Set(TransferTable.Phase.allCases))
        #expect(Set(Self.documented.keys) == Set(TransferTable.Phase.allCases))
        #expect(Self.differences(.documented, Self.ways, Self.documented) == [])
    }

    /// Where a table does something else than is promised, found by taking every way into every phase
    /// and making every call at its end.
    static func differences(
        _ table: TransferTable, _ ways: [TransferTable.Phase: [[TransferCall]]],
        _ promised: [TransferTable.Phase: [TransferCall: String]]
    ) -> [String] {
        var found: [String] = []
        for (phase, ways) in ways {
            for way in ways {
                var before = TransferMachine(table: table)
                for call in way { _ = call.apply(to: &before) }
                if before.phase != phase { found.append("\(way) leads to \(before.phase)") }
                found += TransferCall.allCases.compactMap { call in
                    difference(call, before, promised[phase]?[call]).map { "\(way), \($0)" }
                }
            }
        }
        return found.sorted()
    }

    private static func difference(
        _ call: TransferCall, _ before: TransferMachine, _ promise: String?
    ) -> String? {
        var machine = before
        let actions = call.apply(to: &machine)
        let found = (["\(machine.phase):"] + actions.map(\.text)).joined(separator: " ")
        if let promise { return found == promise ? nil : "\(call): \(found)" }
        return actions.isEmpty && machine.seen == before.seen ? nil : "\(call): \(found)"
    }

    @Test("Has no row that the walk did not take, and no phase without a sight")
    func isWalkedWhole() {
        for phase in TransferTable.Phase.allCases {
            #expect(TransferTable.documented.sights[phase] != nil)
            for input in TransferTable.Input.allCases {
                let call = TransferCall(rawValue: input.rawValue)
                let isPromised = call.flatMap { Self.documented[phase]?[$0] } != nil
                let hasRow = TransferTable.documented[phase, input] != nil
                #expect(isPromised == hasRow, "\(input) in \(phase)")
            }
        }
    }

    @Test(
        "Notices a row that is changed, added or taken away",
        arguments: [
            (TransferTable.Phase.running, TransferTable.Input.pause, TransferTable.Row?.none),
            (.paused, .progressed, .to(.paused, .tellRise)),
            (.running, .succeeded, .to(.succeeded, .tellSuccess)),
        ])
    func changedRow(
        phase: TransferTable.Phase, input: TransferTable.Input, row: TransferTable.Row?
    ) {
        var table = TransferTable.documented
        table[phase, input] = row
        #expect(table != .documented)
        #expect(table[phase, input] == row)
        #expect(Self.differences(table, Self.ways, Self.documented) != [])
    }

    @Test("Shows in each phase what was told last, and tells those who come late the end alone")
    func sights() {
        let shown: [TransferTable.Phase: (status: StorageTaskStatus, late: [StorageTaskStatus])] =
            [
                .waiting: (.unknown, []), .held: (.unknown, []), .released: (.unknown, []),
                .running: (.resume, []), .pausing: (.pause, []), .resuming: (.pause, []),
                .paused: (.pause, []), .finishing: (.resume, []),
                .succeeded: (.success, [.success]), .failed: (.failure, [.failure]),
                .cancelled: (.failure, [.failure]),
            ]
        for (phase, ways) in Self.ways {
            for way in ways {
                var machine = TransferMachine()
                for call in way { _ = call.apply(to: &machine) }
                #expect(machine.currentView.status == shown[phase]?.status, "after \(way)")
                let late = StorageTaskStatus.allCases.filter { machine.replay(for: $0) != nil }
                #expect(late == shown[phase]?.late, "after \(way)")
            }
        }
    }

    @Test("Is printed in TRANSITIONS.md as it is")
    func page() throws {
        let text = try String(contentsOf: TransferTablePage.url, encoding: .utf8)
        let tables: [(TransferTable, except: TransferTable?)] = [
            (.documented, nil), (.appleUpload, .documented), (.appleFileDownload, .documented),
            (.appleMemoryDownload, .appleFileDownload),
        ]
        for (table, other) in tables {
            let printed = TransferTablePage.text(table, except: other)
            #expect(text.contains(printed), "the page has to show this:\n\(printed)")
        }
    }
}
