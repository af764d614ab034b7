/// An error as a client reported it.
package struct ClientError: Hashable, Sendable {
    package var code: ErrorCode
    /// The client's own name for it.
    package var name: String
    /// The client's own text.
    package var message: String
    /// HTTP status of the answer underneath, if there was one.
    package var status: Int?
    package var transport: TransportFault?
    /// The server's answer, if it was kept (rule D26).
    package var body: String?

    package init(
        code: ErrorCode, name: String? = nil, message: String = "", status: Int? = nil,
        transport: TransportFault? = nil, body: String? = nil
    ) {
        self.code = code
        self.name = name ?? code.rawValue
        self.message = message
        self.status = status
        self.transport = transport
        self.body = body
    }
}
