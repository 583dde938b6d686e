internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/fixtures`: the present state as a file for `--fixtures` (`ControlAPI#Fixtures`).
enum FixtureRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/fixtures", id: "exportFixtures",
            summary: "Get the present devices, channels, faults, keys and clock as a file for --fixtures",
            details: """
                With tokens and channel IDs, but without pushes and without the private halves of keys; the clock only \
                if it is frozen, and with scope that of the scope. Rules that a running scenario has added are written \
                as rules of their own. One line for each device, channel, fault and key.
                """,
            parameters: [
                .query("scope", "Only devices and faults of this scope, and its clock.", schema: .reference("Scope"))
            ], answers: [.ok("The fixtures.", "Fixtures")], handle: export)
    ]

    /// How many devices are read in one hold of the shards' locks.
    private static let pageMax = 1000

    private static func export(_ call: Call) throws -> Response {
        var query = call.query
        let scope = try query.take("scope")
        if let scope { try ScopeName.check(scope, at: "scope") }
        let filters = scope.map { [("scope", $0)] } ?? []
        let devices = try DeviceFilter(parameters: filters, besides: [])
        let server = call.server
        // The generated key is in the state folder already.
        let own = server.credentials.keyID
        let clock = server.clock(ofScope: scope)
        // Oldest first, so that reading them restores the order.
        let faults = server.faults.reversed().filter { scope == nil || $0.rule.scope == scope }.map(\.json)
        let rest: [(name: String, items: [JSONValue])] = [
            ("channels", server.channels().map { FixtureExport.channel($0.json) }),
            ("faults", faults.map(FixtureExport.fault)),
            ("keys", server.keys.filter { $0.keyID != own }.map { FixtureExport.key($0.json) }),
        ]
        return call.streamed("application/json") { write in
            var isFirst = true
            func list(_ items: [JSONValue]) -> [UInt8] {
                items.flatMap { item in
                    defer { isFirst = false }
                    return Array((isFirst ? "\n    " : ",\n    ").utf8) + item.encoded
                }
            }
            try await write(Array("{\n  \"devices\": [".utf8))
            var after: DevicePlace?
            repeat {
                let page = await server.devices(where: devices, after: after, limit: pageMax).devices
                try await write(list(page.map { FixtureExport.device($0.json) }))
                after = page.count == pageMax ? page.last?.place : nil
            } while after != nil
            for (name, items) in rest {
                isFirst = true
                try await write(Array("\n  ],\n  \"\(name)\": [".utf8) + list(items))
            }
            let frozen: JSONValue = ["mode": .string(clock.mode.rawValue), "now": .string(clock.now.rfc3339)]
            let end = clock.mode == .frozen ? ",\n  \"clock\": \(frozen.encodedText)" : ""
            try await write(Array("\n  ]\(end)\n}\n".utf8))
        }
    }
}
