import MynahCore
import Testing

struct ByteCodingTests {
    static let numbers: [UInt64] = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 1 << 35, .max]

    @Test(arguments: numbers) func varintsComeBack(_ number: UInt64) throws {
        var writer = ByteWriter()
        writer.write(varint: number)
        writer.write(signed: Int64(truncatingIfNeeded: number))
        writer.write(fixed: number)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.varint() == number)
        #expect(try reader.signed() == Int64(truncatingIfNeeded: number))
        #expect(try reader.fixed(UInt64.self) == number)
        try reader.end()
    }

    @Test func valuesComeBack() throws {
        var writer = ByteWriter()
        writer.write(["", "Grüße 🙂"])
        writer.write(Int?.none)
        writer.write(Int?.some(-300))
        writer.write(true)
        writer.write(-0.5)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.read([String].self) == ["", "Grüße 🙂"])
        #expect(try reader.read(Int?.self) == nil)
        #expect(try reader.read(Int?.self) == -300)
        #expect(try reader.read(Bool.self))
        #expect(try reader.read(Double.self) == -0.5)
        try reader.end()
    }

    @Test func smallNumbersAreSmall() {
        var writer = ByteWriter()
        writer.write(signed: -64)
        #expect(writer.count == 1)
        writer.write(varint: 300)
        #expect(writer.bytes == [0x7f, 0xac, 0x02])
    }

    @Test(
        arguments: [
            ([], "the bytes end too soon, at byte 0 of 0"),
            ([0x80], "the bytes end too soon, at byte 1 of 1"),
            ([5, 0x61], "5 things are announced in 1 bytes, at byte 1 of 2"),
            ([1, 0xff], "a text is not UTF-8, at byte 2 of 2"),
            (Array(repeating: 0xff, count: 10), "a number has more than 64 bits, at byte 10 of 10"),
        ] as [([UInt8], String)]) func damage(_ bytes: [UInt8], _ problem: String)
    {
        #expect(throws: CodingProblem(problem)) {
            var reader = ByteReader(bytes)
            _ = try reader.read(String.self)
        }
    }

    @Test func leftOverBytes() {
        #expect(throws: CodingProblem("1 bytes are left over, at byte 0 of 1")) { try ByteReader([0]).end() }
    }
}
