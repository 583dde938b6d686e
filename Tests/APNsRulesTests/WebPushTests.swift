import APNsRules
import Synchronization
import Testing

@Suite("Values of the Web Push service")
struct WebPushTests {
    @Test("an origin is read from an authority, and written without Apple's port")
    func origins() {
        #expect(WebPushOrigin(authority: "Web.Push.Apple.com")?.description == "https://web.push.apple.com")
        #expect(WebPushOrigin(authority: "web.push.apple.com:443") == .apple)
        #expect(WebPushOrigin(authority: "localhost:28443")?.description == "https://localhost:28443")
        #expect(WebPushOrigin(authority: "[::1]:28443")?.description == "https://[::1]:28443")
        #expect(WebPushOrigin(authority: "[::1]")?.port == 443)
        for text in ["", ":443", "a:b", "a:0", "a:65536", "a:+80", "a/b", "a@b", "a b"] {
            #expect(WebPushOrigin(authority: text) == nil, "\(text)")
        }
    }

    @Test("a request that a connection read has its fields, its credential and its size")
    func fromConnection() {
        var headers = HeaderBlock()
        for (name, value) in [
            (":method", "POST"), (":path", "/QA"), (":authority", "localhost:1"), ("ttl", " 60 "), ("topic", "abcd"),
        ] { headers.append(name, value) }
        headers.appendAuthorization(valueCount: 9)
        var pushed = PushRequest(
            headers: headers, authorization: AuthorizationValue(Array("vapid t=a".utf8)), body: Array("body".utf8))
        pushed.exceedLimit(received: 5000)
        let request = WebPushRequest(pushed)
        #expect(request.method == "POST")
        #expect(request.path == "/QA")
        #expect(request.authority == "localhost:1")
        #expect(request["ttl"] == "60")
        #expect(request["authorization"] == "vapid t=a")
        #expect(request["urgency"] == nil)
        #expect(request.bodyByteCount == 5000)
    }

    private static let privateScalar = String(repeating: "s", count: 43)
    private static let point = Base64.encode(key, url: true)

    @Test(
        "a kept header has the scheme, the token without its signature and the public key",
        arguments: [
            ("vapid t=abc.def.sig-_, k=\(point)", "vapid t=abc.def., k=\(point)"),
            ("VAPID k=\(point),t=abc.def.sig-_", "VAPID t=abc.def., k=\(point)"),
            ("vapid t=abc.def., k=\(point)", "vapid t=abc.def., k=\(point)"),
            ("vapid t=\"abc.def.sig\", k=\"\(point)\"", "vapid t=abc.def., k=\(point)"),
            ("vapid t=abc.def.sig;k=\(point)", "vapid t=abc.def."), ("WebPush abc.def.sig", "WebPush abc.def."),
            ("WebPush abc.def.sig=", "WebPush abc.def."), ("WebPush s3cret", "WebPush"),
            ("vapid t=abc.def.si+g/==, k=BA", "vapid t=abc.def."), ("vapid t=abc.def.sig.extra", "vapid t=abc.def."),
            ("vapid t=abc,def,sig", "vapid"), ("vapid t=s3cret", "vapid"), ("vapid abc.def.sig", "vapid"),
            ("vapid s3cret", "vapid"), ("vapid token=s3cret, k=\(point)", "vapid k=\(point)"), ("vapid", "vapid"),
            ("vapid k=\(privateScalar)", "vapid"),
            ("vapid k=-----BEGIN PRIVATE KEY-----\(privateScalar)", "vapid"),
            ("abc.def.sig", "abc.def"), ("{\"t\":\"abc.def.sig\"}", ""), ("vapid,t=abc.def.sig", ""),
            ("key=AAAAserver:key", ""), ("Basic dXNlcjpwYXNz", "Basic"), ("Bearer opaque", "Bearer"), ("opaque", ""),
        ])
    func withoutSignature(value: String, expected: String) {
        #expect(VapidCredential.withoutSignature(value) == expected)
    }

    @Test(
        "no refusal quotes what may be a secret",
        arguments: ["s3cr.et.signature", "key=s3cret", "s3cret words", "Bearer s3cret", "Digest s3cret=\"s3cret\""])
    func causeWithoutSecret(value: String) {
        let request = WebPushRequest(method: "POST", path: "/QA", fields: [HTTPField("Authorization", value)])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let refusals = WebPushAdmission.judge(request, in: context) { _, _, _ in .valid }.findings.refusals
        #expect(refusals.first?.reason == .badAuthorizationHeader)
        #expect(!refusals.contains { $0.cause.contains("s3cr") })
    }

