import StorageModel

/// Makes a file that nobody wrote: the same number and seed give the same bytes on every machine.
package struct Mutator: Sendable {
    private let corpus: Corpus
    private let seed: UInt64

    package init(corpus: Corpus, seed: UInt64) {
        self.corpus = corpus
        self.seed = seed
    }

    /// The file with this number, and the path under which it is loaded.
    package func file(_ number: Int) -> Corpus.Entry {
        var random = SplitMix64(seed: SplitMix64.derive(seed, "file", String(number)))
        var entry = pick(corpus.entries, &random)
        for _ in 0..<[1, 1, 1, 2, 2, 3, 5][random.below(7)] {
            mutate(&entry.bytes, &random)
            if entry.bytes.count > 1 << 20 { entry.bytes.removeSubrange((1 << 20)...) }
        }
        return entry
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        switch random.below(20) {
        case 0: changeBytes(&bytes, &random)
        case 1: cut(&bytes, &random)
        case 2...4: changeToken(&bytes, &random)
        case 5: swapTokens(&bytes, &random)
        case 6, 7: changeNumber(&bytes, &random)
        case 8...10: moveBlock(&bytes, &random)
        case 11: borrowBlock(&bytes, &random)
        case 12: nest(&bytes, &random)
        case 13: alias(&bytes, &random)
        case 14: insert(Oddities.unicode, &bytes, &random)
        case 15, 16: insert(Oddities.values, &bytes, &random)
        case 17: putMatrix(&bytes, &random)
        case 18: addKey(&bytes, &random)
        default: quote(&bytes, &random)
        }
    }

    private func pick<Value>(_ values: [Value], _ random: inout SplitMix64) -> Value {
        values[random.below(values.count)]
    }
}

// MARK: Bytes and tokens

extension Mutator {
    private func changeBytes(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let start = random.below(bytes.count)
        let end = min(bytes.count, start + random.below(13))
        switch random.below(4) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 2: bytes[start] ^= 1 << UInt8(random.below(8))
        default: bytes[start] = UInt8(random.below(256))
        }
    }

    private func cut(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        if random.below(2) == 0 {
            bytes.removeSubrange(random.below(bytes.count)...)
        } else {
            bytes.removeSubrange(..<random.below(bytes.count))
        }
    }

    private func token(_ bytes: [UInt8], _ random: inout SplitMix64) -> Range<Int>? {
        let tokens = Tokens.ranges(in: bytes)
        return tokens.isEmpty ? nil : pick(tokens, &random)
    }

    private func changeToken(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard let token = token(bytes, &random) else { return }
        switch random.below(5) {
        case 0: bytes.removeSubrange(token)
        case 1: bytes.insert(contentsOf: bytes[token], at: token.lowerBound)
        default: bytes.replaceSubrange(token, with: pick(corpus.words, &random))
        }
    }

    private func swapTokens(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard let one = token(bytes, &random), let other = token(bytes, &random),
            !one.overlaps(other)
        else { return }
        let (first, second) =
            one.lowerBound < other.lowerBound ? (one, other) : (other, one)
        let (head, tail) = (Array(bytes[first]), Array(bytes[second]))
        bytes.replaceSubrange(second, with: head)
        bytes.replaceSubrange(first, with: tail)
    }

    /// Puts another number where one stands.
    private func changeNumber(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let numbers = Tokens.ranges(in: bytes).filter {
            (0x30...0x39).contains(bytes[$0.lowerBound])
        }
        guard !numbers.isEmpty else { return }
        let token = pick(numbers, &random)
        let end = bytes[token].firstIndex { !(0x30...0x39).contains($0) } ?? token.upperBound
        let number: String =
            switch random.below(3) {
            case 0: pick(Oddities.numbers, &random)
            case 1: String(random.below(20))
            default: String(random.next() >> UInt64(random.below(64)))
            }
        bytes.replaceSubrange(token.lowerBound..<end, with: Array(number.utf8))
    }

    private func insert(
        _ texts: [String], _ bytes: inout [UInt8], _ random: inout SplitMix64
    ) {
        let text = Array(pick(texts, &random).utf8)
        guard let token = token(bytes, &random) else { return }
        switch random.below(3) {
        case 0: bytes.insert(contentsOf: text, at: token.lowerBound)
        case 1: bytes.insert(contentsOf: text, at: token.upperBound)
        default: bytes.replaceSubrange(token, with: text)
        }
    }

    /// Puts quotes around a token.
    private func quote(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard let token = token(bytes, &random) else { return }
        let mark = [UInt8(ascii: random.below(2) == 0 ? "\"" : "'")]
        bytes.replaceSubrange(token, with: mark + bytes[token] + mark)
    }
}

