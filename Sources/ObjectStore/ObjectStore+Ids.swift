import StorageModel

extension ObjectStore {
    /// A download token in the form of a random UUID, drawn from the seed.
    func newToken(_ name: String, in bucket: String) -> String {
        tokenCount += 1
        var random = SplitMix64(
            seed: SplitMix64.derive(seed, "token", bucket, name, String(tokenCount)))
        var bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
        return text
    }

    /// An id for an upload session, drawn from the seed.
    func newSessionID(_ ordinal: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let number = life == 0 ? "\(ordinal)" : "\(ordinal) of life \(life)"
        var random = SplitMix64(seed: SplitMix64.derive(seed, "session", number))
        let tail = (0..<60).map { _ in letters[Int(random.next() % 64)] }
        return "AB" + String(decoding: tail, as: UTF8.self)
    }
}
