import APNsRules
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
        reader.proceed(to: ByteReader([1]))
        #expect(try reader.last(Shared<DeviceLabel>.self).value == label)
        reader.proceed(to: ByteReader([2]))
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

    @Test func rowsAreTheirValues() throws {
        let rows = [Row("a", 1, UInt8?.none), Row("b", -1, UInt8?.some(7))]
        #expect(rows.coded == [2] + [1, 0x61, 2, 0] + [1, 0x62, 1, 1, 7])
        let read = try [Row<String, Int, UInt8?>](coded: rows.coded)
        #expect(read.map(\.values.0) == ["a", "b"])
        #expect(read.map(\.values.1) == [1, -1])
        #expect(read.map(\.values.2) == [nil, 7])
    }

    @Test func valueWithoutKeyComesFirst() throws {
        let values: [String?: Int] = ["b": 2, nil: 1, "a": 3]
        let bytes = OptionallyKeyed(values).coded
        #expect(bytes == [1, 2] + [2] + [1, 0x61, 6] + [1, 0x62, 4])
        #expect(try OptionallyKeyed<Int>(coded: bytes).values == values)
        #expect(OptionallyKeyed<Int>([:]).coded == [0, 0])
    }

    @Test func checkedMembers() throws {
        var met = Met<UInt64>()
        for one in [9, 9, 4] as [UInt64] { _ = met.countRequest(of: one) }
        #expect(met.coded == [2, 2] + [9, 1, 2] + [4, 2, 1])
        var again = try Met<UInt64>(coded: met.coded)
        #expect(again.countRequest(of: 4) == (2, 2))
        #expect(throws: CodingProblem("a rule can't have met 2 connections or keys, at byte 8 of 8")) {
            _ = try Met<UInt64>(coded: [1, 2, 9, 1, 2, 4, 2, 1])
        }
    }

    @Test func bytesOfSmallState() {
        var throttle = ReportThrottle()
        _ = throttle.recordOccurrence(of: "a", at: Instant(milliseconds: 0), interval: .seconds(1))
        #expect(throttle.coded == [0, 1] + [1, 0x61, 0, 2, 0, 0])
        #expect(FaultSet().coded == [0, 0, 0, 0, 0])
        let channels = BroadcastChannels(seed: 1).coded
        #expect(channels.first == 1)
        #expect(channels.dropFirst(17) == [0, 0, 0, 0, 0])
        #expect(
            JSONValue.object([JSONMember("a", [true, "b", .null])]).coded == [6, 1, 1, 0x61, 5, 3, 2, 4, 1, 0x62, 0])
    }

    @Test func deepJSON() {
        let depth = 2 * JSONValue.depthMax
        let most: [UInt8] = Array(Array(repeating: [5, 1], count: depth).joined()) + [0]
        #expect(throws: Never.self) { try JSONValue(coded: most) }
        #expect(throws: CodingProblem("JSON is nested too deeply, at byte \(2 * (depth + 1)) of \(2 * depth + 3)")) {
            _ = try JSONValue(coded: [5, 1] + most)
        }
    }

    @Test func leftOverBytes() {
        #expect(throws: CodingProblem("1 bytes are left over, at byte 0 of 1")) { try ByteReader([0]).end() }
    }
}
