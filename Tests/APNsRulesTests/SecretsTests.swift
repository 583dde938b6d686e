import APNsRules
import Testing

@Suite("What is kept of a credential")
struct SecretsTests {
    private static let header = "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ"
    private static let claims = "eyJpc3MiOiJURUFNMTIzNDU2IiwiaWF0IjoxNzAwMDAwMDAwfQ"
    private static let signature = String(repeating: "s1-_", count: 21) + "sS"
    private static var token: String { "\(header).\(claims).\(signature)" }
    private static var shown: String { "\(header).\(claims)" }
    private static let publicKey = String(repeating: "B", count: 87)
    private static let names = String(repeating: "eye.example.com ", count: 20)
    private static let broadcast = "/4/broadcasts/apps/\(String(repeating: "com.example.", count: 20))app"

    @Test(
        "the signature of a provider token is shown in no form of the header",
        arguments: [
            ("bearer \(token)", "bearer \(shown)"), ("BEARER  \(token)", "BEARER  \(shown)"), (token, shown),
            ("bearer\t\(token)", "bearer\t\(shown)"), ("bearer=\(token)", "bearer=\(shown)"),
            ("bearer: \(token)", "bearer: \(shown)"), ("bearer,\(token)", "bearer,\(shown)"),
            ("bearer\(token)", "bearer\(shown)"), ("Bearer \"\(token)\"", "Bearer \"\(shown)"),
            ("bearer \(token).extra", "bearer \(shown)"), ("bearer \(token) \(token)", "bearer \(shown)"),
            ("jwt \(token)", "jwt \(shown)"), ("bearer bearer \(token)", "bearer"), (" \(token)", ""),
            ("\"\(token)\"", ""), ("token=\(token)", "token=\(shown)"), ("key \(token)", ""),
            ("bearer \(header)=.\(claims)=.\(signature)", "bearer"),
        ])
    func signedToken(value: String, expected: String) {
        #expect(AuthorizationValue(Array(value.utf8)).withoutSignature == expected)
    }

    @Test(
        "of any other credential the scheme is shown",
        arguments: [
            ("Basic dXNlcjpwYXNz", "Basic"), ("basic", "basic"), ("bearer s3cret", "bearer"), ("bearer", "bearer"),
            ("s3cret", ""), ("s3cret with words", ""), ("", ""), ("Digest username=\"x\"", "Digest"),
            ("bearer a.b", "bearer"),
        ])
    func otherCredential(value: String, expected: String) {
        #expect(AuthorizationValue(Array(value.utf8)).withoutSignature == expected)
    }

    @Test(
        "an address is quoted without its user and password",
        arguments: [
            ("tls://user:PASS@host:badport", "tls://...@host:badport"), ("http://u@host", "http://...@host"),
            ("u:PASS@host:1", "...@host:1"), ("nats://a:b@c@host/", "nats://...@host/"), ("kim@example", "kim@example"),
            ("nats://host:4222", "nats://host:4222"), ("", ""),
        ])
    func addressWithPassword(text: String, expected: String) { #expect(Secrets.withoutUser(text) == expected) }

    @Test(
        "other fields keep all but secrets",
        arguments: [
            ("proxy-authorization", "Basic dXNlcjpwYXNz", "Basic"),
            ("proxy-authorization", "bearer \(token)", "bearer \(shown)"), ("cookie", "session=s3cret", "session"),
            ("cookie", "s3cret", ""), ("x-copy", "bearer \(token)", "bearer \(shown)"),
            ("x-copy", "a.b \(token)", "a.b \(shown)"),
            (":path", "/3/device/00?jwt=\(token)", "/3/device/00?jwt=\(shown)"),
            ("user-agent", "Java-http-client/17.0.1", "Java-http-client/17.0.1"), ("x-names", names, names),
            (":path", broadcast, broadcast),
            ("x-number", "1", "1"), ("cookies", "a=b", "a=b"), ("crypto-kez", "p256ecdsa=s3cret", "p256ecdsa=s3cret"),
            ("crypto-key", "dh=a;p256ecdsa=s3cret", "dh=a;p256ecdsa="),
            ("crypto-key", "p256ecdsa=\(publicKey);dh=a", "p256ecdsa=\(publicKey);dh=a"),
        ])
    func otherField(name: String, value: String, expected: String) {
        var block = HeaderBlock()
        block.append(name, value)
        #expect(block.fields(authorization: nil).map(\.value) == [expected])
        // What RFC 9113 §6.5.2 counts is what was sent.
        #expect(block.listSize == name.utf8.count + value.utf8.count + 32)
    }
}
