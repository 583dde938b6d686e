internal import APNsRules
internal import Mynah
internal import MynahCore

/// The program's version.
public enum MynahVersion {
    /// A semantic version.
    public static let current = "0.1.0"
}

/// The answer of `/metrics`, by Prometheus' conventions: base units, counters that end in `_total`.
struct MetricsDocument: Sendable {
    let server: Server
    let counts: ServerCounts
    /// How often each fault rule has fired.
    let faults: [(id: String, count: Int)]
    let eventReaders: Int

    var text: String {
        var text = PrometheusText()
        text.metric(
            "mynah_build_info", .gauge, "The server's version; always 1.",
            samples: [([("version", MynahVersion.current)], 1)])
        writePushes(&text)
        writeConnections(&text)
        text.metric(
            "mynah_faults_fired_total", .counter, "How often each fault rule has fired.",
            samples: faults.map { ([("fault", $0.id)], $0.count) })
        writeState(&text)
        writeProcess(&text)
        return text.text
    }

    private func writePushes(_ text: inout PrometheusText) {
        text.metric(
            "mynah_pushes_total", .counter,
            "Pushes by the status and reason of their answer; status none for pushes without an answer.",
            samples: counts.answers.answers.map { answer, count in
                (
                    [
                        ("status", answer.status.map { String($0) } ?? "none"),
                        ("reason", answer.reason?.rawValue ?? ""),
                    ], count
                )
            })
        text.metric(
            "mynah_push_outcomes_total", .counter,
            "Pushes by outcome; a push that is stored or deferred counts there, and again under its final outcome.",
            samples: Outcome.allCases.map { ([("outcome", $0.rawValue)], counts.answers.count(of: $0)) })
        text.histogram(
            "mynah_push_reply_duration_seconds",
            "Time from receiving the last byte of a request to handing its reply to TLS.",
            bounds: counts.replyTimes.bounds, counts: counts.replyTimes.counts, sum: counts.replyTimes.sum)
    }

    private func writeConnections(_ text: inout PrometheusText) {
        text.metric("mynah_connections_open", .gauge, "Open connections to the APNs ports.", server.connectionCount)
        text.metric(
            "mynah_connections_opened_total", .counter, "Accepted connections to the APNs ports.",
            counts.openedConnections)
        text.metric(
            "mynah_connections_refused_total", .counter, "Connections reset because of --reconnect-limit.",
            server.refusedConnectionCount)
        text.metric(
            "mynah_tls_handshake_failures_total", .counter, "Failed TLS handshakes by cause.",
            samples: counts.failedHandshakes.map { ([("cause", $0.cause)], $0.count) })
        text.metric("mynah_streams_open", .gauge, "Open HTTP/2 streams.", counts.openStreams)
    }

    private func writeState(_ text: inout PrometheusText) {
        let journal = server.journal.read { $0.counters }
        text.metric("mynah_journal_entries", .gauge, "Pushes in the journal.", journal.size)
        text.metric("mynah_journal_bytes", .gauge, "Bytes in the journal.", journal.bytes)
        text.metric(
            "mynah_journal_evictions_total", .counter, "Pushes evicted from the journal since the last reset.",
            journal.evicted)
        text.metric("mynah_devices", .gauge, "Simulated devices.", server.deviceCount)
        text.metric("mynah_pushes_stored", .gauge, "Pushes stored for devices that are offline.", server.storedCount)
        text.metric("mynah_pushes_deferred", .gauge, "Pushes deferred by low power or a budget.", server.deferredCount)
        text.metric("mynah_event_stream_readers", .gauge, "Readers of event streams.", eventReaders)
    }

    private func writeProcess(_ text: inout PrometheusText) {
        if let bytes = ProcessFigures.residentBytes() {
            text.metric("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", bytes)
        }
        text.metric(
            "process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.",
            ProcessFigures.cpuSeconds())
        text.metric(
            "process_start_time_seconds", .gauge, "Start time of the server since the Unix epoch in seconds.",
            Double(server.startedAt.milliseconds) / 1000)
    }
}
