import StorageModel
import Testing

@testable import ControlAPI

@Suite("Routes of the control API")
struct ControlRouteTests {
    @Test(
        "A target leads to its route, with the parts of its path unescaped",
        arguments: [
            ("GET", "/v1", ControlRoute.index, [:]), ("HEAD", "/v1/health", .health, [:]),
            ("GET", "/v1/health?x=1", .health, [:]),
            ("DELETE", "/v1/faults/cut", .fault, ["fault": "cut"]),
            ("POST", "/v1/gates/go/release", .gateRelease, ["gate": "go"]),
            ("PUT", "/v1/objects/a", .object, ["path": "a"]),
            ("GET", "/v1/objects/a/b%20c/d", .object, ["path": "a/b c/d"]),
            ("GET", "/v1/objects/a%2Fb", .object, ["path": "a/b"]),
            ("GET", "/v1/journal/follow", .journalFollow, [:]),
            ("POST", "/v1/snapshots/before/restore", .snapshotRestore, ["snapshot": "before"]),
        ] as [(String, String, ControlRoute, [String: String])])
    func finds(method: String, target: String, route: ControlRoute, parts: [String: String]) {
        #expect(
            ControlRoute.find(method, RequestTarget(target)) == .found(route, parameters: parts))
    }

    @Test(
        "What is no route is none",
        arguments: [
            "/", "/v1/", "/v2/health", "/v1/health/more", "/v1/faults/", "/v1/faults/a/b",
            "/v1/objects/", "/v1/gates/go/open", "/health", "/v1//health", "/V1/health",
        ])
    func unknown(target: String) {
        #expect(ControlRoute.find("GET", RequestTarget(target)) == .unknown)
    }

    @Test(
        "Another method than a route takes is told with the route",
        arguments: [
            ("POST", "/v1/health", ControlRoute.health), ("GET", "/v1/reset", .reset),
            ("HEAD", "/v1/reset", .reset), ("PATCH", "/v1/objects/a", .object),
            ("OPTIONS", "/v1/faults", .faults), ("get", "/v1/health", .health),
        ])
    func wrongMethod(method: String, target: String, route: ControlRoute) {
        #expect(ControlRoute.find(method, RequestTarget(target)) == .wrongMethod(route))
    }

    @Test("No two routes have one path, and each takes a method")
    func distinct() {
        #expect(Set(ControlRoute.allCases.map(\.rawValue)).count == ControlRoute.allCases.count)
        #expect(ControlRoute.allCases.allSatisfy { !$0.methods.isEmpty })
    }

    @Test("HEAD stands beside GET in what is allowed, and nowhere else")
    func allowed() {
        #expect(ControlRoute.object.allowed == ["GET", "HEAD", "PUT", "DELETE"])
        #expect(ControlRoute.reset.allowed == ["POST"])
    }
}
