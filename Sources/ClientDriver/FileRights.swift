import CEpoll
import Glibc

/// The right of root to open any file, which clients under test must not have: to them, a file that is
/// forbidden has to be so.
///
/// Source: capabilities(7), CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
package enum FileRights {
    private static let overridesModes: Int32 = 1
    private static let readsAnything: Int32 = 2
    private static let mask: UInt32 = 1 << overridesModes | 1 << readsAnything

    /// Gives it up for this process, as far as `regained` does not ask for it, and for good for all
    /// that it starts. Without it nothing happens.
    ///
    /// Call it before there are other threads: they have what the one has that begins them.
    package static func giveUp() {
        for capability in [overridesModes, readsAnything] {
            // Refused to those who had no such right to give up.
            _ = cepoll_deny_capability(capability)
        }
        _ = cepoll_set_capabilities(mask, 0)
    }

    /// Does something on this thread with the right that was given up: the reports may belong into
    /// folders of other users.
    package static func regained<Result>(_ work: () throws -> Result) rethrows -> Result {
        _ = cepoll_set_capabilities(mask, 1)
        defer { _ = cepoll_set_capabilities(mask, 0) }
        return try work()
    }
}
