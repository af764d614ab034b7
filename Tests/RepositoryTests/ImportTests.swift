import Testing

/// What each target may import: its own layer's neighbours are not among them.
private let layers: [(layer: Int, target: String)] = [
    (0, "StorageModel"), (0, "Checksums"),
    (1, "EventLoop"), (1, "ObjectStore"), (1, "FaultEngine"),
    (2, "HTTPEngine"), (2, "StorageWire"), (2, "EventMatching"), (2, "ClientDriver"),
    (3, "MockServer"), (3, "Scenario"), (3, "CloudStorage"), (3, "RunModel"),
    (3, "DialIn"),
    (4, "ScenarioRunner"), (4, "Reporting"), (4, "ReferenceDriver"), (4, "ControlAPI"),
    (5, "squall"),
]

/// Which target wraps which C library; nobody else imports it.
private let owners: [String: Set<String>] = [
    "CMicroHTTPD": ["HTTPEngine"], "CCurl": ["CloudStorage"], "CYAML": ["Scenario"],
    "CGnuTLS": ["HTTPEngine"], "CISAL": ["Checksums"], "CNettle": ["Checksums"],
    "CZlib": ["ObjectStore"],
    "CEpoll": ["EventLoop", "HTTPEngine", "ClientDriver", "CloudStorage"],
]

/// Below the layer of JSON and of the product's API there is no Foundation, but for JSON.
private let foundationUsers: Set<String> = [
    "StorageWire", "ClientDriver", "CloudStorage", "Scenario", "MockServer", "ReferenceDriver",
    "Reporting", "ScenarioRunner", "squall",
]

private struct Import: Hashable {
    let target: String
    let module: String
    let place: String
}

private func imports() throws -> [Import] {
    try Repository.swiftFiles(below: "Sources").flatMap { file -> [Import] in
        let target = String(file.path.split(separator: "/")[1])
        return file.lines.enumerated().compactMap { index, line in
            let words = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"), at <= 1, words.count > at + 1,
                at == 0
                    || ["package", "public", "private", "internal", "@preconcurrency"]
                        .contains(words[0])
            else { return nil }
            let module = String(words.last?.split(separator: ".").first ?? "")
            return Import(target: target, module: module, place: "\(file.path):\(index + 1)")
        }
    }
}

@Suite("Imports")
struct ImportTests {
    @Test("A target imports only targets of lower layers")
    func downwardsOnly() throws {
        let layerOf = Dictionary(uniqueKeysWithValues: layers.map { ($0.target, $0.layer) })
        let all = try imports()
        #expect(all.count > 50, "the imports were not found")
        for item in all {
            let layer = try #require(layerOf[item.target], "no layer for \(item.target)")
            guard let imported = layerOf[item.module] else { continue }
            #expect(imported < layer, "\(item.place): \(item.target) imports \(item.module)")
        }
    }

    @Test("A C library is imported only by the target that wraps it")
    func oneOwnerPerLibrary() throws {
        for item in try imports() where item.module.hasPrefix("C") {
            guard let owners = owners[item.module] else { continue }
            #expect(owners.contains(item.target), "\(item.place): imports \(item.module)")
        }
    }

    @Test("Every imported module is one of ours or one that we allow")
    func knownModulesOnly() throws {
        let known = Set(layers.map(\.target)).union(owners.keys)
            // Of Synchronization only atomics: ThreadSanitizer does not see its mutex on Linux.
            .union(["Glibc", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization"])
        for item in try imports() {
            #expect(known.contains(item.module), "\(item.place): imports \(item.module)")
        }
    }

    @Test("Foundation stays where JSON, files or the product's API need it")
    func foundation() throws {
        for item in try imports() where item.module.hasPrefix("Foundation") {
            #expect(foundationUsers.contains(item.target), "\(item.place) imports Foundation")
        }
    }

    @Test("Every folder of Sources is a target with a layer, or a map of a C library")
    func everyTargetHasALayer() throws {
        let known = Set(layers.map(\.target)).union(owners.keys)
        for file in try Repository.swiftFiles(below: "Sources") {
            let target = String(file.path.split(separator: "/")[1])
            #expect(known.contains(target), "\(file.path): no layer for \(target)")
        }
    }
}
