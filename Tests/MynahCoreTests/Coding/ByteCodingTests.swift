import Testing

@testable import MynahCore

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

    @Test func sharedValuesAreWrittenOnce() throws {
        let label = DeviceLabel(device: "phone", scope: nil)
        let other = DeviceLabel(device: "phone", scope: "tests")
        var writer = ByteWriter()
        for one in [label, label, other, DeviceLabel(device: "phone", scope: nil), other] { writer.write(Shared(one)) }
        #expect(writer.bytes == [0] + label.coded + [1, 0] + other.coded + [1, 2])
        var reader = ByteReader(writer.bytes, sharing: SharedInJournal())
        var read: [DeviceLabel] = []
        for _ in 0..<5 { read.append(try reader.read(Shared<DeviceLabel>.self).value) }
        try reader.end()
        #expect(read == [label, label, other, label, other])
        #expect(read[0] === read[3] && read[2] === read[4])
    }

    @Test func sharedValuesAreKnownInLaterPieces() throws {
        let label = DeviceLabel(device: "phone", scope: nil)
        var reader = ByteReader([0] + label.coded, sharing: SharedInJournal())
        #expect(try reader.last(Shared<DeviceLabel>.self).value == label)
        reader.goOn(with: ByteReader([1]))
        #expect(try reader.last(Shared<DeviceLabel>.self).value == label)
        reader.goOn(with: ByteReader([2]))
        #expect(throws: CodingProblem("value 2 of 1 is referred to, at byte 1 of 1")) {
            try reader.read(Shared<DeviceLabel>.self)
        }
    }

    @Test(arguments: [(1, nil), (2, 7)] as [(UInt8, UInt8?)]) func earlierVersions(_ version: UInt8, _ member: UInt8?)
        throws
    {
        var writer = ByteWriter()
        writer.write(version)
        if member != nil { writer.write(Since<2, UInt8>(7)) }
        var reader = ByteReader(writer.bytes)
        #expect(try reader.version(newest: 2) == version)
        #expect(try reader.last(Since<2, UInt8>.self).value == member)
    }

    @Test func leftOverBytes() {
        #expect(throws: CodingProblem("1 bytes are left over, at byte 0 of 1")) { try ByteReader([0]).end() }
    }
}
