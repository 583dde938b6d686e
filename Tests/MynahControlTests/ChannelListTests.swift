import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahControl

/// `GET /v1/channels` page by page.
@Suite("Lists of channels")
struct ChannelListTests {
    private static let path = "/v1/channels"

    /// Makes channels, and returns their ids.
    private func make(_ count: Int, _ box: Box, app: String = "com.example.app") async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count {
            let made = try await box.server.createChannel(ChannelSpecification(json: ["bundleId": .string(app)]))
            ids.append(made.channel.id.text)
        }
        return ids
    }

    /// Reads all pages, and calls `between` after each but the last.
    private func ids(
        _ box: Box, _ query: String, between: ([String]) async throws -> Void = { _ in }
    ) async throws -> [String] {
        var found: [String] = []
        var cursor = ""
        while true {
            let page = try await box.json("GET", "\(Self.path)?\(query)\(cursor)")
            found += try #require(page["items"]?.array).compactMap { $0["id"]?.string }
            guard let next = page["nextCursor"]?.string else { return found }
            cursor = "&cursor=\(next)"
            try await between(found)
        }
    }

    @Test("all pages have each channel once, in the order of creation or the newest first")
    func pages() async throws {
        try await Box.with { box in
            let made = try await make(7, box)
            #expect(try await ids(box, "limit=3") == made)
            #expect(try await ids(box, "limit=3&order=desc") == made.reversed())
            #expect(try await ids(box, "limit=7") == made)
            let page = try await box.json("GET", Self.path + "?limit=3")
            #expect(page["matched"] == 7)
        }
    }

    @Test("pages go on after channels are deleted and made, also the one at which a page ended")
    func changes() async throws {
        try await Box.with { box in
            let made = try await make(6, box)
            var added: [String] = []
            let found = try await ids(box, "limit=2") { found in
                guard added.isEmpty else { return }
                #expect(found == Array(made[..<2]))
                for id in [made[1], made[3]] { _ = try await box.server.removeChannel(#require(ChannelID(id))) }
                added = try await make(1, box)
            }
            #expect(found == [made[0], made[1], made[2], made[4], made[5]] + added)
        }
    }

    @Test("a list begins after a channel, and has only those of an app")
    func filters() async throws {
        try await Box.with { box in
            let made = try await make(3, box)
            let others = try await make(2, box, app: "com.example.other")
            #expect(try await ids(box, "after=\(PathText.encoded(made[1]))") == [made[2]] + others)
            #expect(try await ids(box, "order=desc&after=\(PathText.encoded(made[1]))") == [made[0]])
            #expect(try await ids(box, "limit=1&bundleId=com.example.other") == others)
            #expect(try await ids(box, "bundleId=com.example.other&environment=production") == [])
            let page = try await box.json("GET", Self.path + "?bundleId=com.example.other&limit=1")
            #expect(page["matched"] == 2)
        }
    }

    @Test(
        "a wrong parameter is named",
        arguments: [
            ("after=x", "after"), ("after=tvI2UK0vEfEAAA6GFnjo2Q%3D%3D", "after"), ("limit=0", "limit"),
            ("limit=1001", "limit"), ("order=up", "order"), ("cursor=x", "cursor"), ("wait=1s", "wait"),
        ])
    func mistakes(query: String, field: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call("GET", "\(Self.path)?\(query)"), 400, field: field, mentions: field)
        }
    }
}
