package import StorageModel

/// A condition on the status that the client was sent.
package enum StatusTest: Hashable, Sendable, CustomStringConvertible {
    /// It was sent none: the connection broke first.
    case none
    case number(NumberTest)

    /// Reads `none`, `404`, `200..299`, `">= 500"`; nil for other text.
    package init?(_ text: String) {
        if text == "none" {
            self = .none
        } else if let test = NumberTest(text, unit: .plain) {
            self = .number(test)
        } else {
            return nil
        }
    }

    package func holds(_ status: Int?) -> Bool {
        switch self {
        case .none: status == nil
        case .number(let test): status.map { test.holds(Int64($0)) } ?? false
        }
    }

    package var description: String {
        switch self {
        case .none: "none"
        case .number(let test): test.description
        }
    }
}
