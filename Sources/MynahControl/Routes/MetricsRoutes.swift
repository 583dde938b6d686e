internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /metrics`: the server's counters, for Prometheus.
enum MetricsRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/metrics", "metrics", "Get the server's metrics in Prometheus' text format",
            details: """
                Pushes by status and reason, their outcomes, reply times, connections, streams, faults, journal, \
                devices, event stream readers, memory.
                """, answers: [.text("Version 0.0.4 of the format.", ["text/plain"])]
        ) { call in
            // Process what is due by now, so that it is counted.
            _ = await call.server.journal.settled()
            let faults = call.server.faults.map { FaultFiring(id: $0.rule.id, count: UInt64($0.counters.fired)) }
            let document = MetricsDocument(
                server: call.server, counts: try await call.server.counts(), faults: faults,
                eventReaders: call.state.streamReaders.count)
            return .bytes(Array(document.text.utf8), PrometheusText.contentType)
        }
    ]
}
