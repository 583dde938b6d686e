import APNsRules
import MynahComparison
import MynahCore
import MynahTestSupport
import MynahWire
import NIOHTTP1
import Testing

@testable import Mynah

extension FixtureCase {
    /// Whether its path is one of channel management, or meant to be.
    fileprivate var isAboutManagement: Bool { step.request.path.hasPrefix("/1/") }
}

/// The table of cases against a whole server with a frozen clock, so that the cases that need time to pass run too.
struct ProviderAPIOverTheWireTests {
    private typealias Send = (FixtureRequest, String?) async throws -> HTTP1Connection.Reply

    /// HTTP/1.1 can't carry a method in lower case or a path with a space; the client tests send those over HTTP/2.
    ///
    /// Nor does a connection without TLS show a certificate.
    static func casesWithoutCertificate() throws -> [FixtureCase] {
        try FixtureCase.all().filter { fixture in
            // Without TLS one port serves everything.
            fixture.certificate == nil && fixture.isForChannels == fixture.isAboutManagement
                && fixture.step.request.method == fixture.step.request.method.uppercased()
                && !fixture.step.request.path.contains(" ")
        }
    }

    static func casesWithCertificate() throws -> [FixtureCase] {
        try FixtureCase.all().filter { $0.certificate != nil }
    }

    @Test(
        "the table's case holds for a server, and its journal says the same", arguments: try casesWithoutCertificate())
    func caseHolds(_ fixture: FixtureCase) async throws {
        try await ServerInABox.with(try settings(of: fixture)) { box in
            let port = try #require(box.server.cleartextPort)
            var box = box
            try await HTTP1Connection.with(port: port) { send in
                try await play(fixture, in: &box, from: RuleWorld.start) { request, authorization in
                    try await send(head(request, authorization), request.body)
                }
            }
        }
    }

    @Test(
        "the table's case holds for a connection with a certificate, and the journal says the same",
        arguments: try casesWithCertificate(), TLSVersion.allCases)
    func caseHolds(_ fixture: FixtureCase, over version: TLSVersion) async throws {
        // A CA that is made now is not valid at the time of the table.
        let start = Instant(seconds: WallClock.now().milliseconds / 1000)
        try await ServerInABox.with(try settings(of: fixture), at: start) { box in
            let ports = fixture.isForChannels ? box.server.channelsPorts : box.server.ports
            let port = try #require(ports.first)
            var box = box
            let identity = try await box.order(try #require(fixture.certificate), from: start)
            try await CertificateClient.with(
                port: port, caPEM: box.server.credentials.caPEM, identity: identity, version: version
            ) { send in
                try await play(fixture, in: &box, from: start) { request, authorization in
                    try await send((fields(request, authorization), request.body))
                }
            }
        }
    }

    private func play(
        _ fixture: FixtureCase, in box: inout ServerInABox, from start: Instant, _ send: Send
    ) async throws {
        try await box.server.createDevices(try fixture.devices.enumerated().map { try $1.specification($0) })
        for channel in fixture.channels {
            for _ in 0..<channel.count {
                let made = try await box.server.createChannel(channel.specification).channel
                if channel.isDeleted { _ = try await box.server.removeChannel(made.id) }
            }
        }
        try await box.make(fixture.keys)
        var tokens: [String: String] = [:]
        for step in fixture.before + [fixture.step] {
            let now = start.advanced(by: step.at)
            try await box.server.setClock(try ServerInABox.frozen(at: now))
            try await box.make(step.keys)
            for name in step.revoke { try await box.revoke(name) }
            // A token that was sent before is sent again, byte for byte; a new signature would be another.
            let key = "\(step.request.credential) \(step.at)"
            let authorization = try tokens[key] ?? box.authorization(of: step.request.credential, at: now)
            tokens[key] = authorization
            try expect(try await send(step.request, authorization), step.expect)
        }
        try await expectJournal(box.server, fixture)
    }

    private func fields(_ request: FixtureRequest, _ authorization: String?) -> [HTTPField] {
        let pseudo = [
            (":method", request.method), (":scheme", "https"), (":authority", "localhost"), (":path", request.path),
        ]
        let own = request.fields.map { ($0.name, $0.value) }
        return (pseudo + (authorization.map { [("authorization", $0)] } ?? []) + own).map { HTTPField($0.0, $0.1) }
    }

    private func settings(of fixture: FixtureCase) throws -> Settings {
        var settings = Settings()
        settings.rules = try RuleWorld.ruleSettings(fixture)
        // Some cases let an hour pass on an open connection.
        settings.idleTimeout = .seconds(24 * 3600)
        settings.channelsPorts = [.init(port: 0)]
        for (name, value) in fixture.settings {
            switch name {
            case "devices": settings.devices = value == "strict" ? .strict : .open
            case "auth": settings.authentication = value == "structural" ? .structural : .strict
            case "environment": settings.environment = APNsEnvironment(rawValue: value) ?? .sandbox
            default: break
            }
        }
        return settings
    }

    private func head(_ request: FixtureRequest, _ authorization: String?) -> HTTPRequestHead {
        var headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
        if let authorization { headers.add(name: "authorization", value: authorization) }
        if !headers.contains(name: "content-length") {
            headers.add(name: "content-length", value: String(request.body.count))
        }
        headers.replaceOrAdd(name: "host", value: "localhost")
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: request.path, headers: headers)
    }

