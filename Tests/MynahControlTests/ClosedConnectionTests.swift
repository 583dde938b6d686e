import APNsRules
import MynahCore
import Testing

@testable import Mynah
@testable import MynahControl

/// `GET /v1/closed-connections`.
@Suite("Closed connections")
struct ClosedConnectionTests {
    private func closed(_ number: UInt64) -> ClosedConnection {
        let facts = ConnectionFacts(id: number, peer: "127.0.0.1:\(number)", portEnvironment: nil)
        let time = Instant(seconds: 1_795_253_400)
        return ClosedConnection(
            connection: ConnectionView(facts, openedAt: time, environment: .sandbox, credential: nil), closedAt: time,
            reason: nil)
    }

    @Test("the newest hundred are kept, and all are counted until a reset")
    func bounded() {
        let connections = ClosedConnections()
        for number in 1...UInt64(ClosedConnections.keptMax + 50) { connections.add(closed(number)) }
        let (items, total) = connections.newest
        #expect(items.map(\.id) == Array(51...150))
        #expect(total == 150)
        connections.reset()
        #expect(connections.newest.items.isEmpty)
        #expect(connections.newest.total == 0)
    }

    @Test("a connection is listed once it has closed, with what it carried, the newest first")
    func listed() async throws {
        try await Box.with { box in
            for digit in ["a", "b"] {
                let token = String(repeating: digit, count: 64)
                let body = #"{"token": "\#(token)", "topic": "com.example.app", "payload": {"aps": {}}}"#
                _ = try await box.json("POST", "/v1/notifications", body)
            }
            // Held until no connection is open.
            _ = try await box.json("GET", "/v1/connections?wait=60s&count=0")
            let page = try await box.json("GET", "/v1/closed-connections")
            let items = try #require(page["items"]?.array)
            #expect(items.count == 2)
            #expect(items.allSatisfy { $0["pushes"] == 1 && $0["reason"] == .null && $0["alpn"] == "h2" })
            let pushes = try await box.items("/v1/notifications", "connection")
            #expect(items.compactMap { $0["id"]?.integer } == pushes.compactMap(\.integer).sorted(by: >))
            #expect(page["evicted"] == 0)
            let first = try await box.json("GET", "/v1/closed-connections?limit=1&order=asc")
            #expect(first["items"]?.array?.first?["id"] == items.last?["id"])
            let cursor = try #require(first["nextCursor"]?.string)
            let second = try await box.json("GET", "/v1/closed-connections?order=asc&cursor=\(cursor)")
            #expect(second["items"]?.array?.first?["id"] == items.first?["id"])
            _ = try await box.json("POST", "/v1/reset", #"{"only": ["notifications"]}"#)
            #expect(try await box.items("/v1/closed-connections", "id").isEmpty)
            try expectProblem(
                await box.http.call("GET", "/v1/closed-connections?peer=x"), 400, field: "peer", mentions: "peer")
        }
    }
}
