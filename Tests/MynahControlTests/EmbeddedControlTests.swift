import APNsRules
import MynahControl
import NIOCore
import Testing

@testable import Mynah

@Suite("A server in a test's own process, with its control API")
struct EmbeddedControlTests {
    private static func fixtures(publicKey: String) -> JSONValue {
        [
            "devices": [["id": "kim", "registrations": [["topic": "com.example.app"]]]],
            "keys": [["keyId": "ABCDEFGHIJ", "publicKey": .string(publicKey)]],
            "clock": ["mode": "frozen", "now": "2024-02-29T12:00:00Z"],
            "faults": [["id": "busy", "action": ["type": "respond", "reason": "TooManyRequests"]]],
        ]
    }

    private func withServer(
        fixtures: JSONValue = [:], _ body: (MynahServer, HTTPCaller) async throws -> Void
    ) async throws {
        let apns = try await MynahServer.start(control: .embedded, fixtures: fixtures)
        do {
            try await body(apns, HTTPCaller(port: try #require(apns.control?.port)))
        } catch {
            try await apns.stop()
            throw error
        }
        try await apns.stop()
    }

    @Test("fixtures are loaded at the start, for the API and the typed calls")
    func fixtures() async throws {
        var publicKey: String?
        try await withServer { _, http in
            publicKey = try await http.call("POST", "/v1/keys", "{}").json()["publicKey"]?.string
        }
        try await withServer(fixtures: Self.fixtures(publicKey: try #require(publicKey))) { apns, http in
            #expect(try await http.call("GET", "/readyz").status == 200)
            let device = try await http.call("GET", "/v1/devices/kim").json()
            #expect(device["registrations"]?.array?.first?["topic"] == "com.example.app")
            #expect(apns.now.rfc3339 == "2024-02-29T12:00:00.000Z")
            #expect(apns.running.keys.contains { $0.keyID == "ABCDEFGHIJ" })
            let faults = try await http.call("GET", "/v1/faults").json()
            #expect(faults["items"]?.array?.map { $0["id"] } == ["busy"])
            // The API reports what typed calls have done.
            let lee = try await apns.addDevice(app: "com.example.app")
            #expect(try await http.call("GET", "/v1/devices/\(lee.id)").status == 200)
            // A reset restores the fixtures.
            #expect(try await http.call("POST", "/v1/reset", "{}").status == 200)
            #expect(try await http.call("GET", "/v1/devices/kim").status == 200)
            #expect(try await http.call("GET", "/v1/devices/\(lee.id)").status == 404)
        }
    }

    @Test("the typed reset restores the fixtures and keys of the start like the API's, and is an event")
    func reset() async throws {
        let fixtures: JSONValue = [
            "devices": [["id": "kim"]], "faults": [["id": "busy", "action": ["type": "stall"]]],
        ]
        try await withServer(fixtures: fixtures) { apns, http in
            let keys = apns.running.keys.map(\.keyID)
            _ = try await apns.addKey()
            _ = try await http.call("DELETE", "/v1/devices/kim")
            _ = try await http.call("DELETE", "/v1/faults/busy")
            try await apns.reset()
            #expect(apns.running.keys.map(\.keyID) == keys)
            #expect(try await http.call("GET", "/v1/devices/kim").status == 200)
            #expect(try await http.call("GET", "/v1/faults/busy").status == 200)
            try await apns.scope("t1").remove()
            let reader = try await EventReader.open(http, "/v1/events?after=0&event=reset")
            let events = try await reader.next(2).map { try $0.json() }
            #expect(events.map { $0["scope"] } == [.null, "t1"])
            #expect(events.first?["only"] == ["notifications", "devices", "channels", "faults", "clock", "keys"])
            #expect(events.first?["removed"]?["keys"] == 1)
            #expect(events.last?["only"] == ["notifications", "devices", "faults", "clock"])
            try await reader.close()
        }
    }

    @Test("one process can have several servers, each with its own control API")
    func several() async throws {
        try await withServer { first, http in
            try await withServer { second, other in
                #expect(http.port != other.port)
                try await second.stop()
                await #expect(throws: (any Error).self) { try await other.call("GET", "/healthz") }
                #expect(try await http.call("GET", "/healthz").status == 200)
                _ = first
            }
        }
    }

    @Test("a server without the control API has none")
    func none() async throws {
        try await MynahServer.withServer { apns in #expect(apns.control == nil) }
    }

    private static let wrongFixtures: [(JSONValue, String)] = [
        (["devcies": []], "/devcies"),
        (["devices": [["id": 7]]], "/devices/0/id"),
        (["devices": [["id": "a"], ["id": "a"]]], "/devices/1/id"),
        (["keys": [["publicKeyFile": "key.pem"]]], "/keys/0/publicKeyFile"),
        (["faults": [["action": ["type": "explode"]]]], "/faults/0/action/type"),
        (["clock": ["mode": "offset", "now": "2001-01-01T00:00:00Z"]], "/clock/now"),
        ([1], ""),
    ]

    @Test(
        "invalid fixtures are refused with their JSON pointer, and the server is stopped", arguments: wrongFixtures)
    func wrong(fixtures: JSONValue, field: String) async throws {
        let error = try await refusal(.embedded, fixtures)
        #expect(error.code == .badSetting)
        #expect(error.field == field)
    }

    @Test("a control API that can't be started is an error")
    func refused() async throws {
        try await withServer { apns, http in
            var control = ControlSettings.embedded
            control.port = http.port
            #expect(try await refusal(control).code == .portUnavailable)
            control.port = 0
            control.host = "0.0.0.0"
            let open = try await refusal(control)
            #expect(open.code == .badSetting)
            #expect(open.description.contains("--control-token"))
        }
    }

    /// The error with which a server doesn't start.
    private func refusal(_ control: ControlSettings, _ fixtures: JSONValue = [:]) async throws -> MynahError {
        let started: MynahServer
        do throws(MynahError) {
            started = try await MynahServer.start(control: control, fixtures: fixtures)
        } catch {
            return error
        }
        try await started.stop()
        throw Started()
    }

    private struct Started: Error {}
}
