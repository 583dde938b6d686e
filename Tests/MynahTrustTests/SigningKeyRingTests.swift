import APNsRules
import MynahTrust
import Testing

@Suite("Judging provider tokens")
struct SigningKeyRingTests {
    let key: SigningKey
    let ring: SigningKeyRing

    init() throws {
        key = try SigningKey.generate(team: "TEAM123456")
        ring = SigningKeyRing([key])
    }

    static let forms: [(form: TokenForm, warnings: [String])] = [
        ([], []),
        (.derSignature, ["DER signature instead of 64 bytes"]),
        (.es512, ["alg ES512, SHA-512 over a P-256 key"]),
        ([.es512, .derSignature], ["alg ES512, SHA-512 over a P-256 key", "DER signature instead of 64 bytes"]),
        (.standardBase64, ["standard base64 instead of base64url"]),
        (.fractionalIssuedAt, ["iat is not a whole number"]),
        (.issuedAtString, ["iat is a string"]),
        (.furtherMembers, ["further header field cty", "further claim jti"]),
        (.newlines, ["JSON with newlines"]),
    ]

    @Test("every form that libraries send is accepted, all but the first with a warning", arguments: forms.indices)
    func formsPass(index: Int) throws {
        let (form, warnings) = SigningKeyRingTests.forms[index]
        // Many tokens, because a DER signature has several lengths and base64 padding comes and goes.
        for second in 0..<40 {
            let issuedAt = testNow.advanced(by: .seconds(second))
            let token = try key.token(issuedAt: issuedAt, form: form)
            let found = try identity(in: ring.verdict(on: authorization(token)))
            #expect(found.team == "TEAM123456")
            #expect(found.keyID == key.keyID)
            #expect(found.issuedAt == issuedAt)
            #expect(found.warnings.sorted() == warnings.sorted())
        }
    }

    @Test("a token with all variations at once is accepted")
    func allFormsAtOnce() throws {
        let form: TokenForm = [.derSignature, .es512, .standardBase64, .issuedAtString, .furtherMembers, .newlines]
        let token = try key.token(issuedAt: testNow, form: form)
        #expect(try identity(in: ring.verdict(on: authorization(token))).warnings.count == 7)
    }

    @Test("the scheme bearer is accepted in upper and lower case", arguments: ["bearer", "Bearer", "BEARER"])
    func schemeInAnyCase(scheme: String) throws {
        let token = try key.token(issuedAt: testNow)
        _ = try identity(in: ring.verdict(on: authorization(token, scheme: scheme)))
    }

    @Test(
        "no authorization, another scheme or a bare scheme is a missing token",
        arguments: [nil, "Basic abc", "bearer", "bearer "])
    func missing(value: String?) {
        #expect(ring.verdict(on: value.map { AuthorizationValue(Array($0.utf8)) }) == .missing)
        let structural = ring.verdict(
            on: value.map { AuthorizationValue(Array($0.utf8)) }, authentication: .structural)
        #expect(structural == .missing)
    }

    @Test("a signature by another key under the same id is refused")
    func wrongKey() throws {
        let other = try SigningKey(keyID: key.keyID, team: key.team, privateKey: .generate())
        let token = try other.token(issuedAt: testNow)
        expectInvalid(ring.verdict(on: authorization(token)), "signature", key.keyID)
    }

    @Test("an iss that is not the key's team is refused, and both are named")
    func wrongTeam() throws {
        let privateKey = try #require(key.privateKey)
        let other = try SigningKey(keyID: key.keyID, team: "OTHER12345", privateKey: privateKey)
        let token = try other.token(issuedAt: testNow)
        expectInvalid(ring.verdict(on: authorization(token)), "OTHER12345", "TEAM123456", key.keyID)
    }

    @Test("an unknown kid is refused, and the known ones are named")
    func unknownKey() throws {
        let stranger = try SigningKey.generate(team: key.team)
        let token = try stranger.token(issuedAt: testNow)
        expectInvalid(ring.verdict(on: authorization(token)), "kid \(stranger.keyID)", key.keyID, "TEAM123456")
        expectInvalid(SigningKeyRing().verdict(on: authorization(token)), "no key is known")
    }

    @Test("of many known keys a refusal names five and counts the rest")
    func manyKeys() throws {
        let keys = try (0..<8).map { _ in try SigningKey.generate() }
        let token = try SigningKey.generate().token(issuedAt: testNow)
        expectInvalid(SigningKeyRing(keys).verdict(on: authorization(token)), "and 3 more")
    }

    @Test("swapped key id and team id are recognised")
    func swapped() throws {
        let privateKey = try #require(key.privateKey)
        let swapped = try SigningKey(keyID: key.team, team: key.keyID, privateKey: privateKey)
        let token = try swapped.token(issuedAt: testNow)
        expectInvalid(ring.verdict(on: authorization(token)), "swapped?")
    }

