import APNsRules
import MynahComparison
import MynahCore
import MynahTestSupport
import NIOHTTP1
import Synchronization
import Testing

@testable import Mynah
@testable import MynahTrust

/// A change of keys holds when it is answered, on open connections and for verdicts that were under way.
struct KeyChangeTests {
    @Test("a revoked key is refused from the next push on, on every open connection and loop")
    func openConnections() async throws {
        var settings = Settings()
        settings.eventLoops = 3
        try await ServerInABox.with(settings) { box in
            let key = try #require(box.server.trust.developmentKey)
            let push = try box.push(with: key)
            let port = try #require(box.server.cleartextPort)
            try await withConnections(to: port, count: 6) { connections in
                for send in connections { #expect(try await send(push.head, push.body).status == 200) }
                #expect(try await box.server.revokeKey(key.keyID) != nil)
                for send in connections {
                    let reply = try await send(push.head, push.body)
                    #expect(String(decoding: reply.body, as: UTF8.self) == #"{"reason":"Forbidden"}"#)
                }
                try await HTTP1Connection.with(port: port) { send in
                    let reply = try await send(push.head, push.body)
                    #expect(String(decoding: reply.body, as: UTF8.self) == #"{"reason":"InvalidProviderToken"}"#)
                }
                #expect(try await box.server.resetKeys() == 0)
                for send in connections { #expect(try await send(push.head, push.body).status == 200) }
            }
        }
    }

    @Test("with --token-updates key, a reset or a replaced key forgets the token changes")
    func updatesAreForgotten() async throws {
        var settings = Settings()
        settings.rules.tokenUpdates = .key
        try await ServerInABox.with(settings) { box in
            let key = try #require(box.server.trust.developmentKey)
            let port = try #require(box.server.cleartextPort)
            // Each signature is another one, and so is each token.
            func send() async throws -> Int {
                let push = try box.push(with: key)
                return try await HTTP1Connection.with(port: port) { send in
                    Int(try await send(push.head, push.body).status)
                }
            }
            for status in [200, 200, 200, 429] { #expect(try await send() == status) }
            #expect(try await box.server.resetKeys() == 0)
            for status in [200, 200, 200, 429] { #expect(try await send() == status) }
            _ = try await box.server.replaceKey(
                key.keyID, by: NewKey(team: key.team, material: .publicKey(box.unknownKey.publicKey.pem)))
            _ = try await box.server.replaceKey(
                key.keyID, by: NewKey(team: key.team, material: .publicKey(key.publicKey.pem)))
            #expect(try await send() == 200)
        }
    }

    @Test("an added key is accepted on a connection that was refused with it")
    func addedWhileOpen() async throws {
        try await ServerInABox.with { box in
            let push = try box.push(with: box.unknownKey)
            try await HTTP1Connection.with(port: try #require(box.server.cleartextPort)) { send in
                #expect(try await send(push.head, push.body).status == 403)
                let added = try await box.server.addKey(
                    NewKey(
                        keyID: box.unknownKey.keyID, team: box.unknownKey.team,
                        material: .publicKey(box.unknownKey.publicKey.pem)))
                #expect(added.isNew)
                #expect(added.privateKey == nil)
                #expect(try await send(push.head, push.body).status == 200)
            }
        }
    }

    @Test("a generated pair signs tokens that are accepted")
    func madePair() async throws {
        try await ServerInABox.with { box in
            let added = try await box.server.addKey(NewKey(environment: .sandbox, topics: ["com.example.app"]))
            let pem = try #require(added.privateKey)
            let key = try SigningKey(
                keyID: added.key.keyID, team: added.key.team, privateKey: P256PrivateKey(pem: pem))
            let push = try box.push(with: key)
            try await HTTP1Connection.with(port: try #require(box.server.cleartextPort)) { send in
                let reply = try await send(push.head, push.body)
                #expect(reply.status == 200)
            }
        }
    }

    @Test("keys of the settings are known from the start, all or none")
    func fromTheStart() async throws {
        var settings = Settings()
        settings.keys = [
            NewKey(keyID: "NEWS123456", environment: .sandbox, topics: ["com.example.a"], related: "SPORT12345"),
            NewKey(keyID: "SPORT12345", environment: .sandbox, topics: ["com.example.b"]),
            NewKey(keyID: "OLD1234567", revokedAt: RuleWorld.start),
        ]
        try await ServerInABox.with(settings) { box in
            let keys = box.server.keys
            #expect(keys.first { $0.keyID == "NEWS123456" }?.json["related"] == "SPORT12345")
            #expect(keys.first { $0.keyID == "OLD1234567" }?.json["revokedAt"]?.string == RuleWorld.start.rfc3339)
        }
        settings.keys.append(NewKey(keyID: "SPORT12345"))
        let fault = await #expect(throws: InputError.self) { try await ServerInABox.with(settings) { _ in } }
        #expect(fault?.field == "/keys/3/keyId")
        settings.keys = [NewKey(), NewKey(environment: .sandbox, topics: ["x.y"], related: "NOBODY1234")]
        let other = await #expect(throws: InputError.self) { try await ServerInABox.with(settings) { _ in } }
        #expect(other?.field == "/keys/1/related")
    }

    @Test("no verdict from before a change is used after it", arguments: 1...8)
    func noStaleVerdict(round: Int) async throws {
        let key = try SigningKey.generate()
        let store = TrustStore(keys: SigningKeyRing([key]), authentication: .strict)
        let change = Change()
        // Each its own token, so that every verdict is found anew and some are under way when the key goes.
        let tokens = try (0..<32).map { number in
            AuthorizationValue(
                Array("bearer \(try key.token(issuedAt: RuleWorld.start.advanced(by: .seconds(number))))".utf8))
        }
        let stale = try await withThrowingTaskGroup(of: Int.self) { group in
            for token in tokens {
                group.addTask {
                    var stale = 0
                    for _ in 0..<4 {
                        let wasRevoked = change.isDone.load(ordering: .sequentiallyConsistent)
                        guard case .token = store.judge(token).verdict else { continue }
                        if wasRevoked { stale += 1 }
                    }
                    return stale
                }
            }
            group.addTask {
                for _ in 0..<round { await Task.yield() }
                store.changeKey(key.keyID) { _ = $0.revoke(keyID: key.keyID, at: RuleWorld.start) }
                change.isDone.store(true, ordering: .sequentiallyConsistent)
                return 0
            }
            return try await group.reduce(0, +)
        }
        #expect(stale == 0)
        for token in tokens {
            guard case .revokedKey(let identity) = store.judge(token).verdict else {
                Issue.record("a verdict from before the change was kept")
                continue
            }
            #expect(identity.keyID == key.keyID)
        }
    }

    @Test("concurrent changes are not lost")
    func concurrentChanges() async throws {
        try await ServerInABox.with { box in
            let before = box.server.keys.count
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask { _ = try await box.server.addKey(NewKey(keyID: "KEY00000\(number + 10)")) }
                }
                try await group.waitForAll()
            }
            #expect(box.server.keys.count == before + 40)
        }
    }

    @Test("a certificate overrides authorization, which is kept for the journal")
    func certificate() throws {
        let store = TrustStore(keys: SigningKeyRing([]), authentication: .strict)
        let identity = CertificateIdentity(
            subject: "UID=com.example.app", subjectID: "com.example.app",
            topics: [.init("com.example.app", kind: "app")], environment: .both, serialNumber: "01",
            notBefore: RuleWorld.start, notAfter: RuleWorld.start)
        let value = AuthorizationValue(Array("bearer x".utf8))
        let judged = store.judge(identity, with: value)
        #expect(judged.verdict == .certificate(identity))
        #expect(judged.authorization === value)
        #expect(store.judge(identity, with: nil).authorization == nil)
    }

    /// Whether a change has been made, for all tasks to see.
    private final class Change: Sendable {
        let isDone = Atomic(false)
    }

    private typealias Send = (HTTPRequestHead, [UInt8]) async throws -> HTTP1Connection.Reply

    /// Opens connections, one within the other, and lends them together.
    private func withConnections(
        to port: Int, count: Int, _ open: [Send] = [], _ body: ([Send]) async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body(open) }
        try await HTTP1Connection.with(port: port) { send in
            try await withoutActuallyEscaping(send) { send in
                try await withConnections(to: port, count: count - 1, open + [send], body)
            }
        }
    }
}

extension ServerInABox {
    /// A good push, signed with a key.
    fileprivate func push(with key: SigningKey) throws -> (head: HTTPRequestHead, body: [UInt8]) {
        let body = Array(#"{"aps":{"alert":"hi"}}"#.utf8)
        let token = try key.token(issuedAt: server.now)
        let headers: HTTPHeaders = [
            "host": "localhost", "authorization": "bearer \(token)", "apns-topic": "com.example.app",
            "apns-push-type": "alert", "content-length": String(body.count),
        ]
        let path = "/3/device/" + FixtureRequest.defaultToken
        return (HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers), body)
    }
}
