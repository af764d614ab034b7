package import StorageModel

/// What the engine refuses by itself.
package struct EngineLimits: Hashable, Sendable {
    /// Bytes of a request head, request line included; more gets 431.
    package var headSize = 16 << 10
    /// Bytes of a request body; more gets 413. Nil: unlimited.
    package var bodySize: Int64?
    /// Connections at once; one more is closed as soon as it was accepted.
    package var connections = 4096
    /// A limit that belongs to what is being simulated, below `connections`; nil: none.
    package var connectionLimit: BackendSettings.ConnectionLimit?
    /// Time that a client has for a request head, and for the next byte of a body that is waited for,
    /// in either direction; nil: any. Wall time only.
    package var patience: Duration?
    /// True: the kernel takes in little of what nobody has read yet, so that a client notices when
    /// bodies are read slowly. It costs speed.
    package var readsSlowly = false

    package init() {}
}
