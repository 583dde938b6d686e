import MynahStore
import Testing

@Suite("Checksums")
struct ChecksumTests {
    // The check value of CRC-32C: RFC 3720, appendix B.4, has the others.
    @Test(
        arguments: [
            (Array("123456789".utf8), 0xe306_9283), (Array(repeating: 0, count: 32), 0x8a91_36aa),
            (Array(repeating: 0xff, count: 32), 0x62a8_ab43), (Array(0...31), 0x46dd_794e), ([], 0),
        ] as [([UInt8], UInt32)]) func checksum(_ bytes: [UInt8], _ value: UInt32)
    {
        #expect(CRC32C(of: bytes).value == value)
        var byTables = CRC32C()
        byTables.updateByTables(bytes.span)
        #expect(byTables.value == value)
    }

    @Test("in pieces of any length, with and without the processor's instruction") func pieces() {
        let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let whole = CRC32C(of: bytes).value
        for end in 0...bytes.count {
            let first = Array(bytes[..<end])
            let second = Array(bytes[end...])
            var checksum = CRC32C(of: first)
            checksum.updateByTables(second.span)
            #expect(checksum.value == whole)
            checksum = CRC32C()
            checksum.updateByTables(first.span)
            checksum.update(second.span)
            #expect(checksum.value == whole)
        }
    }
}
