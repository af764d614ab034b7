// What the answer says, when its form is right.
extension FaultCatalogue {
    static let content: [CatalogueFault] = [
        CatalogueFault(
            49, "wrong-hash",
            "The right bytes come with wrong sums, or with none, in header and resource.",
            [("hash", "`wrong` or `missing`")],
            at: ["request-head", "before-commit", "after-commit", "response-head"],
            [
                FaultExample(
                    "download#1: hash wrong", try: "get -D -",
                    sees: .answer(200, says: "crc32c=/////w==")),
                FaultExample("download#1: hash missing", try: "get -D -", sees: .answer(200)),
            ],
            proofs: ["AnswerFaultTests.hash"]),
        CatalogueFault(
            50, "other-bytes",
            "Whole and well formed, but the bytes of another object or generation.",
            [
                ("respond", "`{status: 200, body: CONTENT}`"),
                ("object", "`{replace: PATH, with: CONTENT}`: a new generation at that moment"),
            ],
            at: ["before-commit", "response-head"],
            [
                FaultExample(
                    "download#1: respond {status: 200, body: {size: 1000000, seed: 9}}",
                    try: "get; cmp -s photo.jpg copy.jpg || echo differs; echo 200",
                    sees: .answer(200, says: "differs"))
            ],
            proofs: ["SelfTests.objects", "AnswerFaultTests.otherBytes"]),
        CatalogueFault(
            51, "wrong-range",
            "A range is ignored, refused, or answered with other bytes than its head says.",
            [("range", "`ignore`, `refuse`, `{shift: 100}` (may be negative) or `{longer: 100}`")],
            at: ["request-head", "before-commit"],
            [
                FaultExample(
                    "download#1: range ignore", try: "get -C 10", sees: .error(33, "", status: 200)),
                FaultExample(
                    "download#1: range refuse", try: "get -r 10-19", sees: .answer(416)),
                FaultExample(
                    "download#1: range {shift: 100}", try: "get -r 10-19 -D -",
                    sees: .answer(206, says: "Content-Range: bytes 110-119/1000000")),
            ],
            proofs: ["AnswerFaultTests.range", "AnswerFaultTests.longer"]),
        CatalogueFault(
            52, "moving-generation",
            "The object's generation, ETag or bytes change between two requests.",
            [
                ("object", "`{replace: PATH, with: CONTENT}`, `{touch: PATH}` or `{delete: PATH}`"),
                ("headers", "on `ETag` or `X-Goog-Generation`"),
            ],
            at: ["any but connect"],
            [
                FaultExample(
                    "download#2: object {replace: photo.jpg, with: {size: 1000000, seed: 9}}",
                    try: "get -r 0-9; get -r 10-19; cmp -s photo.jpg copy.jpg || echo 206",
                    sees: .answer(206)),
                FaultExample(
                    file: """
                        faults:
                          - match: download#1
                            per: run
                            at: response-end
                            do: {object: {delete: photo.jpg}}
                        """, try: "get; get",
                    sees: .answer(404)),
            ],
            proofs: ["SelfTests.objects"]),
        CatalogueFault(
            53, "wrong-json",
            "The metadata is cut off, has wrong types, lacks fields or has too many.",
            [
                (
                    "json",
                    "`set` and `remove` by dotted paths, `truncate` to bytes, `replace` by a text"
                )
            ],
            at: ["request-head", "before-commit", "after-commit", "response-head"],
            [
                FaultExample(
                    "metadata.get#1: json {truncate: 20}", try: "info",
                    sees: .answer(200, says: "{")),
                FaultExample(
                    "metadata.get#1: json {set: {size: [1, 2]}, remove: [md5Hash]}", try: "info",
                    sees: .answer(200, says: "\"size\":[1,2]")),
            ],
            proofs: ["AnswerFaultTests.json", "AnswerFaultTests.truncated"]),
        CatalogueFault(
            54, "endless-list",
            "A list gives the same page token for ever, or an empty page with a token.",
            [("json", "`set` on `items`, `prefixes` and `nextPageToken`")],
            at: ["response-head"],
            [
                FaultExample(
                    "list: json {set: {items: [], nextPageToken: again}}", try: "list",
                    sees: .answer(200, says: "\"nextPageToken\":\"again\""))
            ],
            proofs: ["AnswerFaultTests.json"]),
    ]
}
