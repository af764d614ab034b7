package import ClientDriver
package import EventLoop

/// Where the client under test comes from.
///
/// The case in process is one driver among others: the closure makes whatever driver is wanted.
package struct ClientSource: Sendable {
    /// True: one client for all scenarios of a lane (a child process, started once); false: a new
    /// one for each, on a loop of its own.
    package let isKept: Bool
    /// Makes a driver on its loop; called on the loop.
    package let make: @Sendable (EventLoop) -> any ClientDriver

    package init(isKept: Bool, make: @escaping @Sendable (EventLoop) -> any ClientDriver) {
        self.isKept = isKept
        self.make = make
    }
}
