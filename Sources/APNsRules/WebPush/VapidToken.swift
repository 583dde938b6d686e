/// The parts of a VAPID token, a JSON Web Token whose signature is not yet verified (RFC 8292 §2).
package struct VapidToken: Sendable, Hashable {
    package let claims: JSONValue
    /// `alg` of its header; `nil` if that is missing or no text.
    package let algorithm: String?
    /// Whether its header names extensions that have to be understood (RFC 7515 §4.1.11).
    package let hasCriticalExtensions: Bool
    /// The signed bytes: header, period and claims as they were sent.
    package let signedBytes: [UInt8]
    /// The third part, decoded: r and s, 32 bytes each, if it is as it should be.
    package let signature: [UInt8]

    /// Reads a token; `nil` if it isn't one.
    init?(parsing token: String, _ findings: inout WebPushFindings) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            findings.refuse(
                .badJwtToken,
                "the token has \(parts.count) part\(parts.count == 1 ? "" : "s"): expected header, claims and signature",
                .documented)
            return nil
        }
        guard let header = VapidToken.object(parts[0], "header", &findings),
            let claims = VapidToken.object(parts[1], "claims", &findings)
        else { return nil }
        guard let signature = Base64.decode(parts[2].utf8), !signature.isStandard else {
            findings.refuse(.badJwtToken, "the signature is not base64url", .documented)
            return nil
        }
        self.claims = claims
        algorithm = header["alg"]?.string
        hasCriticalExtensions = header["crit"] != nil
        signedBytes = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        self.signature = signature.bytes
    }

    private static func object(
        _ part: Substring, _ name: String, _ findings: inout WebPushFindings
    ) -> JSONValue? {
        guard let decoded = Base64.decode(part.utf8), !decoded.isStandard else {
            findings.refuse(.badJwtToken, "the token's \(name) is not base64url", .documented)
            return nil
        }
        do throws(JSONError) {
            let value = try JSONValue(parsing: decoded.bytes)
            if value.object != nil { return value }
            findings.refuse(
                .badJwtToken, "the token's \(name) is \(value.kind): expected an object", .documented)
        } catch {
            findings.refuse(.badJwtToken, "the token's \(name) is \(error)", .documented)
        }
        return nil
    }
}

/// What verifying a signature has shown.
package enum VapidProof: Sendable {
    case valid
    case wrong
    /// The key's bytes are no point on P-256.
    case notOnCurve
}

/// Verifies a raw signature (r and s, 64 bytes) over bytes with a public key (65 bytes), by ES256.
package typealias VapidVerifier = (_ signature: [UInt8], _ signed: [UInt8], _ key: [UInt8]) -> VapidProof

/// The token is signed by ES256 with the key that the request names (`WebPush#VAPID`).
enum VapidSignatureCheck {
    private static let signatureBytes = 64

    /// - Parameter key: `nil` if it is missing or malformed; then the form of the signature is judged alone.
    static func check(
        _ token: VapidToken, key: [UInt8]?, in context: WebPushContext, verify: VapidVerifier,
        _ findings: inout WebPushFindings
    ) {
        guard token.algorithm == "ES256" else {
            findings.refuse(
                .badJwtToken, "alg is \(token.algorithm ?? "missing or no text"): expected ES256", .inferred)
            return
        }
        if token.hasCriticalExtensions {
            findings.refuse(.badJwtToken, "the header has crit: expected no extensions", .inferred)
        }
        guard !token.signature.isEmpty else {
            guard !context.unseen.contains(.signature) else { return }
            findings.refuse(
                .badJwtToken,
                "the token's signature was left out, as Mynah's journal does: expected r and s, 32 bytes each",
                .inferred)
            return
        }
        guard token.signature.count == signatureBytes else {
            let found = DERSignature.rawSignature(token.signature) == nil ? "" : ", which are DER"
            findings.refuse(
                .badJwtToken,
                "the signature has \(token.signature.count) bytes\(found): expected r and s, 32 bytes each", .inferred)
            return
        }
        guard let key else { return }
        switch verify(token.signature, token.signedBytes, key) {
        case .valid: return
        case .notOnCurve:
            findings.refuse(.badVapidPublicKey, "the key of the request is no point on P-256", .documented)
        case .wrong:
            let signer = context.knownKeys().first { known in
                known.point != key && verify(token.signature, token.signedBytes, known.point) == .valid
            }
            let found = signer.map { "the key of \($0.name) signed it" } ?? "another key signed, or it was changed"
            findings.refuse(
                .badJwtToken, "the token's signature is not that of the key in the request: \(found)", .documented)
        }
    }
}

