import APNsRules
import MynahClient
import MynahTestSupport
import NIOCore
import NIOPosix
import Testing

@Suite("The client of the control API")
struct ControlClientTests {
    private static let page = """
        {"items":[\(SampleAnswers.notification)],"nextCursor":null,"matched":1,"timedOut":false,"evicted":2,
         "lastSequence":9}
        """

    private func withServer<Result>(
        _ reply: RecordingServer.Reply, next: [RecordingServer.Reply] = [], token: String? = nil,
        _ body: (ControlClient, RecordingServer) async throws -> Result
    ) async throws -> Result {
        try await RecordingServer.run(reply, next: next) { server in
            let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: server.port), token: token)
            return try await body(client, server)
        }
    }

    @Test("a page of the journal is read with its counts")
    func notifications() async throws {
        try await withServer(.init(body: Self.page)) { client, server in
            let page = try await client.notifications([
                QueryItem("topic", "com.example.app"), QueryItem("!payload./aps/x", "a b&c=ü"), QueryItem("after", "3"),
            ])
            #expect(page.items.count == 1)
            #expect(page.items[0].sequence == 4711)
            #expect(page.nextCursor == nil)
            #expect(page.matched == 1)
            #expect(!page.timedOut)
            #expect(page.evicted == 2)
            #expect(page.lastSequence == 9)
            let request = try #require(server.received.first)
            #expect(request.method == "GET")
            #expect(
                request.target
                    == "/v1/notifications?topic=com.example.app&%21payload.%2Faps%2Fx=a%20b%26c%3D%C3%BC&after=3")
            #expect(request.headers["host"] == "127.0.0.1:\(server.port)")
            #expect(request.headers["authorization"] == nil)
        }
    }

    @Test("lists are read to their end, page by page")
    func pages() async throws {
        func page(_ items: [String], next: String) -> RecordingServer.Reply {
            RecordingServer.Reply(body: "{\"items\":[\(items.joined(separator: ","))],\"nextCursor\":\(next)}")
        }
        func fault(_ id: String) -> String { SampleAnswers.fault.replacing("f-1", with: id) }
        let faults = [page([fault("a"), fault("b")], next: #""x y""#), page([fault("c")], next: "null")]
        try await withServer(faults[0], next: [faults[1]]) { client, server in
            let faults = try await client.faults([QueryItem("scope", "t")])
            #expect(faults.map(\.id) == ["a", "b", "c"])
            #expect(
                server.received.map(\.target) == [
                    "/v1/faults?scope=t&limit=1000", "/v1/faults?scope=t&limit=1000&cursor=x%20y",
                ])
        }
        func device(_ id: String) -> String { SampleAnswers.device.replacing("kims-phone", with: id) }
        let devices = [page([device("a"), device("b")], next: #""x y""#), page([device("c")], next: "null")]
        try await withServer(devices[0], next: [devices[1]]) { client, _ in
            var ids: [String] = []
            try await client.forEachDevice { ids.append($0.id) }
            #expect(ids == ["a", "b", "c"])
        }
    }

    @Test("a list without items isn't an answer of Mynah")
    func noList() async throws {
        try await withServer(.init()) { client, server in
            for (name, list) in [
                ("faults", { _ = try await client.faults() }), ("scenarios", { _ = try await client.scenarios() }),
                ("keys", { _ = try await client.keys() }),
            ] as [(String, () async throws -> Void)] {
                let error = await #expect(throws: ClientError.self) { try await list() }
                #expect(error?.code == .notMynah)
                #expect(error?.message == "the list of \(name) at http://127.0.0.1:\(server.port) has no items")
            }
        }
    }

    @Test("the token is sent as a bearer token")
    func token() async throws {
        try await withServer(.init(body: SampleAnswers.status), token: "s3cret") { client, server in
            let status = try await client.status()
            #expect(status.version == "0.1.0")
            #expect(server.received.first?.headers["authorization"] == "Bearer s3cret")
            #expect(server.received.first?.target == "/v1/status")
        }
    }

    @Test("bodies are sent as JSON with their length")
    func bodies() async throws {
        try await withServer(.init(body: #"{"removed":{"notifications":3}}"#)) { client, server in
            let answer = try await client.reset(only: ["notifications"], scope: "t42")
            #expect(answer.removed["notifications"] == 3)
            let request = try #require(server.received.first)
            #expect(request.method == "POST")
            #expect(request.target == "/v1/reset")
            #expect(request.body == #"{"only":["notifications"],"scope":"t42"}"#)
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.headers["content-length"] == String(request.body.utf8.count))
        }
    }

    @Test("an answer without a body is null")
    func noContent() async throws {
        try await withServer(.init(status: 204, body: "")) { client, server in
            let answer = try await client.json("DELETE", "/v1/notifications?scope=t")
            #expect(answer == .null)
            #expect(server.received.first?.method == "DELETE")
            #expect(server.received.first?.target == "/v1/notifications?scope=t")
        }
    }

    @Test("credentials and the CA are read")
    func credentials() async throws {
        let json = #"{"ca":"CA","keyId":"ABC123DEFG","teamId":"TEAM123456","key":null}"#
        try await withServer(.init(body: json)) { client, _ in
            let credentials = try await client.credentials()
            #expect(credentials.ca == "CA")
            #expect(credentials.keyID == "ABC123DEFG")
            #expect(credentials.teamID == "TEAM123456")
            #expect(credentials.key == nil)
        }
        try await withServer(.init(contentType: "application/x-pem-file", body: "PEM")) { client, _ in
            let ca = try await client.certificateAuthority()
            #expect(ca == "PEM")
        }
    }

    @Test("an expectation is met or not, with near misses and hints")
    func expectation() async throws {
        let json = """
            {"met":false,"matched":0,"items":[],"failedAt":null,
             "nearest":[{"sequence":1,"differences":[{"field":"/topic","expected":"a","actual":"b"}],
             "push":\(SampleAnswers.notification)}],"hints":["refused with BadTopic"],"evicted":0,"lastSequence":1}
            """
        try await withServer(.init(body: json)) { client, server in
            let result = try await client.expectation(["match": ["topic": "a"]])
            #expect(!result.met)
            #expect(result.nearest.count == 1)
            #expect(result.nearest.first?.differences.first?.field == "/topic")
            #expect(result.nearest.first?.push.topic == "com.example.app")
            #expect(result.hints == ["refused with BadTopic"])
            #expect(server.received.first?.target == "/v1/expectations")
            #expect(server.received.first?.body == #"{"match":{"topic":"a"}}"#)
        }
    }

    @Test("an unknown push is nil, not an error")
    func missingNotification() async throws {
        try await withServer(.init(status: 404, body: #"{"title":"Not Found"}"#)) { client, server in
            let missing = try await client.notification("a/b")
            #expect(missing == nil)
            #expect(server.received.first?.target == "/v1/notifications/a%2Fb")
        }
    }

    @Test("a problem document becomes an error with its detail and field")
    func problem() async throws {
        let json = #"{"title":"Bad Request","status":400,"detail":"no filter is called tpic","field":"tpic"}"#
        try await withServer(.init(status: 400, contentType: "application/problem+json", body: json)) { client, _ in
            let error = await #expect(throws: ClientError.self) { try await client.notifications() }
            #expect(error?.code == .problem)
            #expect(error?.status == 400)
            #expect(error?.field == "tpic")
            #expect(error?.message == "no filter is called tpic")
            #expect(error?.document?["title"]?.string == "Bad Request")
        }
    }

    @Test("the error for 401 names the token's variable")
    func unauthorized() async throws {
        try await withServer(.init(status: 401, body: #"{"detail":"a token is needed"}"#)) { client, _ in
            let error = await #expect(throws: ClientError.self) { try await client.status() }
            #expect(error?.message == "a token is needed (set MYNAH_CONTROL_TOKEN to the server's --control-token)")
        }
    }

    @Test("readiness is true, false or an error")
    func readiness() async throws {
        #expect(try await withServer(.init(body: #"{"status":"ready"}"#)) { client, _ in try await client.isReady() })
        #expect(try await !withServer(.init(status: 503, body: "")) { client, _ in try await client.isReady() })
        for (body, problem) in [
            ("", nil), (#"{"status":"starting"}"#, "it is starting"), (#"{"status":"unavailable"}"#, nil),
            (#"{"status":"unavailable","problem":"no space is left"}"#, "no space is left"),
        ] as [(String, String?)] {
            let readiness = try await withServer(.init(status: 503, body: body)) { client, _ in
                try await client.readiness()
            }
            #expect(!readiness.isReady && readiness.problem == problem)
        }
        try await withServer(.init(status: 404, body: "")) { client, _ in
            let error = await #expect(throws: ClientError.self) { try await client.isReady() }
            #expect(error?.status == 404)
        }
    }

    @Test("a server that is not Mynah is not taken for one", arguments: ["", "{}", "[1]", "{", #"{"status":"ok"}"#])
    func foreignServer(_ body: String) async throws {
        try await withServer(.init(body: body), next: [.init(body: body)]) { client, _ in
            let ready = await #expect(throws: ClientError.self) { try await client.isReady() }
            #expect(ready?.code == .notMynah)
            let status = await #expect(throws: ClientError.self) { try await client.status() }
            #expect(status?.code == .notMynah)
        }
    }

    @Test("any other answer is an error", arguments: ["<html>", "[1]", #"{"items":3}"#])
    func foreignAnswer(_ body: String) async throws {
        try await withServer(.init(body: body)) { client, _ in
            let error = await #expect(throws: ClientError.self) { try await client.notifications() }
            #expect(error?.code == .notMynah)
        }
    }

    @Test("a connection that is closed without an answer is an error")
    func hangUp() async throws {
        try await withServer(.init(hangsUp: true)) { client, server in
            let error = await #expect(throws: ClientError.self) { try await client.status() }
            #expect(error?.code == .unavailable)
            #expect(error?.message == "http://127.0.0.1:\(server.port) closed the connection without an answer")
        }
    }

    @Test("without a server the error has address, cause and remedy")
    func nobodyThere() async throws {
        // A port that the kernel doesn't assign, and on which nothing listens.
        let port = 1
        let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: port))
        let error = await #expect(throws: ClientError.self) { try await client.status() }
        #expect(error?.code == .unavailable)
        #expect(
            error?.message
                == "no server at http://127.0.0.1:\(port): connection refused; start one with `mynah serve`")
    }

    @Test("a call that takes too long ends with an error")
    func timeout() async throws {
        // Accepts connections and never answers.
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: channel.localAddress?.port ?? 0))
        let error = await #expect(throws: ClientError.self) {
            try await client.json("GET", "/v1/status", timeout: .milliseconds(20))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("has not answered") == true)
        try await channel.close()
    }

    @Test(
        "a server that sends without end instead of an answer is given up",
        arguments: [
            ("", EndlessServer.Bytes.interimAnswers, "sends more than 262144 bytes before its answer"),
            ("HTTP/1.1 200 OK\r\n", EndlessServer.Bytes.fields, "is not a control API"),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", EndlessServer.Bytes.chunks,
                "answers with more than 134217728 bytes"
            ),
        ])
    func endless(first: String, bytes: EndlessServer.Bytes, message: String) async throws {
        try await EndlessServer.run(first, then: bytes) { port in
            let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: port))
            // The limit of bytes is reached, however slow the machine is.
            let error = await #expect(throws: ClientError.self) {
                try await client.json("GET", "/v1/status", timeout: Patience.duration)
            }
            #expect(error?.code == .notMynah)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test("a cancelled call ends at once")
    func cancellation() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: channel.localAddress?.port ?? 0))
        let call = Task { try await client.status() }
        call.cancel()
        let error = await #expect(throws: ClientError.self) { try await call.value }
        #expect(error?.code == .cancelled)
        try await channel.close()
    }

    @Test(
        "a valid address of a control API is parsed",
        arguments: [
            ("http://127.0.0.1:8197", "127.0.0.1", 8197), ("http://mynah:8197/", "mynah", 8197),
            ("HTTP://[::1]:9", "::1", 9), ("http://localhost", "localhost", 80),
        ])
    func urls(text: String, host: String, port: Int) throws {
        #expect(try ControlURL(text) == ControlURL(host: host, port: port))
    }

    @Test(
        "an invalid address of a control API is refused",
        arguments: [
            "", "localhost:8197", "https://localhost:8197", "http://", "http://:80", "http://h:0", "http://h:x",
            "http://h:80/path", "http://u@h:80", "http://[::1",
        ])
    func badURLs(_ text: String) {
        let error = #expect(throws: ClientError.self) { try ControlURL(text) }
        #expect(error?.code == .unclearServer)
        #expect(error?.message.contains("expected a URL like http://127.0.0.1:8197") == true)
    }
}
