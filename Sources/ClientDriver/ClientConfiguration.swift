package import StorageModel

/// What a client is told at the start of a scenario: never the title, the faults, the expectations.
package struct ClientConfiguration: Hashable, Sendable {
    /// Counts the scenarios of this client, from 1.
    package var run: Int
    /// Where the backend listens, such as `127.0.0.1`.
    package var host: String
    package var port: UInt16
    /// The default bucket.
    package var bucket: String
    /// As the client is to use them: durations are multiplied by `timeScale` already.
    /// The script of tokens is not told, only whether there is one.
    package var settings: ClientSettings
    /// An absolute path; the client may write there, and nowhere else.
    package var workingDirectory: String
    /// What the client multiplies its own waits (back-off) by; 1 in virtual time.
    package var timeScale: Double
    /// For the client's random choices.
    package var seed: UInt64
    /// The file that a child's error output is appended to; nil: thrown away. Not told.
    package var errorOutputPath: String?

    package init(
        run: Int, host: String = "127.0.0.1", port: UInt16, bucket: String,
        settings: ClientSettings = ClientSettings(), workingDirectory: String,
        timeScale: Double = 1, seed: UInt64 = 0
    ) {
        self.run = run
        self.host = host
        self.port = port
        self.bucket = bucket
        self.settings = settings
        self.workingDirectory = workingDirectory
        self.timeScale = timeScale
        self.seed = seed
    }
}

extension ClientSettings {
    /// With every duration multiplied: what a client in wall time is told.
    package func scaled(by factor: Double) -> ClientSettings {
        guard factor != 1 else { return self }
        var settings = self
        settings.maxUploadRetryTime = settings.maxUploadRetryTime * factor
        settings.maxDownloadRetryTime = settings.maxDownloadRetryTime * factor
        settings.maxOperationRetryTime = settings.maxOperationRetryTime * factor
        settings.idleTimeout = settings.idleTimeout * factor
        settings.tokens = tokens.map { TokenStep(after: $0.after * factor, answer: $0.answer) }
        return settings
    }
}
