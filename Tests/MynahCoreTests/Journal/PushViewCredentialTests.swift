import APNsRules
import MynahCore
import Testing

/// How the journal shows who sent a push, and what a certificate stands in for (`Documents#Pushes`).
@Suite("The credential of a push in the journal")
struct PushViewCredentialTests {
    private func certificate(_ topics: String...) -> CertificateIdentity {
        CertificateIdentity(
            subject: "UID=\(topics[0])", subjectID: topics[0], topics: topics.map { .init($0, kind: "app") },
            environment: .both, serialNumber: "01", notBefore: Instant(seconds: 0), notAfter: Instant(seconds: 1))
    }

    private func view(
        _ verdict: TrustVerdict, headers: [(String, String)] = [], body: String = #"{"aps":{"alert":"hi"}}"#
    ) -> PushView {
        let authorization =
            headers.contains { $0.0 == "authorization" } ? AuthorizationValue(Array("Basic x".utf8)) : nil
        return PushView(
            .made(
                headers: headers, body: body,
                credential: JudgedCredential(authorization: authorization, verdict: verdict)))
    }

    @Test("a certificate is named by its subject, whatever authorization came with it", arguments: [true, false])
    func subject(isRevoked: Bool) {
        let identity = certificate("com.example.app")
        let view = view(
            isRevoked ? .revokedCertificate(identity) : .certificate(identity), headers: [("authorization", "x")])
        #expect(
            view.json["credential"] == [
                "kind": "certificate", "team": .null, "keyId": .null, "subject": "UID=com.example.app",
            ])
        #expect(view.headers.first?.value == "Basic")
    }

    @Test("an entry keeps a provider token without its signature, and nothing of the value that was sent")
    func signature() {
        weak var sent: AuthorizationValue?
        var entry: Entry?
        do {
            let authorization = AuthorizationValue(Array("bearer aGVhZGVy.Y2xhaW1z.c2lnbmF0dXJl".utf8))
            sent = authorization
            entry = .made(
                headers: [("authorization", "x")],
                credential: JudgedCredential(authorization: authorization, verdict: .missing))
            #expect(sent != nil)
        }
        #expect(sent == nil)
        #expect(entry?.credential.authorization == "bearer aGVhZGVy.Y2xhaW1z")
        #expect(entry.map { PushView($0).headers.first?.value } == "bearer aGVhZGVy.Y2xhaW1z")
    }

    @Test("a push without a topic is to the certificate's, if it has just one")
    func topic() throws {
        let one = view(.certificate(certificate("com.example.app")))
        #expect(one.json["topic"] == "com.example.app")
        #expect(try Filter(line: "topic:com.example.app").matches(one))
        #expect(view(.certificate(certificate("com.example.app", "com.example.app.voip"))).topic == nil)
        let named = view(.certificate(certificate("com.example.app")), headers: [("apns-topic", "com.example.b")])
        #expect(named.topic == "com.example.b")
    }

    @Test("a push without apns headers gets the type of the certificate's topic")
    func pushType() {
        let mdm = view(.certificate(certificate("com.apple.mgmt.External.1")), body: #"{"mdm":"x"}"#)
        #expect(mdm.json["pushType"] == "mdm")
        #expect(mdm.warnings == ["push type inferred"])
        let empty = view(.certificate(certificate("com.apple.mgmt.External.1")), body: #"{"mdm":1}"#)
        #expect(empty.warnings.last?.hasPrefix("mdm is a number: expected the string") == true)
        #expect(view(.certificate(certificate("pass.com.example.card")), body: "{}").json["pushType"] == .null)
        #expect(view(.certificate(certificate("com.example.app.voip"))).json["pushType"] == "voip")
    }

    @Test("a revoked key is still named, because its signature was valid")
    func revokedKey() {
        let identity = ProviderIdentity(
            team: "TEAM123456", keyID: "ABC123DEFG", issuedAt: Instant(seconds: 1), warnings: ["iat is a string"])
        let view = view(.revokedKey(identity))
        #expect(view.identity == identity)
        #expect(view.warnings.contains("iat is a string"))
    }
}
