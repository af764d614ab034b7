import StorageModel

/// Which request is which operation.
enum Routes {
    static func classify(_ head: HTTPRequestHead) -> WireCall {
        WireCall(head: head, target: RequestTarget(head.target), operation: .unknown)
    }
}
