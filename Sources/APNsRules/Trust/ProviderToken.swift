/// The parts of a provider token whose signature is not yet verified (`ProviderAPI#Token-format`).
///
/// Accepts every form that widely used libraries send, with a warning for a form that deviates from Apple's documents;
/// everything else is InvalidProviderToken.
package struct ProviderToken: Sendable, Equatable {
    package enum Algorithm: String, Sendable {
        /// ECDSA over SHA-256, as documented.
        case es256 = "ES256"
        /// SHA-512 over the same P-256 key, as pushok sends it.
        case es512 = "ES512"
    }

    /// `alg`.
    package let algorithm: Algorithm
    /// `kid`, 10 characters.
    package let keyID: String
    /// `iss`, 10 characters.
    package let team: String
    /// `iat`.
    package let issuedAt: Instant
    /// The signed bytes: header, period and claims as they were sent.
    package let signedBytes: [UInt8]
    /// The signature as r and s, 32 bytes each.
    package let signature: [UInt8]
    /// How the token's form deviates from Apple's documents.
    package let warnings: [String]

    /// Parses a token; throws InvalidProviderToken with the first fault.
    package init(parsing token: some Collection<UInt8>) throws(Refusal) {
        guard token.count <= Limits.providerTokenBytesMax else {
            throw .invalidToken(
                "the provider token has \(token.count) bytes; at most \(Limits.providerTokenBytesMax) are read")
        }
        let parts = token.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .invalidToken(
                "the provider token has \(parts.count) parts; header, claims and signature were expected")
        }
        var warnings: [String] = []
        let header = try ProviderToken.object(parts[0], named: "header", warnings: &warnings)
        let claims = try ProviderToken.object(parts[1], named: "claims", warnings: &warnings)

        guard let name = header["alg"]?.string, let algorithm = Algorithm(rawValue: name) else {
            throw .invalidToken("alg is \(header["alg"]?.encodedText ?? "missing"); ES256 was expected")
        }
        self.algorithm = algorithm
        self.keyID = try ProviderToken.identifier(header["kid"], "kid")
        self.team = try ProviderToken.identifier(claims["iss"], "iss")
        self.issuedAt = try ProviderToken.issuedAt(claims["iat"], &warnings)
        if algorithm == .es512 { warnings.append("alg ES512, SHA-512 over a P-256 key") }
        warnings += ProviderToken.names(in: header, besides: ["alg", "kid", "typ"]).map { "further header field \($0)" }
        warnings += ProviderToken.names(in: claims, besides: ["iss", "iat"]).map { "further claim \($0)" }

        guard let decoded = Base64.decode(parts[2]) else { throw .invalidToken("the signature is not base64url") }
        ProviderToken.addWarning("standard base64 instead of base64url", if: decoded.isStandard, in: &warnings)
        self.signature = try ProviderToken.rawSignature(decoded.bytes, algorithm: algorithm, warnings: &warnings)
        self.signedBytes = Array(parts[0]) + [0x2E] + Array(parts[1])
        self.warnings = warnings
    }

    private static func object(
        _ part: some Collection<UInt8>, named what: String, warnings: inout [String]
    ) throws(Refusal) -> JSONValue {
        guard let decoded = Base64.decode(part) else { throw .invalidToken("the \(what) is not base64url") }
        addWarning("standard base64 instead of base64url", if: decoded.isStandard, in: &warnings)
        addWarning("JSON with newlines", if: decoded.bytes.contains(0x0A), in: &warnings)
        let value: JSONValue
        do { value = try JSONValue(parsing: decoded.bytes) } catch { throw .invalidToken("the \(what) is \(error)") }
        guard value.object != nil else { throw .invalidToken("the \(what) is \(value.kind); an object was expected") }
        return value
    }

    private static func identifier(_ value: JSONValue?, _ name: String) throws(Refusal) -> String {
        guard let text = value?.string, text.utf8.count == Limits.identifierLength else {
            throw .invalidToken(
                "\(name) is \(value?.encodedText ?? "missing"); \(Limits.identifierLength) characters were expected")
        }
        return text
    }

    private static func issuedAt(_ value: JSONValue?, _ warnings: inout [String]) throws(Refusal) -> Instant {
        switch value {
        case .number(let number):
            if let seconds = Int64(number.text) { return Instant(seconds: seconds) }
            let seconds = number.double
            guard seconds.isFinite, abs(seconds) < 1e15 else { break }
            warnings.append("iat is not a whole number")
            return Instant(milliseconds: Int64(seconds * 1000))
        case .string(let text):
            guard let seconds = Int64(text) else { break }
            warnings.append("iat is a string")
            return Instant(seconds: seconds)
        default: break
        }
        throw .invalidToken("iat is \(value?.encodedText ?? "missing"); seconds since 1970 were expected")
    }

    private static func names(in object: JSONValue, besides known: [String]) -> [String] {
        (object.object ?? []).map(\.name).filter { !known.contains($0) }
    }

    private static func addWarning(_ warning: String, if applies: Bool, in warnings: inout [String]) {
        if applies, !warnings.contains(warning) { warnings.append(warning) }
    }

    private static func rawSignature(
        _ bytes: [UInt8], algorithm: Algorithm, warnings: inout [String]
    ) throws(Refusal) -> [UInt8] {
        if bytes.count == 64 { return bytes }
        // pushok pads r and s to the 66 bytes of P-521, the curve that ES512 is meant for.
        if algorithm == .es512, bytes.count == 132 {
            let first = bytes[..<66]
            let second = bytes[66...]
            if first.prefix(34).allSatisfy({ $0 == 0 }), second.prefix(34).allSatisfy({ $0 == 0 }) {
                return Array(first.suffix(32)) + Array(second.suffix(32))
            }
        }
        guard let raw = DERSignature.rawSignature(bytes) else {
            throw .invalidToken("the signature has \(bytes.count) bytes and is not DER; 64 were expected")
        }
        warnings.append("DER signature instead of 64 bytes")
        return raw
    }
}
