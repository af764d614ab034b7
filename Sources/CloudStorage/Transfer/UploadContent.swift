internal import Checksums

/// The bytes of an upload as its runner needs them. Confined to the loop.
protocol UploadContent: BodyReader {
    /// Bytes in all; nil while nobody knows.
    var knownSize: Int64? { get }
    var supply: UploadMachine.Supply { get }
    /// What tells in a later process whether this is the same content; nil: nothing can.
    var identity: FileIdentity? { get }
    /// Why the rest cannot be sent: the source is gone, or another one than at the beginning.
    var problem: StorageFailure? { get }

    /// As `UploadMachine.Action.gather`: calls `then` once, at once or later, with the end of what is
    /// at hand. A later call takes the place of one that was not answered.
    func gather(from: Int64, beyond: Int64, _ then: @escaping (Gathered) -> Void)
    /// Nothing is to be gathered for now.
    func rest()
    /// Nothing will be asked for any more.
    func close()

    /// True when the checksum is known without a further reading.
    func isSummed(_ kind: ContentChecksum.Kind) -> Bool
    /// The checksum of all bytes; nil when they cannot be read any more. Where it is not summed yet,
    /// to be called away from the loop, and nothing else is to be asked meanwhile.
    func checksum(_ kind: ContentChecksum.Kind) -> ContentChecksum?
}

typealias Gathered = Result<GatheredBytes, StorageFailure>

struct GatheredBytes: Hashable, Sendable {
    var end: Int64
    /// Nothing comes after `end`.
    var isWhole: Bool
}

/// A checksum of a whole content.
enum ContentChecksum: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case crc32c, md5 }

    case crc32c(UInt32)
    case md5([UInt8])

    /// What an object's resource says: its CRC-32C where it has one, else its MD5.
    init?(_ resource: MetadataFields) {
        if let stored = resource.crc32c.flatMap({ CRC32C.value(ofBase64: $0) }) {
            self = .crc32c(stored)
        } else if let stored = resource.md5Hash.flatMap({ Base64.decode($0) }), stored.count == 16 {
            self = .md5(stored)
        } else {
            return nil
        }
    }

    var kind: Kind {
        switch self {
        case .crc32c: .crc32c
        case .md5: .md5
        }
    }
}
