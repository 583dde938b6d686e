import APNsRules
import Mynah
import MynahCore
import Synchronization
import Testing

@testable import MynahControl

@Suite("Lists")
struct ListTests {
    /// A list of numbers, each padded with these letters.
    private func page(_ count: Int, itemBytes: Int, written: @escaping @Sendable (Int) -> Void = { _ in }) -> ListPage {
        var page = ListPage(items: Array(0..<count), matched: count + 5) { number in
            written(number)
            return ["n": .number(JSONNumber(number)), "x": .string(String(repeating: "x", count: itemBytes))]
        }
        page.nextCursor = "c"
        page.evicted = 3
        page.lastSequence = 9
        return page
    }

    private func pieces(of page: ListPage, _ count: Int, asLines: Bool) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var end = 0
        repeat {
            let piece = page.piece(from: end, asLines: asLines)
            pieces.append(piece.bytes)
            end = piece.end
        } while end < count
        return pieces
    }

    @Test("a list in pieces is the same document as in one piece", arguments: [0, 1, 2, 500])
    func pieces(count: Int) throws {
        let parts = pieces(of: page(count, itemBytes: 2000), count, asLines: false)
        let items = (0..<count).map { JSONValue.number(JSONNumber($0)) }
        let document = try JSONValue(parsing: Array(parts.joined()))
        #expect(
            document.object?.map(\.name) == ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"])
        #expect(document["items"]?.array?.map { $0["n"] } == items)
        #expect(document["nextCursor"] == "c")
        #expect(document["matched"]?.integer == Int64(count + 5))
        #expect(document["timedOut"] == false)
        #expect(document["evicted"]?.integer == 3)
        #expect(document["lastSequence"]?.integer == 9)
        let lines = pieces(of: page(count, itemBytes: 2000), count, asLines: true).joined()
        #expect(try lines.split(separator: 0x0A).map { try JSONValue(parsing: Array($0))["n"] } == items)
        #expect(lines.count(where: { $0 == 0x0A }) == count)
    }

    @Test("an item is encoded only with its piece", arguments: [false, true])
    func laziness(asLines: Bool) {
        let count = 1000
        let itemBytes = 7000
        let written = Mutex(0)
        let page = page(count, itemBytes: itemBytes) { _ in written.withLock { $0 += 1 } }
        var end = 0
        repeat {
            let piece = page.piece(from: end, asLines: asLines)
            #expect(piece.bytes.count < StreamLimits.batchBytesMax + 2 * itemBytes)
            #expect(piece.end > end)
            end = piece.end
            #expect(written.withLock { $0 } == end)
        } while end < count
    }

    @Test(
        "a long list has the same items, members and header fields as its pages",
        arguments: [
            "/v1/notifications", "/v1/notifications?topic=com.example.app",
            "/v1/notifications?topic=com.example.app&status=200&order=desc", "/v1/devices/phone/inbox",
        ])
    func overTheWire(target: String) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("phone")
            for number in 1...150 {
                let payload = #"{"aps":{"alert":"\#(number)"},"x":"\#(String(repeating: "x", count: 3000))"}"#
                #expect(try await box.send(to: token, payload) == 200)
            }
            let mark = target.contains("?") ? "&" : "?"
            let whole = try await box.http.call("GET", "\(target)\(mark)limit=1000")
            #expect(whole.body.count > 5 * StreamLimits.batchBytesMax)
            #expect(whole.headers["content-length"].isEmpty)
            var items: [JSONValue] = []
            var cursor = ""
            repeat {
                let page = try await box.http.call("GET", "\(target)\(mark)limit=7\(cursor)")
                #expect(page.headers.first(name: "content-length") == String(page.body.count))
                let document = try page.json()
                items += try #require(document["items"]?.array)
                #expect(document["matched"] == 150)
                cursor = document["nextCursor"]?.string.map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            let document = try whole.json()
            #expect(document["items"]?.array == items)
            #expect(document["matched"] == 150)
            #expect(document["nextCursor"] == .null)
            let lines = try await box.http.call(
                "GET", "\(target)\(mark)limit=1000", headers: [("Accept", "application/x-ndjson")])
            #expect(lines.headers.first(name: "mynah-matched") == "150")
            let parsed = try lines.body.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
            #expect(parsed == items)
        }
    }
}
