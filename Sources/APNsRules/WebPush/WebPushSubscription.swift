/// What a browser keeps of a subscription: the segment of its endpoint, its keys, and the key that may push to it
/// (`WebPush#Subscriptions`).
///
/// `MynahTrust` makes one and decrypts with it.
package struct WebPushSubscription: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The path of the endpoint without its slash.
    package let segment: String
    /// The private number of the key pair, 32 bytes.
    package let privateNumber: [UInt8]
    /// The public point of the key pair, `p256dh`: 65 bytes, uncompressed.
    package let publicKey: [UInt8]
    /// The authentication secret, `auth`: 16 bytes.
    package let authenticationSecret: [UInt8]

    package init(segment: String, privateNumber: [UInt8], publicKey: [UInt8], authenticationSecret: [UInt8]) {
        self.segment = segment
        self.privateNumber = privateNumber
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }

    /// A segment like Apple's: base64url of 128 bytes, whose first character is `Q`; `random` has the 128 bytes.
    package static func segment(random: [UInt8]) -> String {
        Base64.encode([0x40 | random[0] & 0x03] + random.dropFirst(), url: true)
    }

    /// The number of bytes at the end of a segment by which a device's subscription is found.
    package static let tokenBytes = 32

    /// What a segment ends in; `nil` for a text that is no segment as Apple's look.
    package static func token(ofSegment segment: String) -> DeviceToken? {
        guard segment.utf8.count == WebPushLimits.segmentCharacters, let decoded = Base64.decode(segment.utf8),
            decoded.bytes.count == segmentBytes
        else { return nil }
        return DeviceToken(bytes: decoded.bytes.suffix(tokenBytes))
    }

    /// The number of random bytes in a segment.
    package static let segmentBytes = 128

    package var description: String { "the subscription \(segment)" }
    /// Hides the private key from `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
