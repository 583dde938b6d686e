internal import APNsRules
internal import Mynah
internal import MynahCore
internal import MynahSystem

/// The program's version.
public enum MynahVersion {
    /// A semantic version.
    public static let current = "0.1.0"
}

/// The answer of `/metrics`, by Prometheus' conventions: base units, counters that end in `_total`.
struct MetricsDocument: Sendable {
    let server: Server
    let counts: ServerCounts
    let faults: [(id: String, count: Int)]
    let eventReaders: Int

    var text: String {
        let journal = server.journal.read { $0.counters }
        var text = PrometheusText()
        text.metric(
            "mynah_build_info", "The server's version; always 1.", samples: [([("version", MynahVersion.current)], 1)])
        text.metric(
            "mynah_pushes_total",
            "Pushes by the status and reason of their answer; status none for pushes without an answer.",
            samples: counts.answers.answers.map { answer, count in
                let status = answer.status.map { String($0) } ?? "none"
                return ([("status", status), ("reason", answer.reason?.rawValue ?? "")], count)
            })
        text.metric(
            "mynah_push_outcomes_total",
            "Pushes by outcome; a push that is stored or deferred counts there, and again under its final outcome.",
            samples: Outcome.allCases.map { ([("outcome", $0.rawValue)], counts.answers.count(of: $0)) })
        text.metric(
            "mynah_broadcasts_total",
            "Broadcasts by outcome, counted as those of pushes, of which they are a part; once for all their devices.",
            samples: Outcome.allCases.map {
                ([("outcome", $0.rawValue)], counts.answers.broadcasts.count(of: $0))
            })
        text.metric(
            "mynah_broadcast_deliveries_total", "Devices that broadcasts reached.",
            value: counts.answers.broadcasts.deliveries)
        text.histogram(
            "mynah_push_reply_duration_seconds",
            "Time from receiving the last byte of a request to handing its reply to TLS.",
            bounds: counts.replyTimes.bounds, counts: counts.replyTimes.counts, sum: counts.replyTimes.sum)
        text.metric("mynah_connections_open", "Open connections to the APNs ports.", value: server.connectionCount)
        text.metric(
            "mynah_connections_opened_total", "Accepted connections to the APNs ports.",
            value: counts.openedConnections)
        text.metric(
            "mynah_connections_refused_total", "Connections reset because of --reconnect-limit.",
            value: server.refusedConnectionCount)
        text.metric(
            "mynah_tls_handshake_failures_total", "Failed TLS handshakes by cause.",
            samples: counts.failedHandshakes.map { ([("cause", $0.cause)], $0.count) })
        text.metric("mynah_streams_open", "Open HTTP/2 streams.", value: counts.openStreams)
        text.metric(
            "mynah_faults_fired_total", "How often each fault rule has fired.",
            samples: faults.map { ([("fault", $0.id)], $0.count) })
        text.metric("mynah_journal_entries", "Pushes in the journal.", value: journal.size)
        text.metric("mynah_journal_bytes", "Bytes in the journal.", value: journal.bytes)
        text.metric(
            "mynah_journal_evictions_total", "Pushes evicted from the journal since the last reset.",
            value: journal.evicted)
        text.metric("mynah_devices", "Simulated devices.", value: server.deviceCount)
        text.metric("mynah_channels", "Broadcast channels.", value: server.channelCount)
        text.metric(
            "mynah_channel_followers", "Running Live Activities that follow a channel.",
            value: server.channelFollowerCount)
        text.metric("mynah_pushes_stored", "Pushes stored for devices that are offline.", value: server.storedCount)
        text.metric(
            "mynah_pushes_deferred", "Pushes that a device's state or a budget holds back.", value: server.deferredCount
        )
        text.metric("mynah_event_stream_readers", "Readers of event streams.", value: eventReaders)
        if let bytes = residentByteCount() {
            text.metric("process_resident_memory_bytes", "Resident memory size in bytes.", value: bytes)
        }
        text.metric(
            "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.",
            value: processorSeconds())
        text.metric(
            "process_start_time_seconds", "Start time of the server since the Unix epoch in seconds.",
            value: Double(server.startedAt.milliseconds) / 1000)
        return text.text
    }
}