// MARK: Blocks and trees

extension Mutator {
    private func moveBlock(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        var blocks = Blocks(bytes)
        let block = blocks.block(at: random.below(blocks.lines.count))
        let text = blocks.text(block)
        switch random.below(4) {
        case 0: blocks.remove(block)
        case 1: blocks.insert(text, at: block.upperBound)
        case 2 where block.upperBound < blocks.lines.count:
            let next = blocks.block(at: block.upperBound)
            blocks.replace(
                block.lowerBound..<next.upperBound, with: blocks.text(next) + text)
        default:
            blocks.remove(block)
            blocks.insert(text, at: random.below(blocks.lines.count + 1))
        }
        bytes = blocks.bytes
    }

    /// A block of another file, indented as what it stands before.
    private func borrowBlock(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let other = Blocks(pick(corpus.entries, &random).bytes)
        let start = random.below(other.lines.count)
        let depth = other.indentation(start)
        var blocks = Blocks(bytes)
        let place = random.below(blocks.lines.count)
        let margin = [UInt8](repeating: 0x20, count: blocks.indentation(place))
        let text = other.text(other.block(at: start)).map { margin + $0.dropFirst(depth) }
        blocks.insert(text, at: place)
        bytes = blocks.bytes
    }

    private func nest(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard let token = token(bytes, &random) else { return }
        let depth = [2, 5, 20, 60, 66, 200, 3_000][random.below(7)]
        let (open, close) = pick(
            [("[", "]"), ("{a: ", "}"), ("{any: [[", "]]}"), ("{burst: [", "]}")], &random)
        let inside = Array(bytes[token])
        let text =
            Array(String(repeating: open, count: depth).utf8) + inside
            + Array(String(repeating: close, count: depth).utf8)
        bytes.replaceSubrange(token, with: text)
    }

    /// Names a value and uses it elsewhere, a few times.
    private func alias(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        var blocks = Blocks(bytes)
        let values = blocks.lines.indices.filter {
            blocks.lines[$0].contains(UInt8(ascii: ":"))
        }
        guard values.count > 2 else { return }
        let first = random.below(values.count - 1)
        name(values[first], "&a ", &blocks)
        for _ in 0...random.below(3) {
            let line = values[first + 1 + random.below(values.count - first - 1)]
            guard let colon = blocks.lines[line].firstIndex(of: UInt8(ascii: ":")) else { continue }
            let block = blocks.block(at: line)
            blocks.replace(
                block, with: [Array(blocks.lines[line][...colon]) + Array(" *a".utf8)])
            guard block.count == 1 else { break }
        }
        bytes = blocks.bytes
    }

    private func name(_ line: Int, _ mark: String, _ blocks: inout Blocks) {
        guard let colon = blocks.lines[line].firstIndex(of: UInt8(ascii: ":")) else { return }
        var text = blocks.lines[line]
        text.insert(contentsOf: Array(" \(mark)".utf8), at: colon + 1)
        blocks.replace(line..<(line + 1), with: [text])
    }

    /// A matrix, or one more value of it, and a place where it is put in.
    private func putMatrix(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard let token = token(bytes, &random) else { return }
        let value = String(decoding: bytes[token], as: UTF8.self)
        bytes.replaceSubrange(token, with: Array("${z}".utf8))
        let other = String(decoding: pick(corpus.words, &random), as: UTF8.self)
        let line = "matrix: {z: [\"\(value)\", \"\(other)\", {w: 1}]}\n"
        bytes.insert(contentsOf: Array(line.utf8), at: 0)
    }

    private func addKey(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        var blocks = Blocks(bytes)
        let place = random.below(blocks.lines.count)
        let margin = [UInt8](repeating: 0x20, count: blocks.indentation(place))
        blocks.insert([margin + Array(pick(Oddities.lines, &random).utf8)], at: place)
        bytes = blocks.bytes
    }
}

extension SplitMix64 {
    /// From 0 up to a bound of at least 1, without it.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
