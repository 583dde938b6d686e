internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

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

    var routes: [Route] {
        [
            Route(.get, "/metrics") { [state] call in
                try call.checkNoQuery()
                // What has fallen due by now has happened.
                _ = await state.server.journal.settled()
                let faults = state.server.faults.map {
                    FaultFiring(id: $0.rule.id, count: UInt64($0.counters.fired))
                }
                let document = MetricsDocument(
                    server: state.server, counts: try await state.server.counts(), faults: faults,
                    eventReaders: state.eventReaders.count)
                return .bytes(Array(document.text.utf8), PrometheusText.contentType)
            }
        ]
    }
}