/// `aud` is the origin of the endpoint (`WebPush#VAPID`).
enum AudienceCheck {
    static func check(_ token: VapidToken, in context: WebPushContext, _ findings: inout WebPushFindings) {
        let origin = context.origin
        guard let audience = token.claims["aud"]?.string else {
            let found = token.claims["aud"]?.encodedText ?? "missing"
            findings.refuse(.badJwtToken, "aud is \(found): expected \(origin)", .inferred)
            return
        }
        func refuse(_ what: String, _ evidence: Evidence) {
            findings.refuse(.badJwtToken, "aud is \(audience)\(what): expected \(origin)", evidence)
        }
        let separator = audience.firstRange(of: "://")
        guard let separator, audience[..<separator.lowerBound].lowercased() == "https" else {
            refuse(separator == nil ? ", no URL" : ", another scheme", separator == nil ? .documented : .observed)
            return
        }
        let rest = audience[separator.upperBound...]
        guard let named = WebPushOrigin(authority: rest) else {
            let isPath = rest.contains("/")
            refuse(isPath ? ", with a slash or a path after the host" : ", no origin", isPath ? .inferred : .documented)
            return
        }
        if named == origin { return }
        guard named.host == origin.host, named.port == WebPushOrigin.defaultPort else {
            refuse("", .documented)
            return
        }
        // Several libraries drop the port; Apple's endpoints have none, so there the same code is right.
        findings.warn("aud is \(audience) without the port of the endpoint, \(origin); Apple's endpoints have no port")
    }
}

/// `exp` is to come, and within 24 hours (`WebPush#VAPID`).
enum ExpiryCheck {
    static func check(_ token: VapidToken, in context: WebPushContext, _ findings: inout WebPushFindings) {
        let expected = "expected seconds since 1970, at most 24 h from now"
        if let text = token.claims["exp"]?.string, seconds(of: token) != nil {
            findings.warn("exp is text, \"\(text)\": RFC 7519 §2 has a number; Apple was seen to accept it")
        }
        guard let instant = time(of: token) else {
            let found = token.claims["exp"]?.encodedText ?? "missing"
            findings.refuse(.badJwtToken, "exp is \(found): \(expected)", .inferred)
            return
        }
        if instant <= context.now {
            findings.refuse(
                .badJwtToken, "exp is \(instant.rfc3339), and now is \(context.now.rfc3339): \(expected)", .inferred)
        } else if instant.since(context.now) > WebPushLimits.tokenLifetimeMax + WebPushLimits.tokenSkewMax {
            findings.refuse(
                .badJwtToken, "exp is \(instant.rfc3339), more than 24 h after \(context.now.rfc3339): \(expected)",
                .documented)
        }
    }

    /// When a token expires; `nil` if it doesn't say so.
    static func time(of token: VapidToken) -> Instant? { seconds(of: token).flatMap(instant) }

    private static func seconds(of token: VapidToken) -> Double? {
        switch token.claims["exp"] {
        case .number(let number)?: number.double
        case .string(let text)? where !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }: Double(text)
        default: nil
        }
    }

    /// A number of seconds as a moment; `nil` if it is far beyond any date.
    private static func instant(_ seconds: Double) -> Instant? {
        abs(seconds) < 1e15 ? Instant(milliseconds: Int64(seconds * 1000)) : nil
    }
}

/// A key uses one token for an hour at least, unless that expires; Apple advises it and refuses nothing (`WebPush#VAPID`).
enum TokenUseCheck {
    /// What is to be remembered of the token.
    static func use(
        of token: String, until expiry: Instant, by key: [UInt8], in context: WebPushContext,
        _ findings: inout WebPushFindings
    ) -> VapidTokenUse {
        let use = VapidTokenUse(token, since: context.now, expiresAt: expiry)
        guard let last = context.lastToken(key) else { return use }
        if last.signed == use.signed { return last }
        let age = context.now.since(last.since)
        if age < WebPushLimits.tokenUseMin, last.expiresAt.since(context.now) > WebPushLimits.tokenUseMin {
            findings.warn(
                "the last token was first used \(age.components.seconds) s ago, and this is a new one: Apple advises to "
                    + "make one an hour at most")
        }
        return use
    }
}
