import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Lists")
struct ListTests {
    private func wire(_ names: [String]) throws -> Wire {
        let wire = Wire()
        for name in names {
            try wire.store.put(ByteArraySource([1]), as: name, in: "demo.appspot.com")
        }
        return wire
    }

    private func list(_ wire: Wire, _ query: String) -> HTTPResponse {
        wire.send("GET", "/v0/b/demo.appspot.com/o?\(query)")
    }

    @Test(
        "Folds names behind the delimiter",
        arguments: [
            (
                "delimiter=/",
                #"{"items":[{"bucket":"demo.appspot.com","name":"a"}],"prefixes":["p/"]}"#
            ),
            (
                "prefix=&delimiter=%2F",
                #"{"items":[{"bucket":"demo.appspot.com","name":"a"}],"prefixes":["p/"]}"#
            ),
            (
                "prefix=p/&delimiter=/",
                #"{"items":[{"bucket":"demo.appspot.com","name":"p/b"}],"prefixes":["p/q/"]}"#
            ),
            ("prefix=none/&delimiter=/", #"{"items":[],"prefixes":[]}"#),
            (
                "prefix=p/q/",
                #"{"items":[{"bucket":"demo.appspot.com","name":"p/q/c"}],"prefixes":[]}"#
            ),
        ])
    func folds(query: String, wanted: String) throws {
        let wire = try wire(["a", "p/b", "p/q/c"])
        #expect(list(wire, query).text == wanted + "\n")
    }

    @Test("Pages count items and prefixes together, in the order of their bytes")
    func pages() throws {
        let wire = try wire(["a", "b", "prefix/c", "prefix/d", "z/1", "zz"])
        var pages: [String] = []
        var token = ""
        repeat {
            let answer = list(wire, "delimiter=/&maxResults=2&pageToken=\(token)")
            pages.append(answer.text)
            token = answer.field("nextPageToken") ?? ""
        } while !token.isEmpty && pages.count < 9
        let item = { (name: String) in #"{"bucket":"demo.appspot.com","name":"\#(name)"}"# }
        #expect(pages.count == 3)
        #expect(pages[0].hasPrefix(#"{"items":[\#(item("a")),\#(item("b"))],"nextPageToken":""#))
        #expect(pages[1].hasPrefix(#"{"items":[],"nextPageToken":""#))
        #expect(pages[1].hasSuffix(#""prefixes":["prefix/","z/"]}"# + "\n"))
        #expect(pages[2] == #"{"items":[\#(item("zz"))],"prefixes":[]}"# + "\n")
    }

    @Test("Ten items by four take three pages, a full last page has no token")
    func threePages() throws {
        let wire = try wire((0..<10).map { "n\($0)" })
        let one = list(wire, "maxResults=4")
        let two = list(wire, "maxResults=4&pageToken=\(one.field("nextPageToken") ?? "")")
        let three = list(wire, "maxResults=4&pageToken=\(two.field("nextPageToken") ?? "")")
        #expect(three.text.contains("n9") && three.field("nextPageToken") == nil)
        #expect(list(wire, "maxResults=10").field("nextPageToken") == nil)
        #expect(list(wire, "maxResults=5000").field("nextPageToken") == nil)
    }

    @Test(
        "Refuses a prefix in mid-segment, odd page sizes and foreign tokens",
        arguments: [
            "prefix=abc", "maxResults=0", "maxResults=-1", "maxResults=x", "pageToken=n3",
            "pageToken=AAAAAABu", "pageToken=%00",
        ])
    func refuses(query: String) throws {
        let answer = list(try wire(["n1"]), query)
        #expect(answer.status == 400)
        #expect(answer.text.contains(#""code":400"#))
    }

    @Test("A token belongs to its listing")
    func foreignToken() throws {
        let wire = try wire(["a", "b", "c"])
        let token = try #require(list(wire, "maxResults=1").field("nextPageToken"))
        #expect(list(wire, "maxResults=1&pageToken=\(token)").status == 200)
        #expect(list(wire, "maxResults=1&delimiter=/&pageToken=\(token)").status == 400)
    }

    @Test("Goes on behind an item that is gone")
    func goneItem() throws {
        let wire = try wire(["a", "b", "c"])
        let token = try #require(list(wire, "maxResults=2").field("nextPageToken"))
        try wire.store.delete("b", in: "demo.appspot.com")
        #expect(list(wire, "pageToken=\(token)").text.contains(#""name":"c""#))
    }

    @Test("Leaves out names with empty segments and placeholders of folders")
    func unusualNames() throws {
        let wire = try wire(["a//b", "folder/", "folder/x", "/lead", "plain"])
        let root = list(wire, "delimiter=/").text
        #expect(root.contains(#""prefixes":["a/","folder/"]"#))
        #expect(root.contains("plain") && !root.contains("lead"))
        let folder = list(wire, "prefix=folder/&delimiter=/").text
        #expect(folder.contains("folder/x") && !folder.contains(#""name":"folder/""#))
        #expect(list(wire, "prefix=a/&delimiter=/").text == #"{"items":[],"prefixes":[]}"# + "\n")
    }

    @Test("Names are ordered by their bytes and told apart by them")
    func bytes() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let wire = try wire(["z", composed, decomposed, "a", "B"])
        let text = list(wire, "").text
        let places = ["B", "a", decomposed, "z", composed].compactMap { name in
            text.utf8.firstRange(of: "\"name\":\"\(name)\"".utf8)?.lowerBound
        }
        #expect(places.count == 5 && places == places.sorted())
        #expect(wire.store.liveNames(in: "demo.appspot.com").count == 5)
    }

    @Test("Deleted objects are not listed, replaced ones once")
    func liveOnly() throws {
        let wire = try wire(["a", "a", "b"])
        try wire.store.delete("b", in: "demo.appspot.com")
        #expect(
            list(wire, "").text
                == #"{"items":[{"bucket":"demo.appspot.com","name":"a"}],"prefixes":[]}"# + "\n")
    }
}
