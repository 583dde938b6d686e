internal import APNsRules
internal import Mynah
internal import MynahCore

/// How often a fault rule has fired.
struct FaultFiring: Sendable {
    /// The rule's ID.
    let id: String
    let count: UInt64
}

/// The answer of `/metrics`, by Prometheus' conventions: base units, counters that end in `_total`.
struct MetricsDocument: Sendable {
    let server: Server
    let counts: ServerCounts
    let faults: [FaultFiring]
    let eventReaders: Int

    var text: String {
        var text = PrometheusText()
        text.begin("mynah_build_info", .gauge, "The server's version; always 1.")
        text.sample("mynah_build_info", [("version", MynahVersion.current)], "1")
        writePushes(&text)
        writeConnections(&text)
        writeFaults(&text)
        writeJournal(&text)
        writeDevices(&text)
        text.metric(
            "mynah_event_stream_readers", .gauge, "Readers of event streams.", eventReaders)
        writeProcess(&text)
        return text.text
    }

    private func writePushes(_ text: inout PrometheusText) {
        text.begin(
            "mynah_pushes_total", .counter,
            "Pushes by the status and reason of their answer; status none for pushes without an answer.")
        for (answer, count) in counts.answers.answers {
            let labels = [
                ("status", answer.status.map { String($0) } ?? "none"), ("reason", answer.reason?.rawValue ?? ""),
            ]
            text.sample("mynah_pushes_total", labels, String(count))
        }
        text.begin(
            "mynah_push_outcomes_total", .counter,
            "Pushes by outcome; a push that is stored or deferred counts there, and again under its final outcome.")
        for outcome in Outcome.allCases {
            text.sample(
                "mynah_push_outcomes_total", [("outcome", outcome.rawValue)], String(counts.answers.count(of: outcome)))
        }
        text.histogram(
            "mynah_push_reply_duration_seconds",
            "Time from receiving the last byte of a request to handing its reply to TLS.",
            bounds: counts.replyTimes.bounds, counts: counts.replyTimes.counts, sum: counts.replyTimes.sum)
    }

    private func writeConnections(_ text: inout PrometheusText) {
        text.metric(
            "mynah_connections_open", .gauge, "Open connections to the APNs ports.",
            server.connectionCount)
        text.metric(
            "mynah_connections_opened_total", .counter, "Accepted connections to the APNs ports.",
            counts.openedConnections)
        text.metric(
            "mynah_connections_refused_total", .counter, "Connections reset because of --reconnect-limit.",
            server.refusedConnectionCount)
        text.begin("mynah_tls_handshake_failures_total", .counter, "Failed TLS handshakes by cause.")
        for failures in counts.failedHandshakes {
            text.sample(
                "mynah_tls_handshake_failures_total", [("cause", failures.cause)], String(failures.count))
        }
        text.metric("mynah_streams_open", .gauge, "Open HTTP/2 streams.", counts.openStreams)
    }

    private func writeFaults(_ text: inout PrometheusText) {
        text.begin("mynah_faults_fired_total", .counter, "How often each fault rule has fired.")
        for fault in faults {
            text.sample("mynah_faults_fired_total", [("fault", fault.id)], String(fault.count))
        }
    }

    private func writeJournal(_ text: inout PrometheusText) {
        let journal = server.journal.read { $0.counters }
        text.metric("mynah_journal_entries", .gauge, "Pushes in the journal.", journal.size)
        text.metric("mynah_journal_bytes", .gauge, "Bytes in the journal.", journal.bytes)
        text.metric(
            "mynah_journal_evictions_total", .counter, "Pushes evicted from the journal since the last reset.",
            journal.evicted)
    }

    private func writeDevices(_ text: inout PrometheusText) {
        text.metric("mynah_devices", .gauge, "Simulated devices.", server.deviceCount)
        text.metric("mynah_pushes_stored", .gauge, "Pushes stored for devices that are offline.", server.storedCount)
        text.metric("mynah_pushes_deferred", .gauge, "Pushes deferred by low power or a budget.", server.deferredCount)
    }

    private func writeProcess(_ text: inout PrometheusText) {
        if let bytes = ResidentMemory.bytes() {
            text.metric("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", bytes)
        }
        text.metric(
            "process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.",
            seconds: ProcessFigures.cpuSeconds())
        text.metric(
            "process_start_time_seconds", .gauge, "Start time of the server since the Unix epoch in seconds.",
            seconds: Double(server.startedAt.milliseconds) / 1000)
    }
}
