import APNsRules
import Testing

@Suite("Parsing provider tokens")
struct ProviderTokenTests {
    static let header = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
    static let claims = #"{"iss":"TEAM123456","iat":1767225600}"#
    static let raw = [UInt8](1...64)

    static func token(
        _ header: String = header, _ claims: String = claims, _ signature: [UInt8] = raw, url: Bool = true
    ) -> [UInt8] {
        let parts = [Array(header.utf8), Array(claims.utf8), signature]
        return Array(parts.map { Base64.encode($0, url: url) }.joined(separator: ".").utf8)
    }

    @Test("a token as Apple documents it has no warnings")
    func documented() throws {
        let bytes = ProviderTokenTests.token()
        let token = try ProviderToken(parsing: bytes)
        #expect(token.algorithm == .es256)
        #expect(token.keyID == "ABC123DEFG")
        #expect(token.team == "TEAM123456")
        #expect(token.issuedAt == Instant(seconds: 1_767_225_600))
        #expect(token.signature == ProviderTokenTests.raw)
        #expect(token.warnings.isEmpty)
        let lastPeriod = try #require(bytes.lastIndex(of: 0x2E))
        #expect(token.signedBytes == Array(bytes[..<lastPeriod]))
    }

    @Test("typ and spaces cause no warning")
    func spacesAndType() throws {
        let token = try ProviderToken(
            parsing: ProviderTokenTests.token(#"{ "alg": "ES256", "typ": "JWT", "kid": "ABC123DEFG" }"#))
        #expect(token.warnings.isEmpty)
    }

    static let times: [(iat: String, milliseconds: Int64, warning: String?)] = [
        ("1767225600", 1_767_225_600_000, nil),
        ("1767225600.5", 1_767_225_600_500, "iat is not a whole number"),
        ("1.7672256e9", 1_767_225_600_000, "iat is not a whole number"),
        ("\"1767225600\"", 1_767_225_600_000, "iat is a string"),
        ("0", 0, nil),
    ]

    @Test("iat may be an integer, a float or a numeric string", arguments: times.indices)
    func issuedAt(index: Int) throws {
        let (iat, milliseconds, warning) = ProviderTokenTests.times[index]
        let claims = #"{"iss":"TEAM123456","iat":\#(iat)}"#
        let token = try ProviderToken(parsing: ProviderTokenTests.token(ProviderTokenTests.header, claims))
        #expect(token.issuedAt == Instant(milliseconds: milliseconds))
        #expect(token.warnings == [warning].compactMap(\.self))
    }

    static let faults: [(token: [UInt8], pieces: [String])] = [
        ([], ["1 parts"]),
        (Array("abc".utf8), ["1 parts", "header, claims and signature"]),
        (Array("a.b".utf8), ["2 parts"]),
        (Array("a.b.c.d".utf8), ["4 parts"]),
        (Array(repeating: 0x41, count: 4097), ["4097 bytes", "4096"]),
        (Array("!!.e30.AA".utf8), ["header", "base64url"]),
        (Array("e30.*.AA".utf8), ["claims", "base64url"]),
        (Array("e30.e30.AA".utf8), ["alg is missing"]),
        (token("not json"), ["header", "not JSON"]),
        (token("[]"), ["header is an array", "object"]),
        (token(#"{"kid":"ABC123DEFG"}"#), ["alg is missing", "ES256"]),
        (token(#"{"alg":"none","kid":"ABC123DEFG"}"#), [#"alg is "none""#, "ES256"]),
        (token(#"{"alg":"HS256","kid":"ABC123DEFG"}"#), [#"alg is "HS256""#]),
        (token(#"{"alg":"RS256","kid":"ABC123DEFG"}"#), [#"alg is "RS256""#]),
        (token(#"{"alg":"ES384","kid":"ABC123DEFG"}"#), [#"alg is "ES384""#]),
        (token(#"{"alg":"es256","kid":"ABC123DEFG"}"#), [#"alg is "es256""#]),
        (token(#"{"alg":256,"kid":"ABC123DEFG"}"#), ["alg is 256"]),
        (token(#"{"alg":"ES256"}"#), ["kid is missing", "10 characters"]),
        (token(#"{"alg":"ES256","kid":"SHORT"}"#), [#"kid is "SHORT""#]),
        (token(#"{"alg":"ES256","kid":1234567890}"#), ["kid is 1234567890"]),
        (token(header, "x"), ["claims", "not JSON"]),
        (token(header, #"{"iat":1767225600}"#), ["iss is missing"]),
        (token(header, #"{"iss":"TEAM1234567","iat":1767225600}"#), [#"iss is "TEAM1234567""#]),
        (token(header, #"{"iss":"TEAM123456"}"#), ["iat is missing", "seconds since 1970"]),
        (token(header, #"{"iss":"TEAM123456","iat":null}"#), ["iat is null"]),
        (token(header, #"{"iss":"TEAM123456","iat":"now"}"#), [#"iat is "now""#]),
        (token(header, #"{"iss":"TEAM123456","iat":1e300}"#), ["iat is 1e300"]),
        (token(header, claims, []), ["signature has 0 bytes", "64 were expected"]),
        (token(header, claims, [UInt8](repeating: 1, count: 63)), ["63 bytes"]),
        (token(header, claims, [UInt8](repeating: 1, count: 65)), ["65 bytes"]),
        (token(header, claims, [UInt8](repeating: 0, count: 132)), ["132 bytes"]),
        (Array((String(decoding: token(), as: UTF8.self) + "*").utf8), ["signature", "base64url"]),
    ]

    @Test("a malformed provider token is refused with a detail that says what is wrong", arguments: faults.indices)
    func refused(index: Int) throws {
        let (token, pieces) = ProviderTokenTests.faults[index]
        let refusal = try #require(throws: Refusal.self) { _ = try ProviderToken(parsing: token) }
        #expect(refusal.reason == .invalidProviderToken)
        for piece in pieces { #expect(refusal.detail.contains(piece), "\(refusal.detail)") }
    }

    @Test("an ES512 signature of 132 bytes is read when r and s fit P-256, and refused when they do not")
    func es512() throws {
        let header = #"{"alg":"ES512","kid":"ABC123DEFG"}"#
        let zeros = [UInt8](repeating: 0, count: 34)
        let padded = zeros + ProviderTokenTests.raw.prefix(32) + zeros + ProviderTokenTests.raw.suffix(32)
        let token = try ProviderToken(parsing: ProviderTokenTests.token(header, ProviderTokenTests.claims, padded))
        #expect(token.algorithm == .es512)
        #expect(token.signature == ProviderTokenTests.raw)
        let full = [UInt8](repeating: 1, count: 132)
        #expect(throws: Refusal.self) {
            _ = try ProviderToken(parsing: ProviderTokenTests.token(header, ProviderTokenTests.claims, full))
        }
    }
}

@Suite("DER signatures in provider tokens")
struct DERSignatureTests {
    private func parse(_ signature: [UInt8]) throws -> ProviderToken {
        try ProviderToken(
            parsing: ProviderTokenTests.token(ProviderTokenTests.header, ProviderTokenTests.claims, signature))
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }

    static let good: [(der: [UInt8], r: [UInt8], s: [UInt8])] = [
        ([0x30, 6, 2, 1, 5, 2, 1, 7], [5], [7]),
        ([0x30, 7, 2, 2, 0, 0x85, 2, 1, 7], [0x85], [7]),
        ([0x30, 8, 2, 2, 0x12, 0x34, 2, 2, 0, 0xFF], [0x12, 0x34], [0xFF]),
        (
            [0x30, 70, 2, 33, 0] + Array(repeating: 0xFF, count: 32) + [2, 33, 0] + Array(repeating: 0xEE, count: 32),
            Array(repeating: 0xFF, count: 32), Array(repeating: 0xEE, count: 32)
        ),
        (
            [0x30, 68, 2, 32] + Array(repeating: 0x11, count: 32) + [2, 32] + Array(repeating: 0x22, count: 32),
            Array(repeating: 0x11, count: 32), Array(repeating: 0x22, count: 32)
        ),
    ]

    @Test("short, long and sign-padded integers are padded to 32 bytes", arguments: good.indices)
    func accepted(index: Int) throws {
        let (der, r, s) = DERSignatureTests.good[index]
        let token = try parse(der)
        #expect(token.signature == DERSignatureTests.padded(r) + DERSignatureTests.padded(s))
        #expect(token.warnings == ["DER signature instead of 64 bytes"])
    }

    static let bad: [[UInt8]] = [
        [0x31, 6, 2, 1, 5, 2, 1, 7],
        [0x30, 5, 2, 1, 5, 2, 1, 7],
        [0x30, 7, 2, 1, 5, 2, 1, 7],
        [0x30, 3, 2, 1, 5],
        [0x30, 6, 3, 1, 5, 2, 1, 7],
        [0x30, 6, 2, 1, 0x85, 2, 1, 7],
        [0x30, 6, 2, 0, 2, 2, 1, 7],
        [0x30, 9, 2, 1, 5, 2, 1, 7, 2, 1, 9],
        [0x30, 38, 2, 33, 1] + Array(repeating: 0, count: 32) + [2, 1, 7],
        [0x30],
        [0x30, 0],
    ]

    @Test("anything but a SEQUENCE of two positive integers of at most 32 bytes is refused", arguments: bad)
    func refused(der: [UInt8]) {
        #expect(throws: Refusal.self) { _ = try parse(der) }
    }
}
