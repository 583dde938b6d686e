import APNsRules
import Testing

@testable import MynahCore

/// What a server without web apps had written when it was stopped: version 1 of the formats.
@Suite("Bytes of the first version")
struct FirstVersionTests {
    /// A device of shard 17 with two apps and a screen.
    private static let phone = [
        "ASKAAQIBD2NvbS5leGFtcGxlLmFwcAEQY29tLmV4YW1wbGUubmV3cwAAAgACAQAJaVBob25lIDE3A2lPUwQyNi4xB3NhbmRib3gCZW4AAQ"
            + "AJaVBob25lIDE3A2lPUwQyNi4xB3NhbmRib3gFZW4tR0IBA2tpbQACAQABAnQxAAAAAAA",
        "AQBmCmtpbXMtcGhvbmUBAQEK-Ki2vcRoAAAAAAAAAAABAQUqYlohxcnsqlUGkkTbtUyY2ABfiA9jb20uZXhhbXBsZS5hcHAA-Ki2vcRoAQ"
            + "VIZWxsbwABBVdvcmxkAAEIcGluZy5jYWYAAAAAAAAAAAACAAZhY3RpdmUAAAAAAQAAAwVzaG93bviotr3EaARub25lAQEGYmFubmVyBmFs"
            + "d2F5cwAAAAAAAAD4qLa9xGgAAQAAAAEFD2NvbS5leGFtcGxlLmFwcPiotr3EaAhwaW5nLmNhZgAAAQAAAAAAAgACACAVYr8Z-"
            + "QHPgyCfxXtEtHw_VRyRxVQvcNjUy5UK3EcHA9yntr3EaAAAAAAAAQlzdXNwZW5kZWQKYXV0aG9yaXplZAEGYmFubmVyAQEGYWx3YXlzAAE"
            + "AAQEBAQAAAQhwaW5nLmNhZgAAAmVuAAAAAQAHbmV3RGF0YQAAAQAAAAAAAAAAAQIAINWCKLM0b82LDcv0YjqlAOhnGamdkL6jbck0VahY6"
            + "0gm3Ke2vcRoAAAAAAABCWZvcmNlUXVpdAphdXRob3JpemVkAQZiYW5uZXIBAQZhbHdheXMBAQABAQEBAAAAAAJlbgAAAAEAB25ld0RhdGE"
            + "AAAEAAAAAAAAAAA",
    ]

    /// A device of shard 1 that is offline, with a push that waits for it.
    private static let offline = [
        "AQKAAQEBD2NvbS5leGFtcGxlLmFwcAAAAgABAQAJaVBob25lIDE3A2lPUwQyNi4xB3NhbmRib3gCZW4AAAEBAAAAAAAA",
        "AQACB29mZmxpbmUAAAEAAgAgwbgD2acT08nsR2V13y0CCZpYEfQtyWpfSy1y0fycDhDyp7a9xGgBCyDBuAPZpxPTyexHZXXfLQIJmlgR9C"
            + "3Jal9LLXLR_JwOEAdzYW5kYm94CgEFYWxlcnStWhT0OsIGSDUP7-"
            + "J_beI7pi2Q4b8B2QEBBABQT1NUAwUAaHR0cHMEDwBsb2NhbGhvc3Q6MzcyNzkCSgAvMy9kZXZpY2UvYzFiODAzZDlhNzEzZDNjOWVjNDc2"
            + "NTc1ZGYyZDAyMDk5YTU4MTFmNDJkYzk2YTVmNGIyZDcyZDFmYzljMGUxMAYAAAgPAGNvbS5leGFtcGxlLmFwcAkFAGFsZXJ0CgoAMjAwMD"
            + "AwMDAwMAckADNCRTI2RDdGLUUyRUYtMEYzNS00ODA2LUMyM0FGNDE0NUFBRHsiYXBzIjp7ImFsZXJ0Ijoic3RvcmVkIn19AJCptr3EaJDJ"
            + "rOXXaAAADmRldmljZSBvZmZsaW5lAAAAAAAAAQlzdXNwZW5kZWQKYXV0aG9yaXplZAEGYmFubmVyAQEGYWx3YXlzAQEAAQEBAQAAAAACZW"
            + "4AAAABAAduZXdEYXRhAAABAAAAAAAAAAA",
    ]

