/// The checksum by which damaged bytes are recognised: CRC-32C (RFC 3720, appendix B.4).
package struct CRC32C: Sendable {
    private var state: UInt32 = .max
    package init() {}
    package init(of bytes: some Sequence<UInt8>) { update(bytes) }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = CRC32C.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
    }

    package var value: UInt32 { ~state }

    // Castagnoli's polynomial, bits reversed.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { word, _ in word & 1 == 1 ? word >> 1 ^ 0x82f6_3b78 : word >> 1 }
    }
}
