import APNsRules
import Foundation
import MynahCore
import Testing

/// Measures memory, which is only meaningful in a process that does nothing else:
/// `MEASURE_DEVICES=1 Tests/run.sh swift-tests -- --filter DeviceMemoryTests`.
@Suite("The memory of a million devices", .serialized)
struct DeviceMemoryTests {
    private static let isAsked = ProcessInfo.processInfo.environment["MEASURE_DEVICES"] == "1"
    private static let deviceCount = 1_000_000
    /// Resident bytes of an idle known device (architecture, performance table), its token's 32 apart.
    private static let bytesMax = 200 + 32

    @Test("an unnamed device stays within its bytes", .enabled(if: isAsked))
    func deviceThatAPushMadeStaysWithinItsBytes() throws {
        var random = SeededGenerator(seed: 1)
        try measure { tables, _ in
            let token = DeviceToken(bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            let push = try DeviceTableTests.push(token)
            _ = tables[token.shard(of: 64)].accept(push, at: DeviceTableTests.now, clock: DeviceTableTests.plain) { 1 }
        }
    }

    @Test("a named device with an app stays within its bytes", .enabled(if: isAsked))
    func namedDeviceStaysWithinItsBytes() throws {
        try measure { tables, number in
            let id = "phone-\(number)"
            _ = try tables[DeviceTable.shard(ofID: id, of: 64)].create(
                DeviceTableTests.device(id), id: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain)
        }
    }

    private func measure(_ make: (inout [DeviceTable], Int) throws -> Void) throws {
        var tables = (0..<64).map { DeviceTable(shard: $0, of: 64) }
        let before = try residentBytes()
        for number in 0..<Self.deviceCount { try make(&tables, number) }
        let each = (try residentBytes() - before) / Self.deviceCount
        #expect(tables.reduce(0) { $0 + $1.count } == Self.deviceCount)
        #expect((1...Self.bytesMax).contains(each), "\(each) bytes each")
    }

    private func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