    /// A delivered push, a refused one and a stored one.
    private static let journal = [
        "AQMCAQAAAAwFAAA",
        "Ac8H-"
            + "Ki2vcRoB3NhbmRib3gBAgABaGJlYXJlciBleUpoYkdjaU9pSkZVekkxTmlJc0ltdHBaQ0k2SWxsRlJUQXdNRXRaUjBzaWZRLmV5SnBjM01"
            + "pT2lJM1RqbFNOVUphVUZrMklpd2lhV0YwSWpveE56azFPRGszTmpBNGZRAgo3TjlSNUJaUFk2CllFRTAwMEtZR0uAnba9xGgABGJvdGgAA"
            + "CAVYr8Z-QHPgyCfxXtEtHw_VRyRxVQvcNjUy5UK3EcHAypiWiHFyeyqVQaSRNu1TJjYAF-"
            + "I8MbCNDKKUqdtp6lbAMU1ywAAAAD3AQEEAFBPU1QDBQBodHRwcwQPAGxvY2FsaG9zdDozNzI3OQJKAC8zL2RldmljZS8xNTYyYmYxOWY5M"
            + "DFjZjgzMjA5ZmM1N2I0NGI0N2MzZjU1MWM5MWM1NTQyZjcwZDhkNGNiOTUwYWRjNDcwNzAzBgAACA8AY29tLmV4YW1wbGUuYXBwCQUAYWx"
            + "lcnQHJAA5ODRDQjVEQi00NDkyLTA2NTUtQUFFQy1DOUM1MjE1QTYyMkF7ImFwcyI6eyJhbGVydCI6eyJ0aXRsZSI6IkhlbGxvIiwiYm9ke"
            + "SI6IldvcmxkIn0sInNvdW5kIjoicGluZy5jYWYifX3kAooBdA-QAwlkZWxpdmVyZWQACmtpbXMtcGhvbmUBAnQxAgABBPiotr3EaAhyZWN"
            + "laXZlZAD4qLa9xGgJZGVsaXZlcmVkAPiotr3EaAVzaG93bgEFc2hvd274qLa9xGgHc291bmRlZAEIcGluZy5jYWYAAAEBBUhlbGxvAAEFV"
            + "29ybGQAAQhwaW5nLmNhZgAAAAAAAAAAAAIABmFjdGl2ZQAAAAABAAADBXNob3du-Ki2vcRoBG5vbmUBAQZiYW5uZXIGYWx3YXlzAAAAAAA"
            + "AAAAAA5sGhKm2vcRoB3NhbmRib3gCAgEgFWK_GfkBz4Mgn8V7RLR8P1UckcVUL3DY1MuVCtxHBwOpBvihP_opULKRHJgC6e7nHUiwRc0BA"
            + "QQAUE9TVAMFAGh0dHBzBA8AbG9jYWxob3N0OjM3Mjc5AkoALzMvZGV2aWNlLzE1NjJiZjE5ZjkwMWNmODMyMDlmYzU3YjQ0YjQ3YzNmNTU"
            + "xYzkxYzU1NDJmNzBkOGQ0Y2I5NTBhZGM0NzA3MDMGAAAIEQBjb20uZXhhbXBsZS5vdGhlcgkFAGFsZXJ0ByQARTdFRUU5MDItOTgxQy05M"
            + "UIyLTUwMjktRkEzRkExRjgwNkE5eyJhcHMiOnsiYWxlcnQiOiJ3cm9uZyJ9fegCMnQRoAYWRGV2aWNlVG9rZW5Ob3RGb3JUb3BpYwdyZWZ"
            + "1c2VkAQIBRnRoZSB0b2tlbiBiZWxvbmdzIHRvIGNvbS5leGFtcGxlLmFwcCwgdGhlIHB1c2ggbmFtZXMgY29tLmV4YW1wbGUub3RoZXIAA"
            + "AAAAAADjwaQqba9xGgHc2FuZGJveAMCASDBuAPZpxPTyexHZXXfLQIJmlgR9C3Jal9LLXLR_JwOEK1aFPQ6wgZINQ_v4n9t4jumLZDhhDJ"
            + "heFf_ar0TZjwgK5DrVwAAAADZAQEEAFBPU1QDBQBodHRwcwQPAGxvY2FsaG9zdDozNzI3OQJKAC8zL2RldmljZS9jMWI4MDNkOWE3MTNkM"
            + "2M5ZWM0NzY1NzVkZjJkMDIwOTlhNTgxMWY0MmRjOTZhNWY0YjJkNzJkMWZjOWMwZTEwBgAACA8AY29tLmV4YW1wbGUuYXBwCQUAYWxlcnQ"
            + "KCgAyMDAwMDAwMDAwByQAM0JFMjZEN0YtRTJFRi0wRjM1LTQ4MDYtQzIzQUY0MTQ1QUFEeyJhcHMiOnsiYWxlcnQiOiJzdG9yZWQifX3-"
            + "AjR0D5ADBnN0b3JlZAAHb2ZmbGluZQACAQ5kZXZpY2Ugb2ZmbGluZQAAAAAAAA",
    ]

