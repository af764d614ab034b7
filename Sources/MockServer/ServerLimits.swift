import HTTPEngine
import ObjectStore

/// What a server does not go beyond, whatever its clients do.
package struct ServerLimits: Hashable, Sendable {
    /// Bytes in memory for all objects, sessions and older generations together; more gets 507.
    package var memory: Int64 = StoreLimits().memory
    /// Bytes of one object; more gets 413.
    package var objectSize: Int64 = StoreLimits().objectSize
    /// Upload sessions that are remembered; where all of them are open one more gets 429.
    package var sessions = StoreLimits().sessions
    /// Generations of one object that are remembered.
    package var generations = StoreLimits().generations
    /// Bytes of a request head; more gets 431.
    package var headSize = EngineLimits().headSize
    /// Connections at once; one more gets 503.
    package var connections = EngineLimits().connections
    /// Time that a client has for a request head, and for the next byte of a body that is waited for,
    /// in either direction; nil: any. Wall time only.
    package var patience: Duration?

    package init() {}

    var store: StoreLimits {
        var limits = StoreLimits()
        limits.memory = memory
        limits.objectSize = objectSize
        limits.sessions = sessions
        limits.generations = generations
        return limits
    }

    var engine: EngineLimits {
        var limits = EngineLimits()
        limits.headSize = headSize
        limits.connections = connections
        limits.patience = patience
        return limits
    }
}
