import Foundation
import StorageModel
import TestSupport
import Testing

@testable import ClientDriver

@Suite("Transcripts")
struct TranscriptTests {
    private static func entries(
        _ write: (Transcript) throws -> Void
    ) throws -> (file: TranscriptFile, text: [UInt8]) {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "a.transcript")
        do {
            let transcript = try Transcript(path: path, heading: ["scenario a/b[c=1]", "seed 7"])
            try write(transcript)
        }
        return (try TranscriptFile(path: path), try folder.read("a.transcript"))
    }

    @Test("Keeps every line byte by byte, also what is no text and what has no end")
    func keepsBytes() throws {
        let odd: [[UInt8]] = [
            [], [0x20], [0xFF, 0x00, 0x22, 0x0D], Array("# not a remark".utf8),
            Array("< {\"a\":1}  ".utf8), Array("ü🌊".utf8),
        ]
        let (file, _) = try Self.entries { transcript in
            for line in odd {
                transcript.received(line)
                transcript.sent(line)
            }
            transcript.receivedHalf(Array("{\"eve".utf8))
            transcript.noted("ended with code 1\nand more")
        }
        #expect(file.heading == ["scenario a/b[c=1]", "seed 7"])
        #expect(
            file.entries.map(\.entry)
                == odd.flatMap { [.received($0), .sent($0)] } + [
                    .receivedHalf(Array("{\"eve".utf8)),
                    .noted("the client ended with code 1 and more"),
                ])
        let times = file.entries.map(\.time)
        #expect(times == times.sorted())
    }

    @Test("Copies the files that commands name as they are at that moment")
    func copiesFiles() throws {
        let folder = try TemporaryDirectory()
        let source = try folder.write("first", to: "source")
        let (download, missing) = (folder.path(of: "into/down"), folder.path(of: "missing"))
        try folder.write("old", to: "into/down")
        let path = folder.path(of: "b.transcript")
        let transcript = try Transcript(path: path, heading: [])
        func upload(_ file: String) -> ClientCommand {
            ClientCommand(
                .upload(.init(task: "up", object: .init(path: "a"), source: .file(path: file))))
        }
        func send(_ command: ClientCommand) {
            transcript.sent(Array(JSONLinesCodec.line(.perform(id: 1, command)).utf8))
        }
        send(upload(source))
        try folder.write("second", to: "source")
        send(ClientCommand(.burst([upload(source), upload(missing)])))
        send(
            ClientCommand(
                .download(
                    .init(task: "d", object: .init(path: "a"), target: .file(path: download)))))
        var seen: [String] = []
        for timed in try TranscriptFile(path: path).entries {
            guard case .file(let path, _, let kept) = timed.entry else { continue }
            let name = String(path.dropFirst(folder.path.count + 1))
            switch kept {
            case .copy(let copy):
                let bytes = try TemporaryDirectory.read(copy)
                seen.append("\(name): \(String(decoding: bytes, as: UTF8.self))")
            case .folder: seen.append("\(name): folder")
            case .nothing: seen.append("\(name): nothing")
            case .notKept: seen.append("\(name): not kept")
            }
        }
        #expect(
            seen == [
                "source: first", "source: second", "missing: nothing", "into: folder",
                "into/down: old",
            ])
    }

    @Test("Cuts what is too long, and says so")
    func cutsLongLines() throws {
        let (file, text) = try Self.entries { transcript in
            transcript.received([UInt8](repeating: 0x78, count: (1 << 20) + 5))
            transcript.received([0x79])
        }
        #expect(file.entries.last?.entry == .received([0x79]))
        #expect(file.entries.count == 2)
        let remark = "# the line has 1048581 bytes, of which 1048576 are shown\n"
        #expect(String(decoding: text, as: UTF8.self).contains(remark))
    }

    @Test(
        "Refuses what is no transcript, with the line",
        arguments: [
            ("", ":1: is no transcript"), ("hello\n", ":1: is no transcript"),
            ("# squall transcript 2\n", ":1: is no transcript"),
            ("# squall transcript 1\n0.000 > {}\nfoo\n", ":3: is no line of a transcript"),
            ("# squall transcript 1\n0.000 ? {}\n", ":2: is no line of a transcript"),
            ("# squall transcript 1\nsoon > {}\n", ":2: is no line of a transcript"),
        ])
    func refuses(text: String, problem: String) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(text, to: "c.transcript")
        #expect {
            try TranscriptFile(path: path)
        } throws: { error in
            "\(error)".hasPrefix(path + problem)
        }
    }
}
