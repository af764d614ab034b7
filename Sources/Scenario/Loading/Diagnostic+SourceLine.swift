import StorageModel

extension Diagnostic {
    /// With the line of the file that it points to, which is read once more where it is missing.
    package var withSourceLine: Diagnostic {
        guard sourceLine == nil else { return self }
        var copy = self
        copy.sourceLine = ScenarioPath.line(of: place)
        return copy
    }
}
