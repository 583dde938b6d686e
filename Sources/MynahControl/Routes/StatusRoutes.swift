internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/status`: counts, ports, seed (`Documents#Status`).
enum StatusRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/status", "status", "Get counts, ports and the seed", answers: [.ok("The status.", "Status")]
        ) { call in
            _ = await call.server.journal.settled()
            return .json(await status(call.state))
        }
    ]

    private static func status(_ state: ControlState) async -> JSONValue {
        let server = state.server
        let clock = server.clock(ofScope: nil)
        let counters = server.journal.read { $0.counters }
        return [
            "name": "mynah",
            "version": .string(MynahVersion.current),
            "startedAt": .string(server.startedAt.rfc3339),
            "now": .string(clock.now.rfc3339),
            "clock": .string(clock.mode.rawValue),
            "seed": .number(JSONNumber(server.seed)),
            "ports": [
                "apns": .array(server.ports.map { .number(JSONNumber($0)) }),
                "cleartext": number(server.cleartextPort),
                "proxy": number(server.proxyPort),
                "control": number(state.controlPort),
            ],
            "environment": .string(server.settings.environment.rawValue),
            "counts": [
                "received": .number(JSONNumber(counters.received)),
                "accepted": .number(JSONNumber(counters.accepted)),
                "refused": .number(JSONNumber(counters.refused)),
                "devices": .number(JSONNumber(server.deviceCount)),
                "stored": .number(JSONNumber(server.storedCount)),
                "deferred": .number(JSONNumber(server.deferredCount)),
                "faults": .number(JSONNumber(server.faultCount)),
                "faultsFired": .number(JSONNumber(server.firedFaultCount)),
                "scopes": .number(JSONNumber(await server.scopes().count)),
                "connections": .number(JSONNumber(server.connectionCount)),
                "handshakesFailed": .number(JSONNumber(server.failedHandshakes.total)),
                "connectionsRefused": .number(JSONNumber(server.refusedConnectionCount)),
            ],
            "journal": [
                "size": .number(JSONNumber(counters.size)),
                "bytes": .number(JSONNumber(counters.bytes)),
                "evicted": .number(JSONNumber(counters.evicted)),
                "lastSequence": .number(JSONNumber(server.journal.lastIssued)),
            ],
            "memory": ["resident": number(ResidentMemory.bytes())],
        ]
    }

    private static func number(_ value: Int?) -> JSONValue {
        value.map { .number(JSONNumber($0)) } ?? .null
    }
}
