import Scenario
import StorageModel
import Testing

@Suite("How bodies are sent, checked and resumed, rewritten for a profile")
struct ShapeRewritingTests {
    // MARK: Checksums

    private func download(_ fault: String, events: String, more: String = "") -> String {
        """
        needs: [checksums]
        """ + "\n" + Bodies.download(events, faults: "[\(fault)]", more: more)
    }

    @Test("A client that does not check succeeds with a false checksum, and its bytes are tested")
    func falseChecksum() {
        let body = download(
            "{match: download, do: {hash: wrong}}",
            events: "[resume, progress+, failure(nonMatchingChecksum)]",
            more: ", error: {code: nonMatchingChecksum}, local: absent")
        #expect(
            Rewriting("checksum: unchecked", body).changes == [
                "down.error: none",
                "down.events: [resume, progress+, success]",
                "down.local: not tested",
                "needs: not tested",
            ])
    }

    @Test("Where the bytes themselves are false, they are not held against the stored ones")
    func falseBytes() {
        let body = download(
            "{match: download, at: response-body 10, do: {corrupt: {flip: 1}}}",
            events: "[resume, progress+, failure(nonMatchingChecksum)]", more: ", local: absent")
        let rewriting = Rewriting("checksum: unchecked", body)
        #expect(
            rewriting["invariants"]
                == "{except: [stored-bytes], why: \"a fault falsifies the bytes, and the client "
                + "does not check them\"}")
        #expect(rewriting["down.events"] == "[resume, progress+, success]")
        #expect(rewriting["down.local"] == nil)
    }

    @Test("Without a fault that falsifies anything nothing changes")
    func nothingFalse() {
        let body = download(
            "{match: download#1, do: {respond: 503}}", events: "[resume, progress+, success]",
            more: ", local: {same-as: a.bin}")
        #expect(Rewriting("checksum: unchecked", body).changes.isEmpty)
    }

    @Test("A step that waits for the failure waits for the success")
    func falseWaited() {
        let body = """
            backend: {objects: {a.bin: {size: 1MiB, seed: 1}}}
            faults: [{match: download, do: {hash: wrong}}]
            steps:
              - {download: a.bin, as: down, to: file}
              - {delete: a.bin, as: gone, when: down failure}
            expect:
              down: {events: [resume, progress+, failure(nonMatchingChecksum)]}
            """
        #expect(Rewriting("checksum: unchecked", body)["steps[2].when"] == "down success")
    }

    // MARK: Small uploads

    private func small(_ size: String, _ more: String, faults: String = "[]") -> String {
        """
        faults: \(faults)
        steps:
          - {upload: a.bin, as: up, data: {size: \(size), seed: 1}}
        expect:
          up: {events: [resume, progress+, success]}
        \(more)
        """
    }

    @Test("A small upload is one request without a session")
    func multipart() {
        let more = """
              requests: [upload.start, upload.finalize offset=0 length=100KiB]
              exchanges: [{match: upload.start, header: {Authorization: present}, count: 1}, {match: upload.query, count: 0}]
              sessions: {started: 1, open: 0}
            """
        let trait = "small-upload: {multipart-to: 256KiB}"
        #expect(
            Rewriting(trait, small("100KiB", more)).changes == [
                "exchanges[1]: {match: upload.multipart, header: {Authorization: present}, count: 1}",
                "requests: [upload.multipart]",
                "sessions: {open: 0, started: 0}",
            ])
        let large = Rewriting(trait, small("256KiB", "").replacing("256KiB", with: "262145"))
        #expect(large.changes.isEmpty)
        #expect(
            Rewriting("small-upload: media", small("9MiB", more))["requests"] == "[upload.media]")
    }

    @Test(
        "What cannot be told of one request leaves the scenario out",
        arguments: [
            (
                "[{match: upload.start#1, do: {respond: 503}}]", "",
                "the fault 'upload.start#1: respond 503' waits for a request that this client does "
                    + "not make"
            ),
            (
                "[{match: upload.body#1, do: {drop: answer}}]", "",
                "what the fault 'upload.body#1: drop answer' does to an upload of one request is "
                    + "not told"
            ),
            (
                "[]", "  exchanges: [{match: upload.body, uploaded: 100KiB}]",
                "how many requests and bytes small uploads make is not told for 'upload.body'"
            ),
        ])
    func smallLeftOut(faults: String, more: String, reason: String) {
        let rewriting = Rewriting(
            "small-upload: {multipart-to: 256KiB}", small("100KiB", more, faults: faults))
        #expect(rewriting.skipReason == "profile mine, small-upload: " + reason)
    }

    // MARK: Chunks

    private static let whole = """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
        expect:
          up:
            events: [resume, progress@256KiB, progress@512KiB, progress@768KiB, progress@1MiB, success]
            progress: {total: 1MiB, count: 4}
          requests:
            - upload.start
            - upload.chunk offset=0 length=256KiB
            - upload.chunk x2
            - upload.finalize offset=768KiB length=256KiB
          exchanges: [{match: upload.body, overlap: false, uploaded: 1MiB, count: 4}, {match: upload.chunk, count: 3}]
        """

    @Test("An upload that nothing disturbs is cut as the client cuts it")
    func doubling() {
        #expect(
            Rewriting("chunks: {doubling: 256KiB..32MiB}", Self.whole).changes == [
                "exchanges[1]: {match: upload.body, uploaded: 1MiB, count: 3, overlap: false}",
                "exchanges[2]: {match: upload.chunk, count: 2}",
                "requests: [upload.start, upload.chunk offset=0 length=256KiB, "
                    + "upload.chunk offset=256KiB length=512KiB, "
                    + "upload.finalize offset=768KiB length=256KiB]",
                "up.events: [resume, progress@256KiB, progress@768KiB, progress@1MiB, success]",
                "up.progress: {total: 1MiB, count: 3}",
            ])
    }

    @Test("A client that sends everything in one request tells its progress once")
    func wholeChunks() {
        let rewriting = Rewriting("chunks: whole", Self.whole)
        #expect(rewriting["up.events"] == "[resume, progress@1MiB, success]")
        #expect(
            rewriting["requests"] == "[upload.start, upload.finalize offset=0 length=1MiB]")
        #expect(rewriting["exchanges[2]"] == "{match: upload.chunk, count: 0}")
    }

    @Test("A fixed size is rounded down to whole units of the server")
    func fixed() {
        #expect(
            Rewriting("chunks: {fixed: 600KiB}", Self.whole)["up.events"]
                == "[resume, progress@512KiB, progress@1MiB, success]")
        #expect(Rewriting("chunks: {fixed: 256KiB}", Self.whole).changes.isEmpty)
    }

    @Test("A client with its own chunks needs no capability to set them")
    func ownChunks() {
        let rewriting = Rewriting("chunks: whole", Self.whole)
        #expect(!rewriting.planned.scenario.requiredCapabilities.contains(.chunkSize))
    }

    private func disturbed(_ events: String, fault: String = "", step: String = "") -> String {
        """
        client: {chunkSize: 256KiB}
        faults: [\(fault)]
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
        \(step)
        expect:
          up: {events: \(events)}
        """
    }

    @Test("Open patterns hold for any cut, and counted ones around a fault are left out")
    func disturbedChunks() {
        let fault = "{match: upload.body#1, do: {respond: 503}}"
        let open = disturbed("[resume, progress+, success]", fault: fault)
        #expect(Rewriting("chunks: whole", open).skipReason == nil)
        let counted = disturbed("[resume, progress x4, success]", fault: fault)
        #expect(
            Rewriting("chunks: whole", counted).skipReason
                == "profile mine, chunks: which progress of 'up', cut in its own way, comes around a "
                + "fault, a pause or a cancel is not told")
        #expect(
            Rewriting("chunks: whole, progress-unit: sent", counted)["up.events"]
                == "[resume, progress+, success]")
    }

    @Test("When a progress comes is left out for another cut, and when it ends is not")
    func timeOfProgress() {
        let body = disturbed("[resume, progress+, success], time: {progress#1: \"< 8s\"}")
        #expect(
            Rewriting("chunks: whole", body).skipReason
                == "profile mine, chunks: when 'up', cut in its own way, tells its progress is not told"
        )
        #expect(Rewriting("chunks: {fixed: 256KiB}", body).skipReason == nil)
        let end = disturbed("[resume, progress+, success], time: {end: \"< 8s\"}")
        #expect(Rewriting("chunks: whole", end).skipReason == nil)
    }

    @Test("A fault on a request that this cut does not have leaves the scenario out")
    func missingChunk() {
        let events = "[resume, progress+, success]"
        let third = disturbed(events, fault: "{match: upload.body#3, do: {respond: 503}}")
        #expect(Rewriting("chunks: {doubling: 256KiB..1MiB}", third).skipReason == nil)
        #expect(
            Rewriting("chunks: {fixed: 512KiB}", third).skipReason
                == "profile mine, chunks: a step or fault is bound to 'upload.body#3' of 'up', which "
                + "this client cuts in its own way")
    }

    @Test("A step that waits for bytes that are told at the end alone leaves the scenario out")
    func lateProgress() {
        let body = disturbed(
            "[resume, progress+, failure(cancelled)]",
            step: "  - {cancel: up, when: up progress >= 512KiB}")
        #expect(Rewriting("chunks: {doubling: 256KiB..1MiB}", body).skipReason == nil)
        #expect(
            Rewriting("chunks: whole", body).skipReason
                == "profile mine, chunks: a step or fault waits for 'up progress >= 512KiB', which "
                + "this client, with its own chunks, does not tell before the end")
    }

    // MARK: Downloads

    @Test("A download that begins anew falls once for each break, and brings its bytes again")
    func restart() {
        let body =
            Bodies.download(
                "[resume, progress+, success]",
                faults:
                    "[{match: \"download#1..2\", at: response-body 50%, do: {disconnect: reset}}]",
                more: ", progress: {falls: 0, last: 1MiB}") + "\n"
                + """
                  requests: [download, download offset=512KiB, download offset=768KiB]
                  exchanges: [{match: download, count: 3, downloaded: ..2MiB}]
                """
        #expect(
            Rewriting("download-resume: restart", body).changes == [
                "down.progress: {last: 1MiB, falls: 0..2}",
                "exchanges[1]: {match: download, downloaded: <= 4MiB, count: 3}",
                "requests: [download, download offset=0, download offset=0]",
            ])
        let calm = Bodies.download("[resume, progress+, success]", more: ", progress: {falls: 0}")
        #expect(Rewriting("download-resume: restart", calm).changes.isEmpty)
    }

    // MARK: What depends on the cut

    /// An upload of four chunks, and a step that is bound to one of them.
    private func bound(_ when: String, more: String = "") -> String {
        """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
          - {cancel: up, when: "\(when)"}
        expect:
          up: {events: [resume, progress*, failure(cancelled)]}
        """ + "\n" + more
    }

    @Test(
        "A step that is bound to a moment of a body which the cut moves leaves the scenario out",
        arguments: [
            ("chunks: whole", "wire upload.body#1 after-commit"),
            ("chunks: whole", "wire upload.body#2 request-head"),
            ("chunks: {fixed: 512KiB}", "wire upload.body#2 response-head"),
            ("small-upload: media", "wire upload.body#1 after-commit"),
        ])
    func movedMoments(traits: String, when: String) {
        #expect(Rewriting(traits, bound(when)).skipReason?.contains("is bound to") == true)
    }

    @Test(
        "A step that is bound to bytes which a body does not have leaves the scenario out",
        arguments: ["256KiB", "300KiB"])
    func missingBytes(bytes: String) {
        let body = bound("wire upload.body#1 request-body \(bytes)")
            .replacing("chunkSize: 256KiB", with: "chunkSize: 512KiB")
        #expect(
            Rewriting("chunks: {fixed: 256KiB}", body).skipReason?.contains("is bound to") == true)
        #expect(Rewriting("chunks: whole", body).skipReason == nil)
    }

    @Test("A moment that all cuts have stays")
    func keptMoments() {
        let body = bound("wire upload.body#1 request-body 100KiB")
        for traits in ["chunks: whole", "chunks: {fixed: 512KiB}", "small-upload: media"] {
            #expect(Rewriting(traits, body).skipReason == nil)
        }
    }

    @Test(
        "An upload in one request is expected in as many as the client makes, around faults not at all"
    )
    func oneBecomesSeveral() {
        let body = """
            steps: [{upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}]
            expect:
              up: {events: [resume, progress+, success]}
              requests: [upload.start, upload.finalize]
            """
        #expect(
            Rewriting("chunks: {fixed: 512KiB}", body)["requests"]
                == "[upload.start, upload.chunk offset=0 length=512KiB, "
                + "upload.finalize offset=512KiB length=512KiB]")
        let faulty = "faults: [\"upload.finalize#1: respond 503\"]\n" + body
        #expect(
            Rewriting("chunks: {fixed: 512KiB}", faulty).skipReason?
                .contains("which bodies") == true)
    }

    @Test("How far an upload of other chunks is at a moment is not told")
    func snapshots() {
        let body = """
            client: {chunkSize: 256KiB}
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {snapshot: up, as: midway, when: up progress}
            expect:
              midway: {completed: 256KiB}
            """
        #expect(
            Rewriting("chunks: {fixed: 512KiB}", body).skipReason?.contains("'midway'") == true)
    }

    @Test("After a second pause it is not told how a client that doubles goes on")
    func pausedTwice() {
        let body = """
            client: {chunkSize: 256KiB}
            steps:
              - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
              - {pause: up, when: up progress >= 256KiB}
              - {resume: up, when: up pause}
              - {pause: up, when: up progress >= 768KiB}
              - {resume: up, when: "up pause#2"}
            expect:
              up: {events: [resume, progress*, pause, resume, progress*, pause, resume, progress+, success]}
            """
        #expect(
            Rewriting("chunks: {doubling: 256KiB..1MiB}", body).skipReason?
                .contains("does not tell before the end") == true)
    }

    @Test("A request that is the object alone carries no metadata but the type")
    func metadataAlone() {
        func body(_ metadata: String) -> String {
            """
            steps: [{upload: a.bin, as: up, data: {size: 10, seed: 1}, metadata: {\(metadata)}}]
            expect: {up: {events: [resume, progress+, success]}}
            """
        }
        #expect(Rewriting("small-upload: media", body("contentType: a/b")).skipReason == nil)
        #expect(
            Rewriting("small-upload: media", body("custom: {mood: calm}")).skipReason?
                .contains("carries none") == true)
    }

    @Test("What an upload of one request sends into a connection that breaks is not told")
    func sentIntoNothing() {
        let body = """
            faults: [{match: connect#1, do: {disconnect: reset}}]
            steps: [{upload: a.bin, as: up, data: {size: 10, seed: 1}}]
            expect: {up: {events: [resume, progress+, success]}}
            """
        #expect(
            Rewriting("progress-unit: sent, small-upload: media", body).skipReason?
                .contains("sent into it") == true)
        #expect(Rewriting("progress-unit: sent", body).skipReason == nil)
    }
}
