package import EventMatching
package import StorageModel

/// What is expected of a step's result, key by key.
package struct ResultExpectation: Hashable, Sendable {
    package var name: String
    package var place: SourcePlace
    package var error: Placed<ErrorTest>?
    package var times: [Placed<TimeTest>] = []
    package var completion: Placed<CompletionExpectation>?
    package var values: [ResultValueExpectation] = []
    /// Under a name of `repeat`: how many of its steps ended so.
    package var ends: EndsExpectation?
    /// The task of a snapshot whose bytes are told with those of the metadata; nil: they are not.
    package var metadataTask: String?

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}

package struct ResultValueExpectation: Hashable, Sendable {
    package var key: String
    package var place: SourcePlace
    package var test: ResultTest

    package init(key: String, place: SourcePlace, test: ResultTest) {
        self.key = key
        self.place = place
        self.test = test
    }
}

package enum ResultTest: Hashable, Sendable {
    case text(TextTest)
    case number(NumberTest)
    /// Exactly these, in this order.
    case list([String])
    case flag(Bool)
    case content(ContentExpectation)
    /// Header fields by name.
    case headers([String: TextTest])
    case metadata(MetadataTest)
}
