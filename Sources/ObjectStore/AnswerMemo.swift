package import StorageModel

/// Answers about one state of an object, kept so that they need not be built for every request.
///
/// Confined like its store. Another state of the object has another memo, so that nothing in one is
/// ever out of date.
package final class AnswerMemo {
    /// The header fields of a download.
    package var downloadFields: HTTPHeaders?
    /// The answer to a request for the metadata.
    package var resource: HTTPResponse?

    init() {}
}
