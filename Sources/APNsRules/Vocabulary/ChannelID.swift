/// The id of a broadcast channel: 16 bytes, written in standard base64 (`ProviderAPI#Channel-management`).
public struct ChannelID: Hashable, Sendable {
    // Two words instead of a UInt128, whose alignment of 16 bytes would cost whatever holds an id.
    package let high: UInt64
    package let low: UInt64

    /// The number of characters of an id, padding included.
    package static let textCount = 24

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 24 characters of standard base64 with padding; `nil` for anything else.
    package init?(_ text: Span<UInt8>) {
        guard text.count == ChannelID.textCount else { return nil }
        var characters: [UInt8] = []
        for index in 0..<text.count { characters.append(text[index]) }
        guard let bytes = Base64.decode(characters)?.bytes, bytes.count == Limits.channelIDByteCount else { return nil }
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
        // Characters of another alphabet, or bits beyond the last byte, would be a second spelling of one id.
        guard text.equals(self.text) else { return nil }
    }

    /// Reads 24 characters of standard base64 with padding, like `tvI2UK0vEfEAAA6GFnjo2Q==`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// The id as `apns-channel-id` has it.
    public var text: String {
        Base64.encode([high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } })
    }
}
