import Glibc

/// Counts that a worker and who watches it see both: they outlive the worker's end.
///
/// `@unchecked Sendable`: each process has one thread that touches it, and a number is written whole.
package final class SharedTally: @unchecked Sendable {
    package enum Field: Int, CaseIterable {
        /// The number of the file that is being looked at; as large as the last where it is done.
        case current
        case refused, loaded, tooLong, findings
        /// Microseconds of CPU time that the slowest file took, and its number.
        case slowest, slowestFile
    }

    private let memory: UnsafeMutablePointer<Int64>
    private static let size = Field.allCases.count * MemoryLayout<Int64>.size

    /// Maps a file, which is made if it is not there.
    ///
    /// - Throws: `Corpus.Failure` with the system's reason.
    package init(path: String) throws(Corpus.Failure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, Self.size) == 0,
            let map = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            map != MAP_FAILED
        else {
            throw Corpus.Failure(text: "\(path): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        memory = map.bindMemory(to: Int64.self, capacity: Field.allCases.count)
    }

    deinit { munmap(memory, Self.size) }

    package subscript(field: Field) -> Int {
        get { Int(memory[field.rawValue]) }
        set { memory[field.rawValue] = Int64(newValue) }
    }
}
