import APNsRules
import MynahControl
import MynahCore
import Testing

@testable import Mynah

/// `/v1/scenarios` and `/v1/magic-tokens`.
@Suite("Scenarios by the control API") struct ScenarioTests {
    private static let busy = #"{"id":"busy","action":{"type":"respond","status":503}}"#
    private static let token = String(repeating: "cd", count: 32)

    @Test("a started scenario is returned with Location, progress and rules") func made() async throws {
        try await Box.with { box in
            try await box.freeze()
            let body = #"{"name":"s","steps":[{"add":[\#(Self.busy)]},{"after":"1m","remove":["busy"]}]}"#
            let answer = try await box.http.call("POST", "/v1/scenarios", body)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.headers["location"] == ["/v1/scenarios/s"])
            let scenario = try answer.json()
            #expect(
                scenario.object?.map(\.name) == [
                    "name", "description", "scope", "seed", "steps", "startedAt", "stepsDone", "next", "rules",
                    "problem",
                ])
            #expect(scenario["next"]?["at"] == "2026-11-21T12:01:00.000Z")
            let rule = scenario["steps"]?.array?.first?["add"]?.array?.first
            #expect(rule?["words"]?["does"] == ["answers 503 ServiceUnavailable"])
            #expect(try await box.json("GET", "/v1/scenarios/s") == scenario)
            #expect(try await box.json("GET", "/v1/scenarios")["items"] == [scenario])
            _ = try await box.json("POST", "/v1/clock/advance", #"{"to":"next"}"#)
            #expect(try await box.items("/v1/faults", "id").isEmpty)
            try expectProblem(await box.http.call("POST", "/v1/scenarios", body), 409, field: "/name", mentions: "s")
            #expect(try await box.json("DELETE", "/v1/scenarios/s") == ["removed": ["scenarios": 1, "faults": 0]])
            // No rule is left.
            try expectProblem(await box.http.call("POST", "/v1/clock/advance", #"{"to":"next"}"#), 409, field: "/to")
        }
    }

    @Test("a step after a number of pushes applies to the next push") func pushes() async throws {
        try await Box.withPushes { box in
            _ = try await box.json(
                "POST", "/v1/scenarios", #"{"name":"s","steps":[{"after":{"pushes":2},"add":[\#(Self.busy)]}]}"#,
                status: 201)
            var seen: [Int] = []
            for _ in 1...3 { seen.append(try await box.send(to: Self.token)) }
            #expect(seen == [200, 200, 503])
        }
    }

    @Test("a shipped scenario starts by its name, and a reset ends it") func shipped() async throws {
        try await Box.with { box in
            let names = try await box.items("/v1/scenarios?shipped=true", "name").compactMap(\.string)
            #expect(names == ShippedScenarios.names)
            _ = try await box.json("POST", "/v1/scenarios", #"{"name":"unregistered-once"}"#, status: 201)
            #expect(try await box.items("/v1/faults", "id") == ["once"])
            #expect(try await box.json("POST", "/v1/reset")["removed"]?["faults"] == 1)
            #expect(try await box.items("/v1/scenarios", "name").isEmpty)
            try expectProblem(
                await box.http.call("POST", "/v1/scenarios", #"{"name":"unregistered-onse"}"#), 400, field: "/name",
                mentions: "unregistered-once")
            try expectProblem(await box.http.call("DELETE", "/v1/scenarios?name=s"), 400, field: "name")
        }
    }

    @Test("magic tokens are listed, cause their answers, and belong to no app unless they are off")
    func magicTokens() async throws {
        let magic = MagicTokens.token(for: .unregistered).hex
        let device = #"{"registrations":[{"topic":"com.example.app","token":"\#(magic)"}]}"#
        try await Box.withPushes { box in
            #expect(try await box.json("GET", "/v1/magic-tokens")["items"]?.array == MagicTokens.all.map(\.json))
            #expect(try await box.send(to: magic) == 410)
            #expect(try await box.notification(1)["fault"] == "magic-token")
            try expectProblem(
                await box.http.call("POST", "/v1/devices", device), 400, field: "/registrations/0/token",
                mentions: "magic")
        }
        try await Box.withPushes({ server, _ in server.hasMagicTokens = false }) { box in
            #expect(try await box.json("GET", "/v1/magic-tokens")["items"] == [])
            _ = try await box.json("POST", "/v1/devices", device, status: 201)
            #expect(try await box.send(to: magic) == 200)
        }
    }
}
