import CloudStorage
import Foundation

/// Lets the library do one piece of work and prints how many seconds that took.
///
/// `squall-bench-client URL BUCKET WORK OBJECT ARGUMENT`, with `CA` in the environment where the URL is
/// `https`:
///
/// * `down-memory OBJECT BYTES`, `down-file OBJECT FILE`
/// * `up-memory OBJECT FILE`, `up-file OBJECT FILE`
/// * `small OBJECT COUNT`: so many downloads of one small object
@main
enum Program {
    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async {
        do {
            let seconds = try await run(Array(CommandLine.arguments.dropFirst()))
            print(seconds)
        } catch {
            FileHandle.standardError.write(Data("squall-bench-client: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws -> Double {
        guard arguments.count == 5 else {
            throw Wrong(description: "URL BUCKET WORK OBJECT ARGUMENT are wanted")
        }
        let storage = Storage.storage(app: StorageApp(bucket: arguments[1]))
        try storage.useServer(url: arguments[0])
        storage.certificateAuthorityFile = ProcessInfo.processInfo.environment["CA"]
        let place = storage.reference(withPath: arguments[3])
        return try await work(arguments[2], place, arguments[4])
    }

    private static func work(
        _ name: String, _ place: StorageReference, _ argument: String
    ) async throws -> Double {
        let file = URL(fileURLWithPath: argument)
        switch name {
        case "down-memory":
            let limit = Int64(argument) ?? 0
            return try await timed { _ = try await place.data(maxSize: limit) }
        case "down-file": return try await timed { _ = try await place.writeAsync(toFile: file) }
        case "up-memory":
            let content = try Data(contentsOf: file)
            return try await timed { _ = try await place.putDataAsync(content) }
        case "up-file": return try await timed { _ = try await place.putFileAsync(from: file) }
        case "small":
            let count = Int(argument) ?? 0
            return try await timed { try await small(place, count) }
        default: throw Wrong(description: "'\(name)' is no work")
        }
    }

    /// All are asked for at once; the library has as many under way as it has connections.
    private static func small(_ place: StorageReference, _ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { _ = try await place.data(maxSize: 4096) }
            }
            try await group.waitForAll()
        }
    }

    private static func timed(_ work: () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return (clock.now - start) / .seconds(1)
    }
}
