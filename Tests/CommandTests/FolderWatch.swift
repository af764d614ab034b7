import Foundation
import Glibc
import Testing

/// Tells of changes of the files in a folder. Source: inotify(7).
final class FolderWatch {
    private let descriptor: Int32

    init(_ folder: URL) throws {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        try #require(descriptor >= 0)
        let changes = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
        try #require(inotify_add_watch(descriptor, folder.path, changes) >= 0)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits for a change that came after the watch was made and was not waited for; false: none
    /// came in time.
    func change(before end: ContinuousClock.Instant) -> Bool {
        while true {
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&event, 1, Int32(max(0, left.rounded(.up))))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            return true
        }
    }
}

extension Scratch {
    private static let ended = "ended"

    /// Waits until something holds of what lies in the folder, looking after each change.
    func wait(
        for what: String, within limit: Duration = .seconds(10), until isSo: () throws -> Bool
    ) throws {
        let watch = try FolderWatch(url)
        let end = ContinuousClock.now + limit
        while try !isSo() { try #require(watch.change(before: end), "waited for \(what)") }
    }

    /// Starts a process whose end is a change of the folder.
    func run(_ process: Process) throws {
        process.terminationHandler = { [self] _ in _ = try? file(Self.ended, "") }
        try process.run()
    }

    /// Whether the process that was run here has ended.
    var hasEnded: Bool {
        FileManager.default.fileExists(atPath: url.appending(path: Self.ended).path)
    }

    func waitForEnd(of process: Process) throws {
        try wait(for: "its end") { hasEnded }
        process.waitUntilExit()
    }
}
