import CZlib

/// Compression as stored objects have it. Source: RFC 1952.
package enum Gzip {
    /// Nil where the library fails; equal input gives equal output.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard squall_deflate_init_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        return run(&stream, bytes, limit: .max) { deflate($0, Z_FINISH) }
    }

    /// The content before compression; nil for what is no gzip content, is cut, or would be
    /// longer than `limit` bytes.
    package static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard squall_inflate_init_gzip(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        return run(&stream, bytes, limit: limit) { inflate($0, Z_NO_FLUSH) }
    }

    private static func run(
        _ stream: inout z_stream, _ bytes: [UInt8], limit: Int,
        step: (UnsafeMutablePointer<z_stream>) -> CInt
    ) -> [UInt8]? {
        guard bytes.count <= Int(UInt32.max) else { return nil }
        var input = bytes
        var out: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        return input.withUnsafeMutableBufferPointer { given in
            stream.next_in = given.baseAddress
            stream.avail_in = UInt32(given.count)
            while true {
                let (status, made) = block.withUnsafeMutableBufferPointer { room in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let status = step(&stream)
                    return (status, room.count - Int(stream.avail_out))
                }
                out += block[..<made]
                if out.count > limit { return nil }
                if status == Z_STREAM_END { return out }
                guard status == Z_OK, made > 0 || stream.avail_in > 0 else { return nil }
            }
        }
    }
}
