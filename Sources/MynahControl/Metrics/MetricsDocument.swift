internal import APNsRules
internal import Mynah
internal import MynahCore

/// Everything that `/metrics` tells, by Prometheus' conventions: base units, counters that end in `_total`.
struct MetricsDocument: Sendable {
    let server: Server
    let counts: ServerCounts
    let faults: [FaultFiring]
    let eventReaders: Int

    /// The document.
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
            "mynah_event_stream_readers", .gauge, "Callers that read a stream of events now.", eventReaders)
        writeProcess(&text)
        return text.text
    }

    private func writePushes(_ text: inout PrometheusText) {
        text.begin(
            "mynah_pushes_total", .counter,
            "Pushes by what they were told: the status, none for no answer, and the reason of a refusal.")
        for (answer, count) in counts.answers.answers {
            let labels = [
                ("status", answer.status.map { String($0) } ?? "none"), ("reason", answer.reason?.rawValue ?? ""),
            ]
            text.sample("mynah_pushes_total", labels, String(count))
        }
        text.begin(
            "mynah_push_outcomes_total", .counter,
            "Pushes by what became of them; one that waits first counts there, and again once it is decided.")
        for outcome in Outcome.allCases {
            text.sample(
                "mynah_push_outcomes_total", [("outcome", outcome.rawValue)], String(counts.answers.count(of: outcome)))
        }
        text.histogram(
            "mynah_push_reply_duration_seconds",
            "Time from the read that completed a request until its reply was handed to TLS.",
            bounds: counts.replyTimes.bounds, counts: counts.replyTimes.counts, sum: counts.replyTimes.sum)
    }

    private func writeConnections(_ text: inout PrometheusText) {
        text.metric(
            "mynah_connections_open", .gauge, "Connections to the APNs ports that are open now.",
            server.connectionCount)
        text.metric(
            "mynah_connections_opened_total", .counter, "Connections to the APNs ports that were accepted.",
            counts.openedConnections)
        text.metric(
            "mynah_connections_refused_total", .counter, "Connections that were reset because of --reconnect-limit.",
            server.refusedConnectionCount)
        text.begin("mynah_tls_handshake_failures_total", .counter, "TLS handshakes that failed, by their cause.")
        for failures in counts.failedHandshakes {
            text.sample(
                "mynah_tls_handshake_failures_total", [("cause", failures.cause)], String(failures.count))
        }
        text.metric("mynah_streams_open", .gauge, "Streams of HTTP/2 that are open now.", counts.openStreams)
    }

    private func writeFaults(_ text: inout PrometheusText) {
        text.begin("mynah_faults_fired_total", .counter, "How often each rule of fault has acted.")
        for fault in faults {
            text.sample("mynah_faults_fired_total", [("fault", fault.id)], String(fault.count))
        }
    }

    private func writeJournal(_ text: inout PrometheusText) {
        let journal = server.journal.read { $0.counters }
        text.metric("mynah_journal_entries", .gauge, "Pushes that the journal keeps now.", journal.size)
        text.metric("mynah_journal_bytes", .gauge, "Bytes that the journal keeps now.", journal.bytes)
        text.metric(
            "mynah_journal_evictions_total", .counter, "Pushes that left the journal to make room, since a reset.",
            journal.evicted)
    }

    private func writeDevices(_ text: inout PrometheusText) {
        text.metric("mynah_devices", .gauge, "Simulated devices.", server.deviceCount)
        text.metric("mynah_pushes_stored", .gauge, "Pushes stored for devices that are offline.", server.storedCount)
        text.metric("mynah_pushes_deferred", .gauge, "Pushes held back by power or a budget.", server.deferredCount)
    }

    private func writeProcess(_ text: inout PrometheusText) {
        if let bytes = ResidentMemory.bytes() {
            text.metric("process_resident_memory_bytes", .gauge, "Memory that the process occupies.", bytes)
        }
        text.metric(
            "process_cpu_seconds_total", .counter, "Processor time that the process has used.",
            seconds: ProcessFigures.cpuSeconds())
        text.metric(
            "process_start_time_seconds", .gauge, "When the server was ready, in seconds since 1970.",
            seconds: Double(server.startedAt.milliseconds) / 1000)
    }
}
