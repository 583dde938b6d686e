import APNsRules
import Mynah
import Testing

@testable import MynahControl

@Suite("Metrics")
struct MetricsTests {
    @Test("labels and help are escaped")
    func escaping() {
        var text = PrometheusText()
        text.begin("a_total", as: .counter, help: "A \"count\"\nof \\ things.")
        text.sample("a_total", [("fault", "f\"1\"\n\\")], value: "1")
        #expect(
            text.text
                == #"# HELP a_total A "count"\nof \\ things."# + "\n# TYPE a_total counter\n"
                + #"a_total{fault="f\"1\"\n\\"} 1"# + "\n")
    }

    @Test("a histogram's buckets are cumulative and end with +Inf")
    func histogram() {
        var text = PrometheusText()
        text.histogram("t_seconds", "Times.", bounds: [0.5, 1], counts: [1, 2, 4], sum: 9.5)
        let samples = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0) }
        #expect(
            samples == [
                #"t_seconds_bucket{le="0.5"} 1"#, #"t_seconds_bucket{le="1.0"} 3"#, #"t_seconds_bucket{le="+Inf"} 7"#,
                "t_seconds_sum 9.5", "t_seconds_count 7",
            ])
    }

    @Test("the document has the firings of each fault")
    func faults() async throws {
        try await Box.with { box in
            let document = MetricsDocument(
                server: box.server, counts: try await box.server.counts(),
                faults: [("f-1", 12), ("f-2", 0)], eventReaders: 3)
            let lines = document.text.split(separator: "\n")
            #expect(lines.contains(#"mynah_faults_fired_total{fault="f-1"} 12"#))
            #expect(lines.contains(#"mynah_faults_fired_total{fault="f-2"} 0"#))
            #expect(lines.contains("mynah_event_stream_readers 3"))
            #expect(lines.contains(#"mynah_pushes_total{status="200",reason=""} 0"#))
        }
    }

    @Test("/metrics needs the token")
    func token() async throws {
        try await Box.with({ $1.token = "s3cret" }) { box in
            try expectProblem(await box.http.call("GET", "/metrics"), 401, field: "Authorization")
            let answer = try await box.http.call("GET", "/metrics", headers: [("Authorization", "Bearer s3cret")])
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == ["text/plain; version=0.0.4; charset=utf-8"])
        }
    }
}
