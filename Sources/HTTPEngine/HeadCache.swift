import CMicroHTTPD
import StorageModel

/// Heads that came lately: one that comes again, byte for byte, is not built again.
///
/// Confined to the loop.
struct HeadCache {
    /// A head, what follows from it, and its number; equal numbers are equal heads.
    struct Known {
        let head: HTTPRequestHead
        let refusal: HeadCheck.Refusal?
        let hasBody: Bool
        let number: Int
    }

    private static let size = 64
    /// Bytes of a head; larger ones are not kept.
    private static let largest = 4096

    private var slots = [Known?](repeating: nil, count: HeadCache.size)
    private var lastNumber = 0

    /// The head that libmicrohttpd has read from a connection.
    ///
    /// - Parameter limits: the same in every call.
    mutating func head(
        of connection: OpaquePointer, method: UnsafePointer<CChar>, target: String,
        version: UnsafePointer<CChar>, limits: EngineLimits
    ) -> Known {
        var hasher = Hasher()
        hasher.combine(target)
        let slot = Int(UInt(bitPattern: hasher.finalize()) % UInt(Self.size))
        let (method, version) = (String(cString: method), String(cString: version))
        if let known = slots[slot], known.head.target == target, known.head.method == method,
            known.head.version == version,
            Comparison.holds(known.head.headers.fields, connection)
        {
            return known
        }
        lastNumber += 1
        let head = HTTPRequestHead(
            method: method, target: target, version: version, headers: Self.headers(of: connection))
        let size = cmhd_header_size(connection)
        let fresh = Known(
            head: head, refusal: HeadCheck.refusal(of: head, headSize: size, limits: limits),
            hasBody: head.contentLength ?? 0 != 0 || head.headers["Transfer-Encoding"] != nil,
            number: lastNumber)
        if size <= Self.largest { slots[slot] = fresh }
        return fresh
    }

    /// All header fields in the order of the wire.
    private static func headers(of connection: OpaquePointer) -> HTTPHeaders {
        var headers = HTTPHeaders()
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    guard let context, let name else { return .NO }
                    context.assumingMemoryBound(to: HTTPHeaders.self).pointee.add(
                        HeadCache.text(name, nameCount), HeadCache.text(value, valueCount))
                    return .YES
                }, headers)
        }
        return headers
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(
            decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count),
            as: UTF8.self)
    }
}

/// Compares known fields with those that libmicrohttpd has, in their order.
private struct Comparison {
    private let fields: [HTTPHeaders.Field]
    private var next = 0

    static func holds(_ fields: [HTTPHeaders.Field], _ connection: OpaquePointer) -> Bool {
        var comparison = Comparison(fields: fields)
        let count = withUnsafeMutablePointer(to: &comparison) { comparison in
            MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    guard let context, let name else { return .NO }
                    let comparison = context.assumingMemoryBound(to: Comparison.self)
                    let isSame = comparison.pointee.takes(
                        UnsafeRawBufferPointer(start: name, count: nameCount),
                        UnsafeRawBufferPointer(
                            start: value, count: value == nil ? 0 : valueCount))
                    return isSame ? .YES : .NO
                }, comparison)
        }
        return comparison.next == fields.count && Int(count) == fields.count
    }

    private init(fields: [HTTPHeaders.Field]) { self.fields = fields }

    /// True where the next field is this one.
    private mutating func takes(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> Bool {
        guard next < fields.count, Self.same(fields[next].name, name),
            Self.same(fields[next].value, value)
        else { return false }
        next += 1
        return true
    }

    private static func same(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let same = text.utf8.withContiguousStorageIfAvailable { known in
            guard known.count == bytes.count else { return false }
            return UnsafeRawBufferPointer(known).elementsEqual(bytes)
        }
        return same ?? text.utf8.elementsEqual(bytes)
    }
}