    private static let shardCount = 64
    private static let written = "2026-11-28T20:26:48.782Z"

    private static func bytes(_ texts: [String]) throws -> [[UInt8]] {
        try texts.map { try #require(Base64.decode($0.utf8)?.bytes) }
    }

    private static func table(_ texts: [String], shard: Int) throws -> DeviceTable {
        try DeviceTable(shard: shard, of: shardCount, pieces: try bytes(texts).map { ByteReader($0) })
    }

    private static func device(_ id: String, of table: DeviceTable) throws -> DeviceView {
        var table = table
        let time = try #require(Instant(rfc3339: written))
        return try table.view(of: id, at: time, clock: { _ in time }).value
    }

    private static func pushes(_ journal: Journal) -> [PushView] {
        (1...20).compactMap { journal.entry($0) }.map { PushView($0) }
    }

    @Test("the bytes are of version 1")
    func version() throws {
        for piece in try Self.bytes(Self.phone + Self.offline + Self.journal.prefix(1)) { #expect(piece.first == 1) }
    }

    @Test("devices are read with what they had, and have no web apps")
    func devices() throws {
        let table = try Self.table(Self.phone, shard: 17)
        let phone = try Self.device("kims-phone", of: table)
        #expect(phone.scope == "t1" && phone.traits.user == "kim")
        #expect(phone.registrations.map(\.topic) == ["com.example.app", "com.example.news"])
        let app = try #require(phone.registrations.first?.json)
        #expect(app["permissions"]?["badge"] == false)
        #expect(app["sounds"] == ["ping.caf"])
        #expect(app["kind"] == "app" && app["worker"] == "shows" && app["webPush"] == .null)
        #expect(phone.registrations.last?.json["appState"] == "forceQuit")
        #expect(table.webAppCount == 0)

        let offline = try Self.table(Self.offline, shard: 1)
        #expect(try Self.device("offline", of: offline).storedCount == 1)
        #expect(offline.storedCount == 1)
        for one in [table, offline] { #expect(one.brokenInvariants() == []) }
    }

    @Test("devices are written again in today's version, and read as the same")
    func devicesAreRewritten() throws {
        let table = try Self.table(Self.phone, shard: 17)
        let again = try table.rewritten(shard: 17, of: Self.shardCount)
        #expect(again.pieces == table.pieces)
        #expect(table.pieces.allSatisfy { $0.first == 2 })
        #expect(try Self.device("kims-phone", of: again).json == Self.device("kims-phone", of: table).json)
    }

    @Test("pushes are read with what became of them, and none is a web push")
    func pushes() throws {
        let journal = try Journal(pieces: try Self.bytes(Self.journal), bounds: JournalBounds())
        let pushes = Self.pushes(journal)
        #expect(pushes.map { $0.entry.outcome } == [.delivered, .refused, .stored])
        #expect(pushes.map { $0.entry.reason } == [nil, .deviceTokenNotForTopic, nil])
        #expect(pushes.map(\.topic) == ["com.example.app", "com.example.other", "com.example.app"])
        #expect(pushes.allSatisfy { $0.kind == .push && $0.entry.web == nil })
        let again = try Journal(pieces: journal.pieces, bounds: JournalBounds())
        #expect(Self.pushes(again).map(\.json) == pushes.map(\.json))
    }
}
