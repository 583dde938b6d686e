internal import APNsRules
internal import Mynah
internal import MynahCore
internal import MynahSystem

/// What `GET /v1/status` answers (`Documents#Status`).
struct StatusView: Sendable {
    private let server: Server
    private let clock: ClockReading
    private let counters: JournalCounters
    private let scopeCount: Int
    private let controlPort: Int?

    init(_ state: ControlState) async {
        server = state.server
        clock = server.clock(ofScope: nil)
        counters = server.journal.read { $0.counters }
        scopeCount = await server.scopes().count
        controlPort = state.controlPort
    }

    var json: JSONValue { .object(StatusView.fields.members(of: self)) }

    static let fields: Fields<StatusView> = [
        Field(shown: "name", .choice(["mynah"]), "Always mynah.") { _ in "mynah" },
        Field(shown: "version", .anyText, "The version of the program.") { _ in .string(MynahVersion.current) },
        Field(shown: "startedAt", .time, "When it started.") { .string($0.server.startedAt.rfc3339) },
        Field(shown: "now", .time, "The server's clock.") { .string($0.clock.now.rfc3339) },
        Field(shown: "clock", .choice(ClockState.Mode.self), "How it runs.") { .string($0.clock.mode.rawValue) },
        Field(shown: "seed", .whole, "The seed of all random choices.") { .whole($0.server.seed) },
        Field(shown: "ports", .object(ports.showing), "The ports that are open.") { .object(ports.members(of: $0)) },
        Field(shown: "environment", APNsEnvironment.form, "The environment of APNs.") {
            $0.server.settings.usualEnvironment.json
        },
        Field(shown: "counts", .object(counts.showing), "What there is and was.") { .object(counts.members(of: $0)) },
        Field(shown: "journal", .map(of: .whole), "The size of the journal, and what was evicted from it.") {
            [
                "size": .whole($0.counters.size), "bytes": .whole($0.counters.bytes),
                "evicted": .whole($0.counters.evicted), "lastSequence": .whole($0.server.journal.lastIssued),
            ]
        },
        Field(shown: "memory", .object(memory.showing), "The memory that the process uses.") {
            .object(memory.members(of: $0))
        },
        Field(
            shown: "recorded", .nullable(.any(schema: "RecordedRun")),
            "The recorded run that mynah open shows, read-only; null for a server that runs."
        ) { $0.server.recorded?.json ?? .null },
    ]

    private static let ports: Fields<StatusView> = [
        Field(shown: "apns", .array(of: .whole), "The ports for providers.") { status in
            .array(status.server.ports.map { .whole($0) })
        },
        Field(shown: "channels", .array(of: .whole), "The ports of channel management.") { status in
            .array(status.server.channelsPorts.map { .whole($0) })
        },
        Field(shown: "webPush", .nullable(.whole), "The port of web pushes; null for none.") {
            .whole($0.server.webPushPort)
        },
        Field(shown: "cleartext", .nullable(.whole), "The port without TLS; null for none.") {
            .whole($0.server.cleartextPort)
        },
        Field(shown: "proxy", .nullable(.whole), "The port of the proxy; null for none.") {
            .whole($0.server.proxyPort)
        },
        Field(shown: "control", .nullable(.whole), "The port of this API; null until it is bound.") {
            .whole($0.controlPort)
        },
    ]

    private static let counts: Fields<StatusView> = pushes + others

    private static let pushes: Fields<StatusView> = [
        Field(
            shown: "received", .whole,
            "Since the start or the last reset of notifications; likewise the next two."
        ) { .whole($0.counters.received) },
        Field(shown: "accepted", .whole, "Pushes answered with 200.") { .whole($0.counters.accepted) },
        Field(shown: "refused", .whole, "Pushes answered otherwise.") { .whole($0.counters.refused) },
        Field(shown: "devices", .whole, "Known device tokens.") { .whole($0.server.deviceCount) },
        Field(shown: "stored", .whole, "Pushes stored for offline devices.") { .whole($0.server.storedCount) },
        Field(shown: "deferred", .whole, "Pushes that a device's state or a budget holds back.") {
            .whole($0.server.deferredCount)
        },
    ]

    private static let others: Fields<StatusView> = [
        Field(shown: "faults", .whole, "Fault rules.") { .whole($0.server.faultCount) },
        Field(
            shown: "faultsFired", .whole, "Since the start or the last reset of faults, including removed rules."
        ) { .whole($0.server.firedFaultCount) },
        Field(shown: "scopes", .whole, "Scopes that have devices or rules.") { .whole($0.scopeCount) },
        Field(shown: "connections", .whole, "Open connections.") { .whole($0.server.connectionCount) },
        Field(
            shown: "handshakesFailed", .whole,
            "TLS handshakes that failed since the start or the last reset of notifications; see /v1/failed-handshakes."
        ) { .whole($0.server.failedHandshakes.total) },
        Field(shown: "connectionsRefused", .whole, "Reset since the start because of --reconnect-limit.") {
            .whole($0.server.refusedConnectionCount)
        },
    ]

    private static let memory: Fields<StatusView> = [
        Field(shown: "resident", .nullable(.whole).described("Bytes.")) { _ in .whole(residentByteCount()) }
    ]
}
