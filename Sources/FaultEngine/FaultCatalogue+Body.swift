// The body of the answer.
extension FaultCatalogue {
    private static let place = ("N", "bytes of this body, `60%`, `end`, `end-1`, or `object 1MiB`")

    static let body: [CatalogueFault] = [
        CatalogueFault(
            43, "broken-chunks",
            "The marks of a chunked body are wrong, lost, doubled or followed by more.",
            [
                (
                    "framing",
                    "`bad-chunk-size`, `missing-last-chunk`, `bytes-after-last`, `lost-chunk`, "
                        + "`doubled-chunk` or `with-trailer`"
                )
            ],
            at: ["response-head"],
            [
                FaultExample(
                    "download#1: framing missing-last-chunk", try: "get",
                    sees: .error(18, "outstanding read data remaining", status: 200)),
                FaultExample(
                    "download#1: framing bad-chunk-size", try: "get",
                    sees: .error(56, "", status: 200)),
            ],
            proofs: [
                "FramingFaultTests.badSize", "FramingFaultTests.noLastChunk",
                "FramingFaultTests.bytesAfterLast", "FramingFaultTests.trailer",
                "FramingFaultTests.lostChunk", "FramingFaultTests.doubledChunk",
            ]),
        CatalogueFault(
            44, "cut-download",
            "The connection ends after exactly N bytes of the body, with RST or FIN.",
            [place, ("disconnect", "`close`, `reset` or `half`")],
            at: ["response-body N"],
            [
                FaultExample(
                    "download#1 @ response-body 60%: disconnect reset", try: "get",
                    sees: .error(56, "Connection reset by peer", status: 200)),
                FaultExample(
                    "download#1 @ response-body 60%: disconnect close", try: "get",
                    sees: .error(18, "400000 bytes remaining to read", status: 200)),
            ],
            proofs: [
                "BreakFaultTests.download", "BreakFaultTests.afterLast", "SlowReaderTests.exactly",
            ]),
        CatalogueFault(
            45, "stalled-download",
            "After exactly N bytes of the body nothing comes, for a time or for ever.",
            [
                place, ("stall", "duration, or `forever`"),
                ("silence", "for ever, and nothing is read"),
            ],
            at: ["response-body N"],
            [
                FaultExample(
                    "download#1 @ response-body 60%: stall forever", try: "get",
                    sees: .error(28, "600000 out of 1000000 bytes received", status: 200)),
                FaultExample(
                    "download#1 @ response-body 60%: silence", try: "get",
                    sees: .error(28, "600000 out of 1000000 bytes received", status: 200)),
            ],
            proofs: ["BreakFaultTests.download", "OffsetFaultTests.downloadStall"]),
        CatalogueFault(
            46, "slow-download", "The body comes at a rate.",
            [("throttle", "rate, bytes per second, from the phase on: `64KiB/s`")],
            at: ["response-head", "response-body N"],
            [
                FaultExample(
                    "download#1: throttle 256KiB/s", try: "get",
                    sees: .error(28, "out of 1000000 bytes received", status: 200))
            ],
            proofs: ["VirtualTimeTests.throttle", "PaceFaultTests.download"]),
        CatalogueFault(
            47, "dribble",
            "The body comes in pieces of a size with a gap before each but the first.",
            [("slice", "`{size, gap}`: 1 byte or more, and a duration")],
            at: ["response-head", "response-body N"],
            [
                FaultExample(
                    "download#1: slice {size: 200000, gap: 100ms}", try: "get", sees: .answer(200))
            ],
            proofs: ["PaceFaultTests.download"]),
        CatalogueFault(
            48, "corruption",
            "Bytes are flipped, zeroed, drawn, lost, doubled or added from a place on, up or down.",
            [
                place,
                (
                    "corrupt",
                    "`flip`, `zero`, `random`, `drop`, `duplicate` or `insert`: 1 byte or more"
                ),
            ],
            at: ["request-body N", "response-body N"],
            [
                FaultExample(
                    "download#1 @ response-body 50%: corrupt {flip: 1}",
                    try: "get; cmp photo.jpg copy.jpg || echo 200",
                    sees: .answer(200, says: "differ: byte 500001")),
                FaultExample(
                    "upload.media#1 @ request-body 50%: corrupt {random: 10}",
                    try: "put; ask -o copy.jpg \"$base/new.jpg?alt=media\"; "
                        + "cmp photo.jpg copy.jpg || echo 200",
                    sees: .answer(200, says: "differ: byte 500001")),
                FaultExample(
                    "upload.media#1 @ request-body 50%: corrupt {drop: 10}",
                    try: "put; cat answer; echo; echo 200",
                    sees: .answer(200, says: "\"size\":\"999990\"")),
            ],
            proofs: [
                "BreakFaultTests.corruptUpload", "AlteredBodyTests.changed",
                "CorruptionTests.exact",
            ]),
    ]
}
