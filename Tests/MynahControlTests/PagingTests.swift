import APNsRules
import Mynah
import Testing

@testable import MynahControl

@Suite("Paging")
struct PagingTests {
    /// Reads all pages and returns their sequence numbers.
    private func all(_ box: Box, _ query: String, between: () -> Void = {}) async throws -> [Int64] {
        var found: [Int64] = []
        var cursor = ""
        while true {
            let page = try await box.http.call("GET", "/v1/notifications?\(query)\(cursor)").json()
            found += try #require(page["items"]?.array).compactMap { $0["sequence"]?.integer }
            guard let next = page["nextCursor"]?.string else { return found }
            cursor = "&cursor=\(next)"
            between()
        }
    }

    @Test("ascending pages have each push once, including new ones")
    func upwards() async throws {
        try await Box.with { box in
            for _ in 1...10 { box.push() }
            var late = 0
            let found = try await all(box, "limit=3") {
                guard late < 3 else { return }
                late += 1
                box.push()
            }
            #expect(found == Array(1...13))
        }
    }

    @Test("descending pages have each push once, without new ones")
    func downwards() async throws {
        try await Box.with { box in
            for _ in 1...10 { box.push() }
            let found = try await all(box, "limit=4&order=desc") { box.push() }
            #expect(found == (1...10).reversed())
        }
    }

    @Test("filtered pages have each match once while other tasks append")
    func concurrentAppends() async throws {
        try await Box.with { box in
            for number in 1...200 { box.push(topic: number.isMultiple(of: 2) ? "even" : "odd") }
            let found = try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { for _ in 0..<200 { box.push(topic: "even") } } }
                let found = try await all(box, "limit=7&topic=odd")
                try await group.waitForAll()
                return found
            }
            #expect(found == stride(from: 1, through: 199, by: 2).map { Int64($0) })
            #expect(try await box.http.call("GET", "/v1/notifications?topic=even&limit=1").json()["matched"] == 900)
        }
    }

    @Test("a long journal is read completely, with a limit of 1000", arguments: ["asc", "desc"])
    func manyPieces(order: String) async throws {
        try await Box.with { box in
            let count = JournalStore.pieceCount * 2 + 5
            for _ in 1...count { box.push() }
            let page = try await box.http.call("GET", "/v1/notifications?limit=1000&order=\(order)").json()
            #expect(page["matched"]?.integer == Int64(count))
            #expect(page["items"]?.array?.count == 1000)
            let found = try await all(box, "limit=1000&order=\(order)")
            #expect(found == (order == "asc" ? Array(1...Int64(count)) : (1...Int64(count)).reversed()))
        }
    }

    @Test("after selects later pushes, and lastSequence is its value")
    func after() async throws {
        try await Box.with { box in
            box.push()
            let last = try #require(try await box.http.call("GET", "/v1/notifications").json()["lastSequence"]?.integer)
            #expect(try await box.sequences("/v1/notifications?after=\(last)") == [])
            box.push()
            #expect(try await box.sequences("/v1/notifications?after=\(last)") == [2])
            #expect(try await box.sequences("/v1/notifications?after=\(last)&order=desc") == [2])
            let beyond = try await box.http.call("GET", "/v1/notifications?after=99").json()
            #expect(beyond["field"] == "after")
            #expect(beyond["detail"]?.string?.hasPrefix("99 is beyond the newest sequence number, 2: expected") == true)
        }
    }

    @Test("matched counts all pages")
    func matched() async throws {
        try await Box.with { box in
            for _ in 1...5 { box.push() }
            let first = try await box.http.call("GET", "/v1/notifications?limit=2").json()
            #expect(first["matched"] == 5)
            let cursor = try #require(first["nextCursor"]?.string)
            let second = try await box.http.call("GET", "/v1/notifications?limit=2&cursor=\(cursor)").json()
            #expect(second["matched"] == 5)
            #expect(second["items"]?.array?.count == 2)
        }
    }

    @Test("an ascending cursor to evicted pushes is 410, and a later one continues")
    func cursorEvicted() async throws {
        try await Box.with({ server, _ in server.retain = 4 }) { box in
            for _ in 1...4 { box.push() }
            let page = try await box.http.call("GET", "/v1/notifications?limit=2").json()
            let cursor = try #require(page["nextCursor"]?.string)
            for _ in 1...2 { box.push() }
            // 1 and 2 were evicted; they were on the previous page.
            #expect(try await box.sequences("/v1/notifications?cursor=\(cursor)") == [3, 4, 5, 6])
            box.push()
            try expectProblem(
                await box.http.call("GET", "/v1/notifications?cursor=\(cursor)"), 410, field: "cursor",
                mentions: "evicted", "--retain")
        }
    }

    @Test("a descending cursor to evicted pushes is 410")
    func cursorEvictedDownwards() async throws {
        try await Box.with({ server, _ in server.retain = 4 }) { box in
            for _ in 1...4 { box.push() }
            let page = try await box.http.call("GET", "/v1/notifications?limit=2&order=desc").json()
            let cursor = try #require(page["nextCursor"]?.string)
            for _ in 1...3 { box.push() }
            try expectProblem(await box.http.call("GET", "/v1/notifications?cursor=\(cursor)"), 410, field: "cursor")
        }
    }

    @Test("a cursor keeps its order, and another order is refused")
    func cursorOrder() async throws {
        try await Box.with { box in
            for _ in 1...3 { box.push() }
            let page = try await box.http.call("GET", "/v1/notifications?limit=1&order=desc").json()
            let cursor = try #require(page["nextCursor"]?.string)
            #expect(try await box.sequences("/v1/notifications?cursor=\(cursor)") == [2, 1])
            try expectProblem(
                await box.http.call("GET", "/v1/notifications?order=asc&cursor=\(cursor)"), 400, field: "order")
        }
    }

    @Test(
        "only a valid cursor is accepted", arguments: ["", "YXNj", "YXNjOjE=", "YXNjOjAx", "dXA6MQ", "asc:1"])
    func notCursors(text: String) {
        #expect(Cursor(text) == nil)
        #expect(Cursor(Cursor(order: .ascending, sequence: 1).text) == Cursor(order: .ascending, sequence: 1))
    }
}
