package import StorageModel

/// Bytes that are expected somewhere.
package indirect enum ContentExpectation: Hashable, Sendable {
    /// The bytes of a task's source, or of a given object, by its path.
    case sameAs(SameAs)
    case content(Content)
    /// The size alone, in bytes.
    case size(NumberTest)
    case absent
    /// As before the scenario: for local files.
    case unchanged
    case any([ContentExpectation])
}

package enum SameAs: Hashable, Sendable {
    /// The source of an upload, by the task's name.
    case task(String)
    case object(ObjectAddress)
}

/// What is expected of an object at rest.
package struct StoredExpectation: Hashable, Sendable {
    package var object: ObjectAddress
    package var place: SourcePlace
    package var test: StoredTest

    package init(object: ObjectAddress, place: SourcePlace, test: StoredTest) {
        self.object = object
        self.place = place
        self.test = test
    }
}

package indirect enum StoredTest: Hashable, Sendable {
    case absent
    case present(StoredObjectTest)
    case any([StoredTest])
}

package struct StoredObjectTest: Hashable, Sendable {
    package var content: ContentExpectation?
    /// How many contents the object has had.
    package var generations: NumberTest?
    package var metadata: MetadataTest?
    /// Oldest first; nil: not tested.
    package var versions: [ContentExpectation]?

    package init() {}
}
