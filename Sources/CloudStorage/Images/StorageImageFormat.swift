public import Foundation

/// Kinds of images that can be told from their first bytes.
///
/// Source: WHATWG MIME Sniffing section 6.1; for TIFF, which is not there, TIFF 6.0 section 2; for HEIF
/// and AVIF the brands of ISO/IEC 23008-12 and of the AV1 Image File Format.
public enum StorageImageFormat: String, Sendable, Hashable, CaseIterable {
    /// `image/png`
    case png
    /// `image/jpeg`
    case jpeg
    /// `image/gif`
    case gif
    /// `image/webp`
    case webp
    /// `image/bmp`
    case bmp
    /// `image/tiff`
    case tiff
    /// `image/heic`
    case heic
    /// `image/avif`
    case avif

    /// The format of an image file; nil for bytes that are none of these.
    ///
    /// - Parameter data: the whole file, or at least its first 12 bytes.
    public init?(detectedIn data: Data) {
        let head = [UInt8](data.prefix(12))
        guard let found = Self.signatures.first(where: { $0.fits(head) }) else { return nil }
        self = found.format
    }

    /// The content type, `image/png`.
    public var contentType: String { "image/\(rawValue)" }

    private struct Signature {
        let format: StorageImageFormat
        /// Bytes that have to be there; nil: any.
        let pattern: [UInt8?]

        init(_ format: StorageImageFormat, _ pattern: [UInt8?]) {
            self.format = format
            self.pattern = pattern
        }

        /// A container that names its kind after eight bytes.
        init(_ format: StorageImageFormat, start: [UInt8?], word: String) {
            self.init(format, start + word.utf8.map { $0 })
        }

        func fits(_ head: [UInt8]) -> Bool {
            head.count >= pattern.count
                && zip(head, pattern).allSatisfy { $1 == nil || $0 == $1 }
        }
    }

    private static let box: [UInt8?] = [nil, nil, nil, nil] + "ftyp".utf8.map { $0 }

    private static let signatures = [
        Signature(.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
        Signature(.gif, "GIF87a".utf8.map { $0 }),
        Signature(.gif, "GIF89a".utf8.map { $0 }),
        Signature(.webp, start: "RIFF".utf8.map { $0 } + [nil, nil, nil, nil], word: "WEBP"),
        Signature(.bmp, "BM".utf8.map { $0 }),
        Signature(.tiff, [0x49, 0x49, 0x2A, 0x00]),
        Signature(.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
        Signature(.heic, start: box, word: "heic"),
        Signature(.heic, start: box, word: "heix"),
        Signature(.heic, start: box, word: "mif1"),
        Signature(.avif, start: box, word: "avif"),
    ]
}
