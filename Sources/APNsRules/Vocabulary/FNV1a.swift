/// The hash FNV-1a of 64 bits: quick for short texts, and equal on every machine and in every process, unlike `Hasher`'s.
///
/// Whoever chooses the bytes can choose the hash, so nothing may depend on hashes being different.
package enum FNV1a {
    /// The hash of nothing.
    @inlinable package static var basis: UInt64 { 0xcbf2_9ce4_8422_2325 }

    /// The hash of what `hash` is of, and of one further value, a byte in FNV's definition.
    @inlinable package static func adding(_ value: UInt64, to hash: UInt64) -> UInt64 {
        (hash ^ value) &* 0x100_0000_01b3
    }

    @inlinable package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = basis
        for byte in bytes { hash = adding(UInt64(byte), to: hash) }
        return hash
    }
}
