import StorageModel
import Testing

@testable import CloudStorage

/// The tables of the behaviour `apple`, walked as the documented one is: what is promised is written down
/// from how the SDK's tasks guard their states, not from the tables.
@Suite("Transfer tables of the behaviour apple")
struct AppleTransferTableTests {
    typealias Promises = [TransferTable.Phase: [TransferCall: String]]

    /// Before the start a pause and a resume are told at once, and the start is not.
    private static let beforeTheStart: Promises = [
        .waiting: [
            .start: "running: begin",
            .startInVain: "failed: .failure",
            .pause: "held: .pause",
            .resume: "released: .resume",
            .cancel: "cancelled: .failure",
        ],
        .held: [
            .start: "paused:",
            .startInVain: "failed: .failure",
            .resume: "released: .resume",
            .cancel: "cancelled: .failure",
        ],
        .released: [
            .start: "running: begin",
            .startInVain: "failed: .failure",
            .pause: "held: .pause",
            .cancel: "cancelled: .failure",
        ],
    ]

    /// The last progress comes twice; once before a failure that the program did not bring about.
    private static let finishing: [TransferCall: String] = [
        .finish: "finishing:",
        .succeeded: "succeeded: .progress .progress .success",
        .failed: "failed: .progress .failure",
        .exceeded: "cancelled: .failure",
    ]

    private static func promises(
        running: [TransferCall: String], pausing: [TransferCall: String],
        resuming: [TransferCall: String]
    ) -> Promises {
        let cancel: [TransferCall: String] = [.cancel: "cancelled: abandon .failure"]
        var all = beforeTheStart
        all[.running] = finishing.merging(running) { $1 }.merging(cancel) { $1 }
            .merging([.progressed: "running: .progress"]) { $1 }
        all[.pausing] = pausing.merging(cancel) { $1 }
        all[.resuming] = resuming.merging(cancel) { $1 }
        all[.paused] = cancel.merging([.resume: "running: begin .resume"]) { $1 }
        all[.finishing] = finishing
        all[.succeeded] = [:]
        all[.failed] = [:]
        all[.cancelled] = [:]
        return all
    }

    static let upload = promises(
        running: [.pause: "pausing: halt .pause"],
        pausing: [
            .resume: "resuming: .resume", .stopped: "paused:", .succeeded: "paused:",
            .failed: "paused:", .exceeded: "paused:",
        ],
        resuming: [
            .pause: "pausing: .pause", .stopped: "running: begin", .succeeded: "running: begin",
            .failed: "running: begin", .exceeded: "running: begin",
        ])

    static let fileDownload = promises(
        running: [.pause: "pausing: halt"],
        pausing: [
            .resume: "running: begin .resume", .stopped: "paused: .pause",
            .finish: "finishing:", .succeeded: "succeeded: .progress .progress .success",
            .failed: "pausing:",
        ],
        resuming: [:])

    static let memoryDownload: Promises = {
        var promises = fileDownload
        promises[.pausing]?[.stopped] = nil
        return promises
    }()

    private static let early: [TransferTable.Phase: [[TransferCall]]] = [
        .waiting: [[]],
        .held: [[.pause], [.resume, .pause]],
        .released: [[.resume], [.pause, .resume]],
        .running: [[.start], [.resume, .start], [.pause, .start, .resume]],
        .finishing: [[.start, .finish]],
        .succeeded: [[.start, .succeeded], [.start, .finish, .succeeded]],
        .failed: [[.start, .failed], [.startInVain]],
        .cancelled: [[.start, .cancel], [.cancel], [.start, .exceeded]],
    ]

    @Test("An upload does with every call in every phase what the SDK's does")
    func uploads() {
        var ways = Self.early
        ways[.pausing] = [[.start, .pause], [.start, .pause, .resume, .pause]]
        ways[.resuming] = [[.start, .pause, .resume]]
        ways[.paused] = [
            [.start, .pause, .stopped], [.start, .pause, .succeeded], [.start, .pause, .failed],
            [.pause, .start],
        ]
        #expect(Set(ways.keys) == Set(TransferTable.Phase.allCases))
        #expect(TransferTableTests.differences(.appleUpload, ways, Self.upload) == [])
    }

    @Test("A download to a file does with every call in every phase what the SDK's does")
    func fileDownloads() {
        var ways = Self.early
        ways[.pausing] = [[.start, .pause], [.start, .pause, .failed]]
        ways[.paused] = [[.start, .pause, .stopped], [.pause, .start]]
        #expect(
            TransferTableTests.differences(.appleFileDownload, ways, Self.fileDownload) == [])
    }

    @Test("A download into memory is paused, and tells nobody")
    func memoryDownloads() {
        var ways = Self.early
        ways[.pausing] = [[.start, .pause], [.start, .pause, .stopped]]
        ways[.paused] = [[.pause, .start]]
        #expect(
            TransferTableTests.differences(.appleMemoryDownload, ways, Self.memoryDownload) == [])
    }

    @Test("Has no row that the walks did not take")
    func areWalkedWhole() {
        let tables: [(TransferTable, Promises)] = [
            (.appleUpload, Self.upload), (.appleFileDownload, Self.fileDownload),
            (.appleMemoryDownload, Self.memoryDownload),
        ]
        for (table, promises) in tables {
            for phase in TransferTable.Phase.allCases {
                #expect(table.sights[phase] != nil)
                for input in TransferTable.Input.allCases {
                    let call = TransferCall(rawValue: input.rawValue)
                    let isPromised = call.flatMap { promises[phase]?[$0] } != nil
                    // No call leads to `resuming` in a download.
                    let isUnused = phase == .resuming && promises[.resuming]?.count == 1
                    #expect(isPromised == (table[phase, input] != nil) || isUnused)
                }
            }
        }
    }

    @Test("Tells late observers the state of the task, and nothing after a cancel")
    func replays() {
        let told: [(way: [TransferCall], kinds: [StorageTaskStatus])] = [
            ([], []), ([.pause], [.pause]), ([.start], [.resume, .progress]),
            ([.start, .progressed], [.resume, .progress]), ([.start, .pause], [.pause]),
            ([.start, .pause, .resume], [.resume, .progress]),
            ([.start, .pause, .stopped], [.pause]), ([.start, .succeeded], [.success]),
            ([.start, .failed], [.failure]), ([.start, .cancel], []), ([.start, .exceeded], []),
        ]
        for (way, kinds) in told {
            var machine = TransferMachine(table: .appleUpload)
            for call in way { _ = call.apply(to: &machine) }
            let late = StorageTaskStatus.allCases.filter { machine.replay(for: $0) != nil }
            #expect(late == kinds, "after \(way)")
        }
    }
}
