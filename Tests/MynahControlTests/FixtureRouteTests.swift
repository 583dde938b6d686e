import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `GET /v1/fixtures`.
@Suite("Fixtures of the present state")
struct FixtureRouteTests {
    @Test("what is exported restores devices, channels, faults, keys and the clock")
    func restored() async throws {
        try await Box.with { box in
            try await box.freeze()
            let token = try await box.device("kim", #", "scope": "t1", "locale": "de-DE", "watch": {}"#, online: false)
            try await box.device("lee")
            let app = "/v1/devices/kim/registrations/com.example.app"
            let members = ["serviceExtension", "focusFilter"]
            for member in members { _ = try await box.json("PATCH", app, #"{"\#(member)": {}}"#) }
            let made = try await box.json("GET", app)
            for name in ["older", "newer"] {
                let rule = #"{"id": "\#(name)", "action": {"type": "stall"}, "times": 3}"#
                _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            }
            _ = try await box.json("POST", "/v1/channels", #"{"bundleId": "com.example.app"}"#, status: 201)
            _ = try await box.json("POST", "/v1/keys", #"{"keyId": "NEWS123456"}"#, status: 201)
            let document = try await box.json("GET", "/v1/fixtures")
            #expect(document["devices"]?.array?.compactMap { $0["id"]?.string } == ["kim", "lee"])
            #expect(document["devices"]?.array?.first?["registrations"]?.array?.first?["token"]?.string == token)
            #expect(document["devices"]?.array?.first?["watch"] == ["worn": true, "locked": false])
            #expect(document["faults"]?.array?.compactMap { $0["id"]?.string } == ["older", "newer"])
            #expect(document["faults"]?.array?.first?["fired"] == nil)
            #expect(document["faults"]?.array?.first?["words"] == nil)
            #expect(document["keys"]?.array?.compactMap { $0["keyId"]?.string } == ["NEWS123456"])
            #expect(!document.encodedText.contains("PRIVATE"))

            let again = try await MynahServer.start(control: .embedded, fixtures: document)
            let caller = HTTPCaller(port: try #require(again.control?.port))
            let copy = try await caller.call("GET", "/v1/fixtures").json()
            let restored = try await caller.call("GET", app).json()
            try await again.stop()
            #expect(copy == document)
            for member in members {
                #expect(restored[member] == made[member], "\(member)")
                #expect(made[member] != .null, "\(member)")
            }
        }
    }

    @Test("a scope has its devices and faults alone; a running clock is left out")
    func ofScope() async throws {
        try await Box.with { box in
            try await box.device("kim", #", "scope": "t1""#)
            try await box.device("lee")
            _ = try await box.json(
                "POST", "/v1/faults",
                #"[{"id": "mine", "scope": "t1", "action": {"type": "stall"}}, {"action": {"type": "stall"}}]"#,
                status: 201)
            let document = try await box.json("GET", "/v1/fixtures?scope=t1")
            #expect(document["devices"]?.array?.compactMap { $0["id"]?.string } == ["kim"])
            #expect(document["faults"]?.array?.compactMap { $0["id"]?.string } == ["mine"])
            #expect(document["clock"] == nil)
            let time = "2027-01-01T00:00:00.000Z"
            _ = try await box.json("PUT", "/v1/clock", #"{"scope": "t1", "mode": "frozen", "now": "\#(time)"}"#)
            let frozen: JSONValue = ["mode": "frozen", "now": .string(time)]
            #expect(try await box.json("GET", "/v1/fixtures?scope=t1")["clock"] == frozen)
            #expect(try await box.json("GET", "/v1/fixtures")["clock"] == nil)
            try expectProblem(
                await box.http.call("GET", "/v1/fixtures?scope=a%20b"), 400, field: "scope", mentions: "a b")
        }
    }

    @Test("an empty server has empty lists, and a fleet of several pages is complete")
    func sizes() async throws {
        try await Box.with { box in
            let empty = try await box.json("GET", "/v1/fixtures")
            #expect(empty.encodedText == #"{"devices":[],"channels":[],"faults":[],"keys":[]}"#)
            _ = try await box.http.call("POST", "/v1/devices", #"{"id": "fleet", "count": 2001}"#)
            let full = try await box.json("GET", "/v1/fixtures")
            #expect(full["devices"]?.array?.count == 2001)
        }
    }
}