    private func expect(_ reply: HTTP1Connection.Reply, _ expected: FixtureCase.Expected) throws {
        #expect(reply.status == expected.status)
        let body = String(decoding: reply.body, as: UTF8.self)
        if let reason = expected.reason {
            let timestamp = expected.timestamp.map { ",\"timestamp\":\($0)" } ?? ""
            #expect(body == "{\"reason\":\"\(reason)\"\(timestamp)}")
        } else {
            #expect(body == expected.body?.encodedText ?? "")
        }
        // Over HTTP/1.1 the length has to be said; that HTTP/2 says none is seen by the client tests.
        for (name, wanted) in expected.headers where name != "content-length" {
            let values = reply.headers[name]
            switch wanted {
            case .absent: #expect(values.isEmpty, "\(name) must be absent")
            case .value(let value): #expect(values == [value], "\(name)")
            case .pattern(let pattern):
                let text = try #require(values.first, "\(name) is missing")
                #expect(try Regex(pattern).firstMatch(in: text) != nil, "\(name) is \(text)")
            }
        }
    }

    private func expectJournal(_ server: Server, _ fixture: FixtureCase) async throws {
        _ = await server.journal.settled()
        guard !fixture.isForChannels else {
            // Without TLS, a path that nothing serves is that of a push.
            guard fixture.step.expect.reason != Reason.badPath.rawValue else { return }
            #expect(server.journal.read { $0.counters.received } == 0, "a call of channel management is no push")
            return
        }
        let entries = server.journal.read { $0.entries(after: 0, limit: 1000).entries }
        #expect(entries.count == fixture.before.count + 1)
        let entry = try #require(entries.last)
        let view = PushView(entry)
        #expect(view.json["status"]?.integer == Int64(fixture.step.expect.status))
        if fixture.settings["documented-reasons"] == nil {
            #expect(view.json["reason"]?.string == fixture.step.expect.reason)
        }
        if let warnings = fixture.step.expect.warnings {
            let written = (view.json["warnings"]?.array ?? []).compactMap(\.string)
            #expect(written.sorted() == warnings.sorted())
        }
        let isAccepted = fixture.step.expect.status == 200
        if view.isBroadcast, isAccepted {
            #expect(
                view.json["outcome"] == "discarded" || view.json["outcome"] == "stored", "nobody follows the channel")
        } else {
            #expect(view.json["outcome"]?.string == (isAccepted ? "delivered" : "refused"))
        }
    }
}
