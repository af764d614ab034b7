/// Words of the language, for pages and tests about it.
package enum ScenarioWords {
    package static let actions = ScenarioDecoder.actionNames
    package static let phases = ScenarioDecoder.phaseNames
    package static let expectations = Shape.expectation.keys
    package static let backend = Shape.backend.keys
}
