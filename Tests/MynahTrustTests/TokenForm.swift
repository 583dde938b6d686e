import APNsRules

@testable import MynahTrust

/// Variations of Apple's form that widespread libraries send (`ProviderAPI#Token-format`).
struct TokenForm: OptionSet {
    let rawValue: Int

    /// The signature as DER, as Apple's shell recipe makes it.
    static let derSignature = TokenForm(rawValue: 1 << 0)
    /// `alg` ES512: SHA-512, r and s padded with zeros to 66 bytes each (pushok).
    static let es512 = TokenForm(rawValue: 1 << 1)
    /// Standard base64 with padding in all three parts (dotAPNS, CorePush).
    static let standardBase64 = TokenForm(rawValue: 1 << 2)
    /// `iat` with a fraction (PyAPNs2).
    static let fractionalIssuedAt = TokenForm(rawValue: 1 << 3)
    /// `iat` as a string (APNSwift, kalyke).
    static let issuedAtString = TokenForm(rawValue: 1 << 4)
    /// An additional header field and claim.
    static let furtherMembers = TokenForm(rawValue: 1 << 5)
    /// Newlines and spaces in header and claims.
    static let newlines = TokenForm(rawValue: 1 << 6)
}

extension SigningKey {
    /// A provider token in a form that deviates from Apple's.
    func token(issuedAt: Instant, form: TokenForm) throws -> String {
        let algorithm: ProviderToken.Algorithm = form.contains(.es512) ? .es512 : .es256
        var header = [JSONMember("alg", .string(algorithm.rawValue)), JSONMember("kid", .string(keyID))]
        var claims = [JSONMember("iss", .string(team)), JSONMember("iat", Self.seconds(issuedAt, form))]
        if form.contains(.furtherMembers) {
            header.append(JSONMember("cty", "JWT"))
            claims.append(JSONMember("jti", "1"))
        }
        let encode = { (bytes: [UInt8]) in Base64.encode(bytes, url: !form.contains(.standardBase64)) }
        let signed = encode(Self.text(header, form)) + "." + encode(Self.text(claims, form))
        guard let raw = try privateKey?.signature(of: Array(signed.utf8), algorithm) else { return signed }
        if form.contains(.derSignature) { return signed + "." + encode(DERSignature.encode(raw)) }
        let padding = [UInt8](repeating: 0, count: algorithm == .es512 ? 66 - 32 : 0)
        return signed + "." + encode(padding + raw.prefix(32) + padding + raw.suffix(32))
    }

    private static func seconds(_ instant: Instant, _ form: TokenForm) -> JSONValue {
        let seconds = instant.milliseconds / 1000
        if form.contains(.issuedAtString) { return .string(String(seconds)) }
        if form.contains(.fractionalIssuedAt) { return .raw(Array("\(seconds).0".utf8)) }
        return .number(JSONNumber(seconds))
    }

    private static func text(_ members: [JSONMember], _ form: TokenForm) -> [UInt8] {
        guard form.contains(.newlines) else { return JSONValue.object(members).encoded }
        let lines = members.map { "  " + JSONValue.string($0.name).encodedText + ": " + $0.value.encodedText }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}".utf8)
    }
}
