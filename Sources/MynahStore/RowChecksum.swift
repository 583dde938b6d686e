internal import MynahCore

/// The checksum of a row or a batch: of its numbers, and of its bytes after their count.
struct RowChecksum {
    private var checksum = CRC32C()
    var value: UInt32 { checksum.value }

    mutating func add(_ number: some FixedWidthInteger) {
        let number = UInt64(truncatingIfNeeded: number)
        let bytes: InlineArray<8, UInt8> = InlineArray { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        checksum.update(bytes.span)
    }

    mutating func add(_ bytes: [UInt8]) {
        add(bytes.count)
        checksum.update(bytes.span)
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }
}
