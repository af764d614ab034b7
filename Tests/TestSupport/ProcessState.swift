import Foundation

/// What this process holds at the moment.
package enum ProcessState {
    /// Open file descriptors.
    package static var descriptorCount: Int {
        // The listing itself holds one.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1) ?? -1
    }

    package static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1
    }

    /// Resident memory in bytes.
    package static var residentBytes: Int { field("VmRSS") }

    /// Resident memory that is no file's, in bytes.
    package static var privateBytes: Int { field("RssAnon") }

    private static func field(_ name: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return -1
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let digits = line?.filter(\.isNumber) ?? ""
        return (Int(digits) ?? -1) * 1024
    }
}
