import APNsRules
import Mynah
import MynahClient
import MynahTestSupport
import Testing

/// A value that a setting cannot have, and what the error must say.
private struct BadSetting: Sendable, CustomTestStringConvertible {
    let field: String
    let mentions: String
    let change: @Sendable (inout Settings) -> Void

    var testDescription: String { "\(field): \(mentions)" }

    init(_ field: String, _ mentions: String, _ change: @escaping @Sendable (inout Settings) -> Void) {
        self.field = field
        self.mentions = mentions
        self.change = change
    }

    static let all = [
        BadSetting("ports", "at least one port") { $0.ports = [] },
        BadSetting("ports", "70000 is not valid") { $0.ports = [.init(port: 70_000)] },
        BadSetting("ports", "given twice") { $0.ports = [.init(port: 50_001), .init(port: 50_001)] },
        BadSetting("ports", "-1 is not valid") { $0.cleartextPort = -1 },
        BadSetting("teamID", "10 letters and digits") { $0.teamID = "TEAM" },
        BadSetting("retain", "-1: expected 0 to 1000000000") { $0.retain = -1 },
        BadSetting("retain", "1000000001: expected 0 to 1000000000") { $0.retain = 1_000_000_001 },
        BadSetting("retainBytes", "-1: expected 0 or more") { $0.retainBytes = -1 },
        BadSetting("maxErrors", "1 or more, or nil") { $0.maxErrors = 0 },
        BadSetting("backgroundBudget", "1 or more") { $0.backgroundBudget = 0 },
        BadSetting("activityBudget", "1 or more") { $0.activityBudget = 0 },
        BadSetting("eventLoops", "1 or more") { $0.eventLoops = 0 },
        BadSetting("reconnectLimit.count", "1 or more") { $0.reconnectLimit = .init(count: 0, period: .seconds(1)) },
        BadSetting("reconnectLimit.period", "above zero") { $0.reconnectLimit = .init(count: 1, period: .zero) },
        BadSetting("requestLimit.count", "1 or more") { $0.requestLimit = .init(count: 0, period: .seconds(1)) },
        BadSetting("requestLimit.period", "above zero") { $0.requestLimit = .init(count: 1, period: .zero) },
        BadSetting("rules.teamTopics", "a topic like com.example.app") { $0.rules.teamTopics = ["com.example app"] },
        BadSetting(
            "rules.broadcastApps", "\"com.example.app.voip\": expected a bundle id like com.example.app, without"
        ) {
            $0.rules.broadcastApps = ["com.example.app.voip"]
        },
        BadSetting("idleTimeout", "above zero") { $0.idleTimeout = .zero },
        BadSetting("handshakeTimeout", "above zero") { $0.handshakeTimeout = .zero },
        BadSetting("deferralMax", "above zero") { $0.deferralMax = .zero },
        BadSetting("shutdownGrace", "not negative") { $0.shutdownGrace = .seconds(-1) },
        BadSetting("unregisterDelay", "not negative") { $0.unregisterDelay = .seconds(-1) ... .zero },
        BadSetting("streamLimits", "1 to 1000") { $0.streamLimits.trusted = 1001 },
        BadSetting("rules.tokenByteCounts", "1 to 100") { $0.rules.tokenByteCounts = 1...101 },
        BadSetting("issuedTokenByteCount", "16 to 100") { $0.issuedTokenByteCount = 15 },
        BadSetting("issuedTokenByteCount", "rules.tokenByteCounts") { $0.issuedTokenByteCount = 20 },
    ]
}

