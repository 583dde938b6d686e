internal import HTTPTypes
internal import Hummingbird
internal import Mynah

/// How often one rule of fault has acted.
struct FaultFiring: Sendable {
    /// The rule's id.
    let id: String
    /// Since it was made.
    let count: UInt64
}

/// `GET /metrics`: what the server has counted, for Prometheus.
struct MetricsRoutes {
    let state: ControlState
    /// How often each rule has acted, asked when somebody reads.
    var faults: @Sendable () async -> [FaultFiring] = { [] }

    var routes: [Route] {
        [
            Route(.get, "/metrics") { [state, faults] call in
                try call.checkNoQuery()
                // What has fallen due by now has happened.
                _ = await state.server.journal.settled()
                let document = MetricsDocument(
                    server: state.server, counts: try await state.server.counts(), faults: await faults(),
                    eventReaders: state.eventReaders.count)
                return .bytes(Array(document.text.utf8), PrometheusText.contentType)
            }
        ]
    }
}
