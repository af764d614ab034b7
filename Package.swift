// swift-tools-version: 6.2
import PackageDescription

// A target imports downwards only; `Tests/RepositoryTests` holds the same table and checks it.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ needs: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: needs, swiftSettings: settings)
}

func tests(_ name: String, _ needs: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: needs, swiftSettings: settings)
}

let package = Package(
    name: "squall",
    products: [
        .library(name: "CloudStorage", targets: ["CloudStorage"]),
        .executable(name: "squall", targets: ["squall"]),
        .executable(name: "squall-reference-client", targets: ["squall-reference-client"]),
        .executable(name: "squall-swift-client", targets: ["squall-swift-client"]),
        .executable(name: "squall-stress", targets: ["squall-stress"]),
        .executable(name: "squall-fuzz", targets: ["squall-fuzz"]),
        .executable(name: "squall-mutants", targets: ["squall-mutants"]),
    ],
    targets: [
        // Maps of C libraries
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(
            name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        // Layer 0
        library("StorageModel"),
        library("Checksums", ["CISAL", "CNettle"]),
        // Layer 1
        library("EventLoop", ["CEpoll"]),
        library("ObjectStore", ["StorageModel", "Checksums", "CZlib"]),
        library("FaultEngine", ["StorageModel"]),
        // Layer 2
        library(
            "HTTPEngine", ["StorageModel", "EventLoop", "CEpoll", "CMicroHTTPD", "CGnuTLS"]),
        library("StorageWire", ["StorageModel", "Checksums", "ObjectStore"]),
        library("EventMatching", ["StorageModel", "FaultEngine"]),
        library("ClientDriver", ["StorageModel", "EventLoop", "CEpoll"]),
        // Layer 3
        library(
            "MockServer",
            [
                "StorageModel", "Checksums", "EventLoop", "ObjectStore", "FaultEngine",
                "HTTPEngine", "StorageWire",
            ]),
        library(
            "Scenario",
            [
                "StorageModel", "Checksums", "FaultEngine", "EventMatching", "ClientDriver",
                "CYAML",
            ]),
        library("CloudStorage", ["StorageModel", "Checksums", "EventLoop", "CEpoll", "CCurl"]),
        library("DialIn", ["StorageModel", "EventLoop", "HTTPEngine", "ClientDriver"]),
        library("RunModel", ["StorageModel", "Checksums", "EventMatching"]),
        // Layer 4
        library("ReferenceDriver", ["StorageModel", "EventLoop", "ClientDriver", "CloudStorage"]),
        library("Reporting", ["StorageModel", "EventMatching", "RunModel"]),
        library(
            "ControlAPI",
            [
                "StorageModel", "Checksums", "EventLoop", "ObjectStore", "FaultEngine",
                "HTTPEngine", "EventMatching", "MockServer", "Scenario",
            ]),
        library(
            "ScenarioRunner",
            [
                "StorageModel", "Checksums", "EventLoop", "ObjectStore", "FaultEngine",
                "EventMatching", "ClientDriver", "MockServer", "Scenario", "RunModel",
            ]),
        // Layer 5
        .executableTarget(
            name: "squall",
            dependencies: [
                "StorageModel", "Checksums", "EventLoop", "FaultEngine", "ClientDriver",
                "MockServer", "Scenario", "DialIn", "RunModel", "ReferenceDriver", "ControlAPI",
                "Reporting", "ScenarioRunner",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "squall-reference-client",
            dependencies: [
                "StorageModel", "EventLoop", "ClientDriver", "CloudStorage", "ReferenceDriver",
            ],
            path: "Conformance/adapters/reference", exclude: ["README.md", "client.yaml"],
            swiftSettings: settings),
        .executableTarget(
            name: "squall-swift-client", dependencies: ["CloudStorage"],
            path: "Conformance/adapters/swift", exclude: ["README.md", "client.yaml"],
            swiftSettings: settings),
        .executableTarget(
            name: "squall-bench-client", dependencies: ["CloudStorage"],
            path: "Conformance/measure/beside-curl", swiftSettings: settings),
        .executableTarget(
            name: "squall-zoo-client", path: "Conformance/zoo/client", swiftSettings: settings),
        .executableTarget(
            name: "squall-transfer-client", dependencies: ["CloudStorage"],
            path: "Conformance/measure/client", swiftSettings: settings),
        .target(
            name: "Stress",
            dependencies: [
                "StorageModel", "EventLoop", "FaultEngine", "ObjectStore", "MockServer", "Scenario",
                "CloudStorage", "TestSupport",
            ],
            path: "Conformance/stress/Stress", swiftSettings: settings),
        .executableTarget(
            name: "squall-stress", dependencies: ["EventLoop", "Stress"],
            path: "Conformance/stress/tool", swiftSettings: settings),
        .target(
            name: "Fuzz", dependencies: ["StorageModel", "FaultEngine", "Scenario"],
            path: "Conformance/fuzz/Fuzz", swiftSettings: settings),
        .executableTarget(
            name: "squall-fuzz", dependencies: ["CEpoll", "Fuzz"],
            path: "Conformance/fuzz/tool", swiftSettings: settings),
        .target(
            name: "Mutants",
            dependencies: [
                "StorageModel", "EventLoop", "ClientDriver", "Scenario", "CloudStorage", "RunModel",
                "ReferenceDriver", "ScenarioRunner",
            ],
            path: "Conformance/mutants/Mutants", swiftSettings: settings),
        .executableTarget(
            name: "squall-mutants",
            dependencies: ["StorageModel", "ClientDriver", "Scenario", "RunModel", "Mutants"],
            path: "Conformance/mutants/tool", swiftSettings: settings),
        // Tests
        .target(
            name: "WireProbe", dependencies: ["CEpoll", "CGnuTLS"], path: "Tests/WireProbe",
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["StorageModel", "EventLoop"],
            path: "Tests/TestSupport", swiftSettings: settings),
        tests("StorageModel", ["StorageModel"]),
        tests("Checksums", ["Checksums", "StorageModel"]),
        tests("EventLoop", ["EventLoop", "TestSupport", "CEpoll"]),
        tests("ObjectStore", ["StorageModel", "Checksums", "ObjectStore"]),
        tests("FaultEngine", ["StorageModel", "FaultEngine"]),
        tests(
            "HTTPEngine", ["StorageModel", "EventLoop", "HTTPEngine", "TestSupport", "WireProbe"]),
        tests("StorageWire", ["StorageModel", "Checksums", "ObjectStore", "StorageWire"]),
        tests("EventMatching", ["StorageModel", "FaultEngine", "EventMatching"]),
        tests(
            "ClientDriver", ["StorageModel", "EventLoop", "ClientDriver", "TestSupport"]),
        tests(
            "MockServer",
            [
                "StorageModel", "Checksums", "EventLoop", "ObjectStore", "FaultEngine",
                "HTTPEngine", "StorageWire", "MockServer", "TestSupport", "WireProbe",
            ]),
        tests(
            "ControlAPI",
            [
                "StorageModel", "EventLoop", "FaultEngine", "ObjectStore", "MockServer",
                "Scenario", "ControlAPI", "TestSupport", "WireProbe",
            ]),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "StorageModel", "FaultEngine", "EventMatching", "ClientDriver", "Scenario",
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        tests(
            "CloudStorage",
            [
                "StorageModel", "Checksums", "EventLoop", "ObjectStore", "MockServer",
                "CloudStorage",
                "TestSupport", "WireProbe",
            ]),
        tests(
            "DialIn",
            ["StorageModel", "EventLoop", "ClientDriver", "DialIn", "TestSupport", "WireProbe"]),
        tests("RunModel", ["StorageModel", "EventMatching", "RunModel"]),
        tests("Reporting", ["StorageModel", "EventMatching", "RunModel", "Reporting"]),
        tests(
            "ScenarioRunner",
            [
                "StorageModel", "EventLoop", "FaultEngine", "EventMatching", "ClientDriver",
                "MockServer", "Scenario", "RunModel", "CloudStorage", "ReferenceDriver",
                "ScenarioRunner", "Mutants", "TestSupport",
            ]),
        tests(
            "ReferenceDriver",
            [
                "StorageModel", "EventLoop", "ClientDriver", "CloudStorage", "ReferenceDriver",
                "TestSupport",
            ]),
        tests(
            "Command",
            [
                "StorageModel", "FaultEngine", "Scenario", "TestSupport", "WireProbe", "squall",
                "squall-reference-client", "squall-zoo-client", "squall-transfer-client",
            ]),
        tests(
            "DocumentedUsage",
            [
                "StorageModel", "EventLoop", "MockServer", "Scenario", "CloudStorage",
                "TestSupport",
            ]),
        tests("WireProbe", ["EventLoop", "TestSupport", "WireProbe"]),
        tests("Stress", ["EventLoop", "CloudStorage", "Stress", "TestSupport"]),
        tests("Fuzz", ["StorageModel", "Scenario", "Fuzz"]),
        tests("Repository"),
    ],
    swiftLanguageModes: [.v6]
)
