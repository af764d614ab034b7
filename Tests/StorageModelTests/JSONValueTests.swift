import StorageModel
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "A text comes back as it was, members and numbers untouched",
        arguments: [
            #"{"b":1,"a":[true,false,null],"c":{"d":"e"}}"#, "[]", "{}", "-1.50e+10", "\"x\"", "0",
            #"["\"\\\n\u0001"]"#, "\"ü\u{1F600}\"",
        ])
    func roundTrip(text: String) {
        #expect(JSONValue(parsing: Array(text.utf8))?.text == text)
    }

    @Test(
        "Escapes are read",
        arguments: [
            (#""\u00fc\/\b\f\t\r""#, "ü/\u{8}\u{c}\t\r"), (#""\ud83d\ude00""#, "\u{1F600}"),
        ])
    func escapes(text: String, expected: String) {
        #expect(JSONValue(parsing: Array(text.utf8)) == .string(expected))
    }

    @Test("White space between tokens is skipped")
    func space() {
        let text = " { \"a\" : [ 1 , 2 ] } \n"
        #expect(JSONValue(parsing: Array(text.utf8))?.text == #"{"a":[1,2]}"#)
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", "+1", ".5", "tru", "\"a",
            "\"\n\"", #""\x""#, #""\ud83d""#, "1 2", "[1", "-", "1e", "nul", "{\"a\":1,}",
        ])
    func refused(text: String) {
        #expect(JSONValue(parsing: Array(text.utf8)) == nil)
    }

    @Test("Nesting beyond the limit is refused, not a crash")
    func deep() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(JSONValue(parsing: Array(deep.utf8)) == nil)
    }

    @Test("Scalars are found by their paths")
    func scalars() {
        let text = #"{"a":1,"m":{"x":"y","z":{"w":true}},"l":[1]}"#
        let value = JSONValue(parsing: Array(text.utf8))
        #expect(value?.scalars == ["a": "1", "m.x": "y", "m.z.w": "true"])
    }
}
