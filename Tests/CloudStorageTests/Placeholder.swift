// Replaced by the target's first suite.
