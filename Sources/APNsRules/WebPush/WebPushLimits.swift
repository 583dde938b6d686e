/// The fixed limits of Apple's Web Push service.
package enum WebPushLimits {
    /// Bytes of a body, with the header of its encoding (`WebPush#Body`; 4 KB documented, the exact byte inferred).
    package static let bodyBytesMax = 4096
    /// How long a push waits for its device (`WebPush#TTL`).
    package static let storageMax = Limits.storageMax
    /// Characters of a `Topic` (RFC 8030 §5.4).
    package static let topicCharactersMax = 32
    /// How far ahead `exp` may be (RFC 8292 §2).
    package static let tokenLifetimeMax: Duration = .seconds(24 * 3600)
    /// How much later a token may expire, since clients that sign for exactly 24 h have clocks of their own (inferred).
    package static let tokenSkewMax: Duration = .seconds(60)
    /// How long a token should be used before the next one (`WebPush#VAPID`; advised only).
    package static let tokenUseMin: Duration = .seconds(3600)
    /// Characters of the path segment that names a subscription (observed).
    package static let segmentCharacters = 171
    /// Characters of a segment that are read; longer ones are no path of the service (inferred).
    package static let segmentCharactersMax = 512
    /// Bytes of a subscription's authentication secret (RFC 8291 §3.2).
    package static let authenticationSecretBytes = 16
    /// Bytes of an uncompressed point on P-256 (SEC 1 §2.3.3).
    package static let pointBytes = 65
    /// Bytes of the number of a private key on P-256 (RFC 5915 §3).
    package static let privateNumberBytes = 32
    /// Bytes of the salt of a message (RFC 8188 §2.1).
    package static let saltBytes = 16
    /// The least record size (RFC 8188 §2).
    package static let recordSizeMin = 18
}
