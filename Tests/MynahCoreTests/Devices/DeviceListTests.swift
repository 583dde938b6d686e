import APNsRules
import MynahCore
import Testing

@Suite("Lists of devices")
struct DeviceListTests {
    private static let now = DeviceTableTests.now

    private func table() throws -> DeviceTable {
        var table = DeviceTable()
        var fleet = DeviceTableTests.device("van")
        fleet.count = 120
        for id in fleet.ids.reversed() {
            _ = try table.create(fleet, id: id, at: Self.now, clock: DeviceTableTests.plain)
        }
        let pad = try DeviceSpecification(json: [
            "id": "pad", "scope": "t1", "platform": "iPadOS", "online": false, "environment": "production",
            "registrations": [["topic": "com.example.two"]],
        ])
        _ = try table.create(pad, id: "pad", at: Self.now, clock: DeviceTableTests.plain)
        _ = table.accept(
            try DeviceTableTests.push(DeviceTableTests.token(5)), at: Self.now, clock: DeviceTableTests.plain
        ) { 1 }
        return table
    }

    @Test("pages follow each other by id, each device once", arguments: [1, 7, 50, 1000])
    func pagesFollowEachOther(limit: Int) throws {
        var table = try table()
        let ids = Self.pages(of: &table, limit: limit, in: DeviceOrder()).map(\.id)
        #expect(ids.count == 122)
        #expect(ids == ids.sorted())
    }

    /// The places of all devices, read page by page.
    private static func pages(of table: inout DeviceTable, limit: Int, in order: DeviceOrder) -> [DevicePlace] {
        var places: [DevicePlace] = []
        while true {
            let page = table.list(
                in: order, after: places.last, limit: limit, at: Self.now, clock: DeviceTableTests.plain
            ).value
            #expect(page.matched == 122)
            #expect(page.devices.count <= limit)
            if page.devices.isEmpty { return places }
            places += page.devices.map(\.place)
        }
    }

    @Test("by last push, devices with the same one or without one are by id", arguments: [1, 7, 50, 1000])
    func pagesByLastPush(limit: Int) throws {
        var table = try table()
        let ids = ["van-00003", "van-00007", "van-00120", "van-00100"]
        // A broadcast gives two devices the same push.
        for (id, sequence) in zip(ids, [5, 9, 7, 7] as [UInt64]) {
            let token = try #require(
                table.view(of: id, at: Self.now, clock: DeviceTableTests.plain).value.registrations.first?.token)
            _ = table.accept(try DeviceTableTests.push(token), at: Self.now, clock: DeviceTableTests.plain) { sequence }
        }
        let newest = Self.pages(of: &table, limit: limit, in: DeviceOrder(by: .lastPush, isDescending: true))
        #expect(newest.prefix(4).map(\.id) == ["van-00007", "van-00100", "van-00120", "van-00003"])
        #expect(newest[4].last == 1)
        let rest = newest.dropFirst(5)
        #expect(rest.count == 117)
        #expect(rest.allSatisfy { $0.last == 0 })
        #expect(rest.map(\.id) == rest.map(\.id).sorted())
        let oldest = Self.pages(of: &table, limit: limit, in: DeviceOrder(by: .lastPush))
        #expect(Array(oldest.prefix(117)) == Array(rest))
        #expect(oldest.suffix(5).map(\.last) == [1, 5, 7, 7, 9])
    }

    @Test("what comes after a bound is counted, not listed")
    func boundIsKept() throws {
        var table = try table()
        let page = table.list(
            before: DevicePlace(id: "van-00002"), limit: 10, at: Self.now, clock: DeviceTableTests.plain
        ).value
        #expect(page.matched == 122)
        #expect(page.devices.map(\.id).suffix(2) == ["pad", "van-00001"])
    }

    @Test("a cursor stays valid when its device is removed")
    func cursorHoldsAlthoughItsDeviceIsGone() throws {
        var table = try table()
        let first = table.list(limit: 10, at: Self.now, clock: DeviceTableTests.plain).value.devices.map(\.id)
        let last = try #require(first.last)
        let place = DevicePlace(id: last)
        let next = table.list(after: place, limit: 1, at: Self.now, clock: DeviceTableTests.plain).value.devices
        #expect(table.remove(last, at: Self.now, clock: DeviceTableTests.plain) != nil)
        #expect(table.list(after: place, limit: 1, at: Self.now, clock: DeviceTableTests.plain).value.devices == next)
    }

    @Test(
        "a filter matches devices that meet all its conditions",
        arguments: [
            ([("platform", "iPadOS")], 1), ([("online", "false")], 1), ([("scope", "t1")], 1), ([("scope", "")], 121),
            ([("topic", "com.example.app")], 121), ([("environment", "production")], 1), ([("named", "false")], 1),
            ([("device", "pad"), ("device", "van-00001")], 2), ([("device", "pad"), ("online", "true")], 0),
            ([("fleet", "van")], 120), ([("fleet", "")], 2), ([("!fleet", "van"), ("named", "true")], 1),
            ([("fleet", "va")], 0), ([("power", "normal")], 122), ([], 122),
            ([("token", String(repeating: "5a", count: 30) + "0005")], 1),
        ])
    func filterHolds(parameters: [(String, String)], count: Int) throws {
        var table = try table()
        let filter = try DeviceFilter(parameters: parameters.map { (name: $0.0, value: $0.1) })
        let page = table.list(limit: 0, where: filter, at: Self.now, clock: DeviceTableTests.plain).value
        #expect(page.matched == count)
        #expect(page.devices.isEmpty)
    }

    @Test(
        "an error names the wrong filter and what was expected",
        arguments: [
            ("platfrom", "iOS", "platfrom", "did you mean \"platform\"?"), ("platform", "iPad", "platform", "iPadOS"),
            ("online", "yes", "online", "true"), ("token", "xyz", "token", "hexadecimal"),
        ])
    func wrongFilterIsNamed(name: String, value: String, field: String, hint: String) throws {
        let error = #expect(throws: InputError.self) { try DeviceFilter(parameters: [(name: name, value: value)]) }
        #expect(error?.field == field)
        #expect(error?.description.contains(hint) == true)
    }
}
