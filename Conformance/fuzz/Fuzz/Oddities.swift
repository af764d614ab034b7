/// What seldom stands in a file.
enum Oddities {
    static let numbers = [
        "0", "1", "9223372036854775807", "9223372036854775808", "18446744073709551616", "00",
        "999999999999999999999999999999", "4294967296", "2147483648", "0x10", "0o7", "1_000",
        "106751", "8388608", "10000", "20000", "20001", "100000", "64", "65", "1000", "1001",
    ]

    static let unicode = [
        "\u{FEFF}", "\u{200B}", "\u{202E}", "\u{2028}", "\u{85}", "\u{A0}", "é", "e\u{301}",
        "\u{301}", "🧑‍🚀", "\u{1F1E9}\u{1F1EA}", "ＡＢ", "\u{0}", "\u{7}", "\u{7F}", "\u{FFFE}",
        "\u{10FFFF}", "\\u0000", "\\x00", "\"\\0\"", "\"\\u2028\"", "\"\\U0001F600\"", "\r\n", "\r",
        "\t", "ß", "ı", "ﬁ", "\u{D7FF}", "\u{E000}",
    ]

    static let values = [
        "null", "~", "true", "false", "yes", "\"\"", "''", "{}", "[]", "[[]]", "{a: b}", "absent",
        "present", "unchanged", "none", "any", "all", "always", "forever", "whole", "self", "end",
        "-1", "+1", "-0", "1e999", ".inf", ".nan", "0s", "0ms", "1.5s", "0.000000001s", "106751d",
        "106752d", "999TiB", "8388607TiB", "8388608TiB", "0%", "100%", "100.1%", "0.0000001%",
        "5..1", "1..", "..", "..5", "\">= 5\"", "\"> 9223372036854775807\"", "\"< 0\"", "\">=50%\"",
        "end-1", "object 5", "gs://b/a", "gs://b", "gs://", "a/${n}", "${n}", "${n}KiB", "${x}",
        "${", "*", "**", "?", "\"*\"", "\"**\"", "upload.body#0", "upload.body#1..0",
        "upload.body#last", "\"connect\"", "wire upload.body path=a b request-body 5", "up#2",
        "up end", "time 5s", "step a", "gate g", "fault f", "[up end, time 5s]", "{any: [[]]}",
        "{sequence: [progress], times: 3}", "{quiet: 5s}", "progress@5 x2",
        "failure(unknown|other)",
        "\"progress x99999\"", "{same-as: up}", "{size: 5, seed: 1}", "{size: 5}", "{text: \"\"}",
        "{base64: AAEC}", "{base64: AA}", "{file: a.png}", "{contains: \"\"}", "{matches: \"*\"}",
        "&b", "*b", "!!str", "|", ">", "|\n  a", "'a''b'", "\"a\\\nb\"", "? a : b", "<<: {a: b}",
    ]

    static let lines = [
        "copies: 3", "copies: 10000", "repeat: 3", "repeat: 10000", "times: always", "chance: 5%",
        "may-miss: true", "per: run", "gzip: true", "inside: true", "after: 5s", "when: time 5s",
        "as: up", "as: x", "matrix: {a: [1, 2], b: [x, y]}", "matrix-exclude: [{a: 1}]",
        "smoke: {a: 1}", "smoke: true", "level: may", "title: x", "outcomes: [{}]", "expect: {}",
        "profiles: {p: {skip: x}}", "profiles: {p: {up: {events: null}, requests: null}}",
        "- wait: 5s", "- {upload: a, as: u, data: {size: 5, seed: 1}}", "- cancel: up",
        "- {repeat: 3, do: [{upload: \"a${n}\", as: u, data: {size: \"${n}\", seed: 1}}]}",
        "invariants: {except: [completion], why: x}", "complaints: []", "requests: []",
        "settings: {resends: none}", "link: [{at: 5s, state: up}]", "clock: real", "- a", "a: b",
    ]
}