    private static let key = [0x04] + [UInt8](repeating: 7, count: 64)

    private static func token(_ claims: JSONValue, salt: UInt8 = 0) -> String {
        let header: JSONValue = ["alg": "ES256"]
        let parts = [header.encoded, claims.encoded, Array(repeating: salt, count: 64)]
        return parts.map { Base64.encode($0, url: true) }.joined(separator: ".")
    }

    @Test("a warning says that a token changed within an hour, and the use begins with the token")
    func tokenUse() {
        func judged(
            _ salt: UInt8, exp: Int64 = 9000, sub: String = "mailto:a@example.com", after last: VapidTokenUse?,
            at seconds: Int64
        ) -> WebPushJudgement {
            let claims: JSONValue = [
                "aud": "https://web.push.apple.com", "exp": .number(JSONNumber(exp)), "sub": .string(sub),
            ]
            let token = Self.token(claims, salt: salt)
            let request = WebPushRequest(
                method: "POST", path: "/QA",
                fields: [HTTPField("Authorization", "vapid t=\(token), k=\(Base64.encode(Self.key, url: true))")])
            var context = WebPushContext(now: Instant(seconds: seconds), origin: .apple, endpoint: .unasked)
            context.lastToken = { $0 == Self.key ? last : nil }
            return WebPushAdmission.judge(request, in: context) { _, _, _ in .valid }
        }
        let first = judged(1, after: nil, at: 100)
        #expect(first.tokenUse?.since == Instant(seconds: 100))
        #expect(!first.findings.warnings.contains { $0.contains("first used") })
        // The same claims signed again are the same token.
        for salt in [1, 2] as [UInt8] {
            let same = judged(salt, after: first.tokenUse, at: 200)
            #expect(same.tokenUse == first.tokenUse)
            #expect(!same.findings.warnings.contains { $0.contains("first used") })
        }
        let other = judged(2, exp: 9001, after: first.tokenUse, at: 200)
        #expect(other.tokenUse?.since == Instant(seconds: 200))
        #expect(other.findings.warnings.contains { $0.contains("first used 100 s ago") })
        let late = judged(2, exp: 9001, after: first.tokenUse, at: 3700)
        #expect(!late.findings.warnings.contains { $0.contains("first used") })
        // One that expires soon has to be replaced.
        let short = judged(1, exp: 3000, after: nil, at: 100)
        #expect(!judged(2, after: short.tokenUse, at: 200).findings.warnings.contains { $0.contains("first used") })
        // The advice is about tokens that Apple accepts.
        let refused = judged(2, sub: "mailto:a@localhost", after: first.tokenUse, at: 200)
        #expect(refused.tokenUse == nil)
        #expect(!refused.findings.warnings.contains { $0.contains("first used") })
    }

    @Test("a signature is verified once, and other keys are asked for only where one may have signed")
    func verifiesOnce() {
        var context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let asked = Mutex(0)
        context.knownKeys = {
            asked.withLock { $0 += 1 }
            return []
        }
        context.lastToken = { _ in
            VapidTokenUse("another", since: Instant(seconds: 0), expiresAt: Instant(seconds: 900))
        }
        let token = Self.token(["aud": "https://web.push.apple.com", "exp": 900, "sub": "mailto:a@example.com"])
        let request = WebPushRequest(
            method: "POST", path: "/QA",
            fields: [HTTPField("Authorization", "vapid t=\(token), k=\(Base64.encode(Self.key, url: true))")])
        let verified = Mutex(0)
        for (proof, asks) in [(VapidProof.valid, 0), (.wrong, 1)] {
            _ = WebPushAdmission.judge(request, in: context) { _, _, _ in
                verified.withLock { $0 += 1 }
                return proof
            }
            #expect(asked.withLock(\.self) == asks)
        }
        #expect(verified.withLock(\.self) == 2)
    }

