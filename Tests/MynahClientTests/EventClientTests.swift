import APNsRules
import MynahTestSupport
import Testing

@testable import MynahClient

@Suite("Reading the event stream")
struct EventClientTests {
    private struct Enough: Error {}

    private func client(of server: RecordingServer) throws -> ControlClient {
        ControlClient.patient(url: try ControlURL("http://127.0.0.1:\(server.port)"), token: "secret")
    }

    @Test("the client continues after its last event when the connection ends")
    func reconnects() async throws {
        let body = ": \nid: 5\n\nevent: notification\nid: 6\ndata: {\"sequence\":6}\n\n: \nid: 9\n\n"
        try await RecordingServer.run(.init(contentType: "text/event-stream", body: body)) { server in
            let client = try client(of: server)
            var names: [String] = []
            await #expect(throws: Enough.self) {
                try await client.events([QueryItem("topic", "a b")]) { event in
                    names.append(event.name)
                    if names.count == 3 { throw Enough() }
                }
            }
            #expect(server.received.map(\.target) == Array(repeating: "/v1/events?topic=a%20b", count: 3))
            #expect(server.received.map { $0.headers["last-event-id"] } == [nil, "9", "9"])
            #expect(server.received.allSatisfy { $0.headers["authorization"] == "Bearer secret" })
        }
    }

    @Test("a refusal has the server's message")
    func refusal() async throws {
        let problem = #"{"status":400,"detail":"tpic is no filter","field":"tpic"}"#
        try await RecordingServer.run(.init(status: 400, body: problem)) { server in
            let client = try client(of: server)
            let error = await #expect(throws: ClientError.self) { try await client.events { _ in } }
            #expect(error?.status == 400)
            #expect(error?.message == "tpic is no filter")
        }
    }

    @Test("a server that sends no event, or doesn't run, is an error and no endless loop")
    func nobody() async throws {
        try await RecordingServer.run(.init(hangsUp: true)) { server in
            let there = try client(of: server)
            let error = await #expect(throws: ClientError.self) { try await there.events { _ in } }
            #expect(error?.code == .unavailable)
        }
        // A port that the kernel doesn't assign, as it does one that was just closed.
        let gone = ControlClient.patient(url: try ControlURL("http://127.0.0.1:1"))
        let error = await #expect(throws: ClientError.self) { try await gone.events { _ in } }
        #expect(error?.code == .unavailable)
    }

    @Test(
        "a server that sends without end instead of events is given up",
        arguments: [
            ("", EndlessServer.Bytes.interimAnswers, "sends more than 262144 bytes before its answer"),
            (
                "HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n", EndlessServer.Bytes.chunks,
                "sends more than 134479872 bytes"
            ),
        ])
    func endless(first: String, bytes: EndlessServer.Bytes, message: String) async throws {
        try await EndlessServer.run(first, then: bytes) { port in
            let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: port))
            // The limit of bytes is reached, however slow the machine is.
            let error = await #expect(throws: ClientError.self) {
                try await client.events(timeout: Patience.duration) { _ in }
            }
            #expect(error?.code == .notMynah)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test("a server that is silent is given up")
    func silence() async throws {
        try await EndlessServer.run(then: .none) { port in
            let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: port))
            let error = await #expect(throws: ClientError.self) {
                try await client.events(timeout: .milliseconds(20)) { _ in }
            }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("has not answered") == true)
        }
    }
}
