package import EventMatching
package import StorageModel

/// What is expected of a task: an upload or a download.
package struct TaskExpectation: Hashable, Sendable {
    package var name: String
    package var place: SourcePlace
    package var events: Placed<[EventPattern]>?
    package var error: Placed<ErrorTest>?
    package var progress: Placed<ProgressTest>?
    /// Of the success snapshot.
    package var metadata: Placed<MetadataTest>?
    package var times: [Placed<TimeTest>] = []
    /// The local file, or the bytes in memory, of a download.
    package var local: Placed<ContentExpectation>?
    /// Nil: as the step says, which is once unless it was started without one.
    package var completion: Placed<CompletionExpectation>?
    /// Under a name of `repeat`: how many of its tasks ended so.
    package var ends: EndsExpectation?

    /// True: its bytes are told with those of the metadata that began the upload, which are taken off
    /// before anything is compared.
    package var countsMetadata = false

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}

package enum CompletionExpectation: String, Hashable, Sendable, CaseIterable {
    case once
    case never
}

package struct EndsExpectation: Hashable, Sendable {
    package var place: SourcePlace
    package var success: NumberTest?
    package var failure: NumberTest?

    package init(place: SourcePlace) { self.place = place }
}