    @Test("a field that is sent more than once is a warning, and the first one counts")
    func repeatedFields() {
        let request = WebPushRequest(
            method: "POST", path: "/QA",
            fields: [
                HTTPField("TTL", "60"), HTTPField("x", "1"), HTTPField("ttl", "abc"), HTTPField("x", "2"),
                HTTPField("Topic", "abcd"), HTTPField("Topic", "efgh"), HTTPField("topic", "ijkl"),
            ])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let judgement = WebPushAdmission.judge(request, in: context) { _, _, _ in .valid }
        #expect(judgement.timeToLive == .seconds(60))
        #expect(judgement.topic == "abcd")
        let repeated = judgement.findings.warnings.filter { $0.contains("more than once") }
        #expect(repeated.map { $0.split(separator: " ")[2] } == ["ttl", "topic"])
    }

    @Test(
        "a URL is one for a browser, absolute, relative to one of https, or none",
        arguments: [
            ("https://shop.example/a b", true), (" https://shop.example/ ", true), ("https:/shop.example", true),
            ("https:\\\\shop.example", true), ("https://a@b:80/c", true), ("https://[::1]:80/", true),
            ("file:///x", true), ("mailto:a@b.org", true), ("x:", true), ("x://a:1/", true), ("ht\ntps://a/", true),
            ("/orders/7", false), ("orders", false), ("", false), ("//shop.example", false), ("a b:c", false),
            ("https://", nil), ("https:", nil), ("https://exa mple/", nil), ("https://[::1/", nil),
            ("https://a:99999/", nil), ("https://a:b/", nil), ("https://a:1:2/", nil), ("//exa mple", nil),
            ("x://:1/", nil),
        ] as [(String, Bool?)])
    func browserURL(text: String, isAbsolute: Bool?) {
        #expect(WebURL(text)?.isAbsolute == isAbsolute)
    }

    @Test("key and sender's key may be in two Crypto-Key fields, which are one list")
    func listedFields() {
        let token = Self.token(["aud": "https://web.push.apple.com", "exp": 900, "sub": "mailto:a@example.com"])
        let key = Base64.encode(Self.key, url: true)
        let request = WebPushRequest(
            method: "POST", path: "/QA",
            fields: [
                HTTPField("TTL", "60"), HTTPField("Authorization", "WebPush \(token)"),
                HTTPField("Content-Encoding", "aesgcm"), HTTPField("Crypto-Key", "dh=\(key)"),
                HTTPField("Crypto-Key", "p256ecdsa=\(key)"),
                HTTPField("Encryption", "salt=\(Base64.encode(Array(repeating: 1, count: 16), url: true))"),
            ], body: [1])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let judgement = WebPushAdmission.judge(request, in: context) { _, _, _ in .valid }
        #expect(judgement.findings.refusals.isEmpty)
        #expect(judgement.credential?.key == Self.key && judgement.message?.senderKey == Self.key)
        #expect(!judgement.findings.warnings.contains { $0.contains("more than once") })
    }

    @Test("a token may be valid for 24 hours and a minute, and not for a second more", arguments: [86_460, 86_461])
    func skew(exp: Int64) {
        let token = Self.token([
            "aud": "https://web.push.apple.com", "exp": .number(JSONNumber(exp)), "sub": "mailto:a@example.com",
        ])
        let value = "vapid t=\(token), k=\(Base64.encode(Self.key, url: true))"
        let request = WebPushRequest(
            method: "POST", path: "/QA", fields: [HTTPField("TTL", "60"), HTTPField("Authorization", value)])
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let judgement = WebPushAdmission.judge(request, in: context) { _, _, _ in .valid }
        #expect(judgement.findings.refusals.map(\.reason) == (exp > 86_460 ? [.badJwtToken] : []))
    }

    @Test("a host that nobody knows is a warning, although aud names it", arguments: ["other.org", "localhost"])
    func unknownHost(host: String) {
        let token = Self.token([
            "aud": .string("https://\(host)"), "exp": 900, "sub": "mailto:a@example.com",
        ])
        let value = "vapid t=\(token), k=\(Base64.encode(Self.key, url: true))"
        let request = WebPushRequest(
            method: "POST", path: "/QA", fields: [HTTPField("TTL", "60"), HTTPField("Authorization", value)])
        var context = WebPushContext(
            now: Instant(seconds: 0), origin: WebPushOrigin(host: host), endpoint: .unasked)
        context.knownHosts = ["localhost"]
        let judgement = WebPushAdmission.judge(request, in: context) { _, _, _ in .valid }
        #expect(judgement.refusal == nil)
        #expect(judgement.findings.warnings.isEmpty == (host == "localhost"))
    }
}