    @Test("claims changed after signing are refused")
    func tamperedClaims() throws {
        let parts = try key.token(issuedAt: testNow).split(separator: ".")
        let claims = Base64.encode(Array(#"{"iss":"TEAM123456","iat":1767229200}"#.utf8), url: true)
        expectInvalid(ring.verdict(on: authorization("\(parts[0]).\(claims).\(parts[2])")), "signature")
    }

    @Test("a signature with any of its bits flipped is refused", arguments: [0, 31, 32, 63])
    func tamperedSignature(byte: Int) throws {
        let parts = try key.token(issuedAt: testNow).split(separator: ".")
        var signature = try #require(Base64.decode(Array(parts[2].utf8))).bytes
        signature[byte] ^= 1
        let token = "\(parts[0]).\(parts[1]).\(Base64.encode(signature, url: true))"
        expectInvalid(ring.verdict(on: authorization(token)), "signature")
    }

    @Test("r or s of zero, or beyond the order of the curve, is refused", arguments: [UInt8(0), 0xFF])
    func impossibleSignature(byte: UInt8) throws {
        let parts = try key.token(issuedAt: testNow).split(separator: ".")
        let signature = Base64.encode([UInt8](repeating: byte, count: 64), url: true)
        expectInvalid(ring.verdict(on: authorization("\(parts[0]).\(parts[1]).\(signature)")), "signature")
    }

    @Test("a SHA-256 signature under alg ES512 is refused")
    func hashAndAlgorithmDisagree() throws {
        let parts = try key.token(issuedAt: testNow).split(separator: ".")
        let header = Base64.encode(Array(#"{"alg":"ES512","kid":"\#(key.keyID)"}"#.utf8), url: true)
        expectInvalid(ring.verdict(on: authorization("\(header).\(parts[1]).\(parts[2])")), "signature")
    }

    @Test("structural authentication accepts a token of any key, but no malformed one")
    func structural() throws {
        let stranger = try SigningKey.generate(team: "SOMEBODY12").token(issuedAt: testNow)
        let verdict = ring.verdict(on: authorization(stranger), authentication: .structural)
        #expect(try identity(in: verdict).team == "SOMEBODY12")
        expectInvalid(ring.verdict(on: authorization("a.b"), authentication: .structural), "parts")
    }

    @Test("a ring knows a key that is added, and no longer once it is removed")
    func addAndRemove() throws {
        let another = try SigningKey.generate()
        let token = authorization(try another.token(issuedAt: testNow))
        let both = ring.adding(another)
        _ = try identity(in: both.verdict(on: token))
        expectInvalid(
            SigningKeyRing(both.keys.filter { $0.keyID != another.keyID }).verdict(on: token), "not a known key")
        #expect(both.keys.map(\.keyID).sorted() == [key.keyID, another.keyID].sorted())
    }

    @Test("keys are listed by id, and related by either's choice, as they are replaced and removed")
    func relations() throws {
        let ids = ["C000000000", "A000000000", "B000000000"]
        var ring = SigningKeyRing()
        func key(_ id: String, related: String? = nil) throws -> SigningKey {
            let scope = KeyScope(environment: .sandbox, topics: ["a.b"], relatedKeyID: related)
            return try SigningKey(keyID: id, team: "TEAM000000", privateKey: .generate(), scope: scope)
        }
        for id in ids { ring[id] = try key(id) }
        ring["B000000000"] = try key("B000000000", related: "A000000000")
        #expect(ring.keys.map(\.keyID) == ids.sorted() && ring.count == 3)
        let a = try #require(ring["A000000000"])
        let b = try #require(ring["B000000000"])
        #expect(ring.partners(of: a).map(\.keyID) == ["B000000000"])
        #expect(ring.partners(of: b).map(\.keyID) == ["A000000000"])
        ring["B000000000"] = try key("B000000000")
        #expect(ring.partners(of: a).isEmpty)
        ring["A000000000"] = nil
        ring["A000000000"] = nil
        #expect(ring.keys.map(\.keyID) == ["B000000000", "C000000000"])
    }

    @Test("a key without its private half verifies, and signing is an error")
    func publicHalfOnly() throws {
        let publicOnly = try SigningKey(
            keyID: key.keyID, team: key.team, publicKey: P256PublicKey(pem: key.publicKey.pem))
        let token = try key.token(issuedAt: testNow)
        _ = try identity(in: SigningKeyRing([publicOnly]).verdict(on: authorization(token)))
        let error = try trustError { _ = try publicOnly.token(issuedAt: testNow) }
        #expect(error.code == .badSetting)
        #expect(error.description.contains(key.keyID))
    }

    @Test("one ring judges on many threads at once")
    func manyThreads() async throws {
        let token = authorization(try key.token(issuedAt: testNow))
        let ring = ring
        let good = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<100).count { _ in if case .token = ring.verdict(on: token) { true } else { false } }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(good == 800)
    }
}
