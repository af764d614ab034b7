package import StorageModel

/// A value and the place where the file gives it.
package struct Placed<Value: Sendable>: Sendable {
    package var value: Value
    package var place: SourcePlace

    package init(_ value: Value, _ place: SourcePlace) {
        self.value = value
        self.place = place
    }
}

extension Placed: Equatable where Value: Equatable {}
extension Placed: Hashable where Value: Hashable {}
