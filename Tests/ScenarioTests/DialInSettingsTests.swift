import Testing

@testable import Scenario

@Suite("What a client file says of dialing in")
struct DialInSettingsTests {
    private func read(_ block: String) -> ClientFile.Reading {
        let text = "name: page\nmode: dial-in\ndial-in: \(block)\n"
        return ClientFile.read(Array(text.utf8), file: "client.yaml")
    }

    @Test("Every key is read")
    func wholeBlock() throws {
        let block =
            "{host: '::1', port: 9311, open: \"sh -c 'open {url}'\", page: web, modules: dist, wait: 5s}"
        let file = try #require(read(block).file)
        let settings = try #require(file.dialIn)
        #expect(file.mode == .dialIn)
        #expect(settings.host?.value == "::1")
        #expect(settings.port == 9311)
        #expect(settings.open == ["sh", "-c", "open {url}"])
        #expect(settings.page?.value == "web")
        #expect(settings.modules?.value == "dist")
        #expect(settings.wait == .seconds(5))
    }

    @Test("Nothing has to be said but the mode")
    func nothing() throws {
        let text = "name: page\nmode: dial-in\n"
        let reading = ClientFile.read(Array(text.utf8), file: "client.yaml")
        #expect(try #require(reading.file).dialIn == nil)
        #expect(reading.isUsable)
    }

    @Test(
        "What cannot be is refused where it stands",
        arguments: [
            ("{port: 65536}", "3:17"), ("{host: 10.0.0.1}", "3:17"), ("{wait: 100ms}", "3:17"),
            ("{wait: 2h}", "3:17"), ("{open: ''}", "3:17"), ("{page: ''}", "3:17"),
            ("{prot: 9300}", "3:11"), ("9300", "3:10"),
        ])
    func refused(block: String, place: String) throws {
        let reading = read(block)
        #expect(reading.file == nil)
        let first = try #require(reading.diagnostics.first)
        #expect("\(first.place)" == "client.yaml:\(place)", "\(first.text)")
    }
}
