package import StorageModel

/// What `respond` answers; what is left out comes from the preset, or is the usual.
package struct ForcedResponse: Hashable, Sendable {
    package enum RetryAfter: Hashable, Sendable {
        /// Whole seconds, rounded up.
        case seconds(Duration)
        /// A date so far ahead.
        case date(Duration)
    }

    package enum Body: Hashable, Sendable {
        case content(Content)
        case json(JSONValue)
    }

    package enum UploadStatus: String, Hashable, Sendable, CaseIterable {
        case active
        case final
        case cancelled
    }

    /// From 200 to 599.
    package var status: Int
    package var reason: String?
    /// True: the answer says HTTP/1.0.
    package var isHTTP10 = false
    package var headers: [HeaderValue] = []
    package var retryAfter: RetryAfter?
    package var body: Body?
    package var preset: AnswerPreset?
    package var uploadStatus: UploadStatus?

    package init(status: Int) { self.status = status }

    package init(preset: AnswerPreset) {
        status = preset.status
        self.preset = preset
    }
}

/// A header field with a value that is given, or is filler of a size.
package struct HeaderValue: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        /// So many bytes.
        case filler(Int64)
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    package var text: String {
        switch value {
        case .text(let text): text
        case .filler(let size): String(repeating: "x", count: Int(clamping: size))
        }
    }
}

/// What `headers` does to an answer, in this order.
package struct HeaderEdit: Hashable, Sendable {
    package struct Renaming: Hashable, Sendable {
        package var from: String
        package var to: String

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    package var set: [HeaderValue] = []
    package var remove: [String] = []
    package var rename: [Renaming] = []
    package var duplicate: [String] = []

    package init() {}
}

/// What `json` does to an answer's body, in this order.
package struct JSONEdit: Hashable, Sendable {
    package struct Assignment: Hashable, Sendable {
        /// `size`, or with dots `metadata.mood`.
        package var path: String
        package var value: JSONValue

        package init(path: String, value: JSONValue) {
            self.path = path
            self.value = value
        }
    }

    /// Text of a size.
    package struct Filling: Hashable, Sendable {
        /// As in `Assignment`.
        package var path: String
        /// Bytes.
        package var size: Int64

        package init(path: String, size: Int64) {
            self.path = path
            self.size = size
        }
    }

    package var set: [Assignment] = []
    package var fill: [Filling] = []
    package var remove: [String] = []
    /// Bytes that are left of the text.
    package var truncate: Int64?
    /// Text instead of the body.
    package var replace: String?

    package init() {}
}
