/// The token that names one app on one device, as bytes.
///
/// Apple calls it opaque and documents no length; apps have 32 bytes, and the binary protocol allowed up to 100
/// (`ProviderAPI#Device-tokens`). Compared as bytes, so the case of the hexadecimal digits does not matter.
public struct DeviceToken: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The fewest and the most bytes that a token may have unless `--token-length` says otherwise.
    public static let defaultByteCounts = 32...100

    /// The most bytes that any setting may allow (`ProviderAPI#Device-tokens`, the binary protocol's limit).
    public static let byteCountMax = 100

    /// The lengths in bytes that a setting can allow for a token.
    package static let anyByteCounts = 1...byteCountMax

    // Nearly every token is 32 bytes; four words inline need no allocation per push or per known device.
    // A longer one keeps all its bytes in `long`, and `words` zero.
    private let words: InlineWords
    private let long: [UInt8]?

    private struct InlineWords: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    /// Reads hexadecimal digits in either case; `nil` for any other text and for a length outside `byteCounts`.
    public init?(hex: Span<UInt8>, byteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts) {
        guard hex.count % 2 == 0, byteCounts.contains(hex.count / 2) else { return nil }
        if hex.count == 64 {
            guard let first = DeviceToken.word(hex, 0), let second = DeviceToken.word(hex, 16),
                let third = DeviceToken.word(hex, 32), let fourth = DeviceToken.word(hex, 48)
            else { return nil }
            self.init(words: InlineWords(first: first, second: second, third: third, fourth: fourth))
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.count / 2)
        for index in stride(from: 0, to: hex.count, by: 2) {
            guard let high = Hex.value(of: hex[index]), let low = Hex.value(of: hex[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(words: InlineWords(), long: bytes)
    }

    /// Reads hexadecimal digits from text.
    public init?(_ hex: String, byteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts) {
        let bytes = Array(hex.utf8)
        self.init(hex: bytes.span, byteCounts: byteCounts)
    }

    /// A token of any number of bytes.
    package init(bytes: [UInt8]) {
        guard bytes.count == 32 else {
            self.init(words: InlineWords(), long: bytes)
            return
        }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(words: InlineWords(first: word(0), second: word(8), third: word(16), fourth: word(24)))
    }

    /// The token with another last byte.
    package func withLastByte(_ byte: UInt8) -> DeviceToken {
        guard var bytes = long else {
            var words = words
            words.fourth = words.fourth & ~0xff | UInt64(byte)
            return DeviceToken(words: words)
        }
        bytes[bytes.count - 1] = byte
        return DeviceToken(bytes: bytes)
    }

    private init(words: InlineWords, long: [UInt8]? = nil) {
        self.words = words
        self.long = long
    }

    /// A token of 32 zero bytes, for places without a token.
    package static let placeholder = DeviceToken(bytes: Array(repeating: 0, count: 32))

    /// The number of bytes.
    public var byteCount: Int { long?.count ?? 32 }
    /// The token as lower-case hexadecimal digits.
    public var hex: String { Hex.text(bytes) }
    /// The lower-case hexadecimal digits.
    public var description: String { hex }

    /// The token's bytes.
    public var bytes: [UInt8] {
        if let long { return long }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [words.first, words.second, words.third, words.fourth] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// Hashes one word that depends on every byte, since a device is looked up for every push.
    public func hash(into hasher: inout Hasher) { hasher.combine(spread) }

    /// A number that depends on every byte, equal for equal tokens, for choosing a shard.
    package var spread: UInt64 {
        if let long {
            let value = FNV1a.hash(of: long)
            return value ^ value >> 32
        }
        var value = words.first &* 0x9e37_79b9_7f4a_7c15
        value = (value ^ words.second) &* 0xff51_afd7_ed55_8ccd
        value = (value ^ value >> 29 ^ words.third) &* 0xc4ce_b9fe_1a85_ec53
        value = (value ^ value >> 31 ^ words.fourth) &* 0x9e37_79b9_7f4a_7c15
        return value ^ value >> 32
    }

    /// Orders tokens by their bytes.
    public static func < (one: DeviceToken, other: DeviceToken) -> Bool {
        guard one.leadingWord == other.leadingWord else { return one.leadingWord < other.leadingWord }
        return one.bytes.lexicographicallyPrecedes(other.bytes)
    }

    package func shard(of shardCount: Int) -> Int { Int(spread % UInt64(shardCount)) }

    /// The first eight bytes as a number, most significant first, filled up with zeros.
    package var leadingWord: UInt64 {
        guard let long else { return words.first }
        let word = long.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return word << UInt64(8 * max(0, 8 - long.count))
    }

    private static func word(_ hex: Span<UInt8>, _ start: Int) -> UInt64? {
        guard let high = Hex.Eight(hex.word(at: start)), let low = Hex.Eight(hex.word(at: start + 8)) else {
            return nil
        }
        return UInt64(high.value) << 32 | UInt64(low.value)
    }
}