@Suite("A server in the process of a test")
struct MynahServerTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test("two servers in one process do not see each other")
    func twoServersDoNotSeeEachOther() async throws {
        try await MynahServer.withServer { one in
            try await MynahServer.withServer { other in
                #expect(one.port != other.port)
                #expect(one.trustRoots != other.trustRoots)
                #expect(one.signingKey != other.signingKey)
                let phone = try await one.addDevice("kim", app: "com.example.app")
                try await one.addFault(Fault(.respond(.tooManyRequests), matching: .topic("com.example.other")))
                #expect(try await one.send(to: phone.token) == 200)

                #expect(try await one.pushes().count == 1)
                #expect(try await other.pushes().isEmpty)
                #expect(other.faults.isEmpty)
                await #expect(throws: MynahError.self) { try await other.device("kim") }
                // The same token means nothing to the other one, and neither do CA and key.
                #expect(try await other.send(to: phone.token, signedWith: one.signingKey) == 403)
                let stranger = Provider.patient(host: other.host, port: other.port, caPEM: one.trustRoots.pem)
                await #expect(throws: ClientError.self) {
                    try await stranger.send(.init(path: "/3/device/\(Self.token)", headers: [], body: []))
                }
            }
            #expect(MynahServer.current === one)
        }
    }

    @Test(
        "started and stopped twenty times a server leaves nothing behind", .timeLimit(.minutes(Patience.minutes)))
    func leavesNothingBehind() async throws {
        // Where no other test listens: the port of a server that has stopped may be another one's at once.
        let host = "127.77.2.1"
        for _ in 1...20 {
            weak var server: MynahServer?
            weak var running: AnyObject?
            let provider = try await { () async throws -> Provider in
                let apns = try await MynahServer.start(
                    .embedded {
                        $0.host = host
                        $0.tlsNames = [host]
                    })
                server = apns
                running = apns.running
                let phone = try await apns.addDevice(app: "com.example.app")
                #expect(try await apns.send(to: phone.token) == 200)
                let provider = Provider.patient(host: apns.host, port: apns.port, caPEM: apns.trustRoots.pem)
                try await apns.stop()
                return provider
            }()
            // Its port takes no connections, and nothing of it is held by a task, a thread or a timer.
            let error = await #expect(throws: ClientError.self) {
                try await provider.send(.init(path: "/3/device/\(Self.token)", headers: [], body: []))
            }
            #expect(error?.code == .unavailable)
            // The last task lets go of it on a thread of its own.
            while server != nil || running != nil {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("a server is stopped when what it was lent to throws")
    func isStoppedWhenTheBodyThrows() async throws {
        struct Failure: Error {}
        var lent: MynahServer?
        await #expect(throws: Failure.self) {
            try await MynahServer.withServer { server in
                lent = server
                throw Failure()
            }
        }
        #expect(try #require(lent).isStopped)
    }

    @Test("a stopped server can be read and not be changed; stopping again is no error")
    func stoppedServer() async throws {
        let apns = try await MynahServer.start()
        let phone = try await apns.addDevice(app: "com.example.app")
        try await apns.send(to: phone.token)
        async let again: Void = apns.stop()
        try await apns.stop()
        try await again
        try await apns.stop()

        #expect(try await apns.expect(.token(phone.token), count: 1).count == 1)
        #expect(await apns.connections().isEmpty)
        func expectStopped(_ body: () async throws -> Void) async {
            let error = await #expect(throws: MynahError.self) { try await body() }
            #expect(error?.code == .stopped)
        }
        await expectStopped { try await apns.addDevice() }
        await expectStopped { try await apns.addFault(Fault(.stall)) }
        await expectStopped { try await apns.advanceClock(by: .seconds(1)) }
        await expectStopped { try await apns.addKey() }
        await expectStopped { try await apns.reset() }
        await expectStopped { try await phone.goOffline() }
        await expectStopped { try await apns.withScope { _ in } }
    }

    @Test("a stalled request does not keep a server from stopping")
    func stopsDespiteAStalledRequest() async throws {
        let apns = try await MynahServer.start()
        let phone = try await apns.addDevice(app: "com.example.app")
        let fault = try await apns.addFault(Fault(.stall))
        let status = Task { try await apns.send(to: phone.token) }
        #expect(await fault.waitUntilFired(within: Patience.duration)?.fired == 1)
        try await apns.stop()
        await #expect(throws: ClientError.self) { try await status.value }
        #expect(try await apns.pushes().map(\.outcome) == [.unanswered])
    }

    @Test("a setting with an impossible value is named", arguments: BadSetting.all)
    private func badSetting(_ bad: BadSetting) async throws {
        let error = await #expect(throws: MynahError.self) {
            try await MynahServer.start(.embedded(bad.change)).stop()
        }
        #expect(error?.code == .badSetting)
        #expect(error?.field == bad.field)
        #expect(error?.description.contains(bad.mentions) == true, "\(error?.description ?? "")")
    }

    @Test("a port that is taken and a key file that is not there are told apart")
    func unavailable() async throws {
        try await MynahServer.withServer { apns in
            let port = apns.port
            let taken = await #expect(throws: MynahError.self) {
                try await MynahServer.start(.embedded { $0.ports = [.init(port: port)] }).stop()
            }
            #expect(taken?.code == .portUnavailable)
            #expect(taken?.description.contains("port \(port) is taken") == true)
        }
        let missing = await #expect(throws: MynahError.self) {
            try await MynahServer.start(
                .embedded {
                    $0.authKeyFiles = ["AuthKey_NOTTHERE12.p8"]
                    $0.teamID = "TEAM123456"
                }
            ).stop()
        }
        #expect(missing?.code == .badSetting)
        #expect(missing?.description.contains("AuthKey_NOTTHERE12.p8") == true)
    }

    @Test("trust roots come as PEM and as the same bytes; the key never in a description")
    func trustRootsAndKey() async throws {
        try await MynahServer.withServer { apns in
            #expect(apns.settings.stateDirectory == nil)
            let body = apns.trustRoots.pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
            #expect(apns.trustRoots.der.map { Base64.encode($0) } == [body])
            #expect(apns.signingKey.pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            #expect(!"\(apns.signingKey)".contains("BEGIN"))
            #expect(apns.url == "https://localhost:\(apns.port)")
        }
    }

    @Test("further keys are good until they are revoked")
    func keys() async throws {
        try await MynahServer.withServer { apns in
            let phone = try await apns.addDevice(app: "com.example.app")
            let key = try #require(try await apns.addKey())
            #expect(try await apns.send(to: phone.token, signedWith: key) == 200)
            try await apns.revokeKey(key.keyID)
            #expect(try await apns.send(to: phone.token, signedWith: key) == 403)
            #expect(try await apns.pushes(.reason(.invalidProviderToken)).count == 1)
            let error = await #expect(throws: MynahError.self) { try await apns.revokeKey("NOTTHERE12") }
            #expect(error?.code == .notFound)
        }
    }

    @Test("a provider certificate stands for tokens until it is revoked")
    func certificates() async throws {
        try await MynahServer.withServer { apns in
            let phone = try await apns.addDevice(app: "com.example.app")
            let certificate = try await apns.issueCertificate(topics: "com.example.app")
            let provider = Provider.patient(
                host: apns.host, port: apns.port, caPEM: apns.trustRoots.pem,
                certificate: .init(chainPEM: certificate.certificatePEM, keyPEM: certificate.keyPEM))
            let push = Provider.Push(
                path: "/3/device/\(try phone.token.hex)", headers: [("apns-push-type", "alert")],
                body: Array(#"{"aps":{"alert":"hi"}}"#.utf8))
            #expect(try await provider.send(push).status == 200)
            try await apns.revokeCertificate(certificate)
            await #expect(throws: ClientError.self) { try await provider.send(push) }
            try await apns.expect(.topic("com.example.app"), count: 1)
            let none = await #expect(throws: MynahError.self) { try await apns.issueCertificate(topics: "no topic") }
            #expect(none?.code == .invalid)
        }
    }

    @Test("every scenario that comes with Mynah begins and goes")
    func scenarios() async throws {
        try await MynahServer.withServer { apns in
            #expect(!MynahServer.scenarioNames.isEmpty)
            for name in MynahServer.scenarioNames {
                try await apns.startScenario(name)
                try await apns.removeScenario(name)
            }
            #expect(apns.faults.isEmpty)
            let unknown = await #expect(throws: MynahError.self) { try await apns.startScenario("sunshine") }
            #expect(unknown?.field == "/name")
            let gone = await #expect(throws: MynahError.self) { try await apns.removeScenario("sunshine") }
            #expect(gone?.code == .notFound)
        }
    }

    @Test("a reset forgets pushes, devices, faults and the clock's changes")
    func reset() async throws {
        try await MynahServer.withServer { apns in
            let phone = try await apns.addDevice("kim", app: "com.example.app")
            try await apns.addFault(Fault(.lose))
            try await apns.send(to: phone.token)
            try await apns.freezeClock()
            try await apns.reset()
            #expect(try await apns.pushes().isEmpty)
            #expect(apns.faults.isEmpty)
            await #expect(throws: MynahError.self) { try await apns.device("kim") }
        }
    }
}
