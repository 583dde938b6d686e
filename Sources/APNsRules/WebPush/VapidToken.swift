/// The parts of a VAPID token, a JSON Web Token whose signature is not yet verified (RFC 8292 §2).
///
/// A part that is malformed is `nil`, and hides no fault of the others.
package struct VapidToken: Sendable, Hashable {
    package let header: JSONValue?
    package let claims: JSONValue?
    /// The signed bytes: header, period and claims as they were sent.
    package let signedBytes: [UInt8]
    /// The third part, decoded: r and s, 32 bytes each, if it is as it should be.
    package let signature: [UInt8]?

    /// Reads a token; `nil` if it has not three parts.
    init?(parsing token: String, _ findings: inout WebPushFindings) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            findings.refuse(
                .badJwtToken,
                "the token has \(parts.count) part\(parts.count == 1 ? "" : "s"): expected header, claims and signature",
                .documented)
            return nil
        }
        header = VapidToken.object(parts[0], "the token's header", &findings)
        claims = VapidToken.object(parts[1], "the token's claims", &findings)
        signedBytes = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        signature = VapidToken.bytes(parts[2], "the signature", &findings)
    }

    /// The bytes of a part, also of one that is base64 of another kind.
    private static func bytes(_ part: Substring, _ name: String, _ findings: inout WebPushFindings) -> [UInt8]? {
        let decoded = Base64.decode(part.utf8)
        if decoded?.isStandard != false { findings.refuse(.badJwtToken, "\(name) is not base64url", .documented) }
        return decoded?.bytes
    }

    private static func object(_ part: Substring, _ name: String, _ findings: inout WebPushFindings) -> JSONValue? {
        guard let bytes = bytes(part, name, &findings) else { return nil }
        do throws(JSONError) {
            let value = try JSONValue(parsing: bytes)
            if value.object != nil { return value }
            findings.refuse(.badJwtToken, "\(name) is \(value.kind): expected an object", .documented)
        } catch {
            findings.refuse(.badJwtToken, "\(name) is \(error)", .documented)
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
        if let header = token.header {
            let algorithm = header["alg"]?.string
            if algorithm != "ES256" {
                findings.refuse(
                    .badJwtToken, "alg is \(algorithm ?? "missing or no text"): expected ES256", .inferred)
            }
            // Extensions that have to be understood (RFC 7515 §4.1.11).
            if header["crit"] != nil {
                findings.refuse(.badJwtToken, "the header has crit: expected no extensions", .inferred)
            }
        }
        guard let signature = token.signature else { return }
        guard !signature.isEmpty else {
            guard !context.unseen.contains(.signature) else { return }
            findings.refuse(
                .badJwtToken,
                "the token's signature was left out, as Mynah's journal does: expected r and s, 32 bytes each",
                .inferred)
            return
        }
        guard signature.count == signatureBytes else {
            let found = DERSignature.rawSignature(signature) == nil ? "" : ", which are DER"
            findings.refuse(
                .badJwtToken,
                "the signature has \(signature.count) bytes\(found): expected r and s, 32 bytes each", .inferred)
            return
        }
        guard let key else { return }
        switch verify(signature, token.signedBytes, key) {
        case .valid: return
        case .notOnCurve:
            findings.refuse(.badVapidPublicKey, "the key of the request is no point on P-256", .documented)
        case .wrong:
            let signer = context.knownKeys().first { known in
                known.point != key && verify(signature, token.signedBytes, known.point) == .valid
            }
            let found = signer.map { "the key of \($0.name) signed it" } ?? "another key signed, or it was changed"
            findings.refuse(
                .badJwtToken, "the token's signature is not that of the key in the request: \(found)", .documented)
        }
    }
}

/// `aud` is the origin of the endpoint (`WebPush#VAPID`).
enum AudienceCheck {
    static func check(_ claim: JSONValue?, in context: WebPushContext, _ findings: inout WebPushFindings) {
        let origin = context.origin
        guard let audience = claim?.string else {
            findings.refuse(.badJwtToken, "aud is \(claim?.encodedText ?? "missing"): expected \(origin)", .inferred)
            return
        }
        func refuse(_ what: String, _ evidence: Evidence) {
            findings.refuse(.badJwtToken, "aud is \(audience)\(what): expected \(origin)", evidence)
        }
        guard let url = URLParts(audience) else { return refuse(", no URL", .documented) }
        guard url.scheme == "https" else {
            return refuse(", another scheme", url.scheme == "http" ? .observed : .documented)
        }
        if url.path.hasPrefix("/") { return refuse(", with a slash or a path after the host", .inferred) }
        guard let named = WebPushOrigin(authority: url.authority), url.path.isEmpty else {
            return refuse(", no origin", .documented)
        }
        if named == origin {
            guard let hosts = context.knownHosts, !hosts.contains(named.host) else { return }
            findings.warn(
                "aud and the request's host are \(named), which is not where this server's endpoints are: with Apple, aud "
                    + "is the origin of the subscription's endpoint")
        } else if named.host == origin.host, named.port == WebPushOrigin.defaultPort {
            // Several libraries drop the port; Apple's endpoints have none, so there the same code is right.
            findings.warn(
                "aud is \(audience) without the port of the endpoint, \(origin); Apple's endpoints have no port")
        } else {
            refuse("", .documented)
        }
    }
}

/// `exp` is to come, and within 24 hours (`WebPush#VAPID`).
enum ExpiryCheck {
    static func check(_ claim: JSONValue?, in context: WebPushContext, _ findings: inout WebPushFindings) {
        let expected = "expected seconds since 1970, at most 24 h from now"
        guard let instant = time(claim) else {
            findings.refuse(.badJwtToken, "exp is \(claim?.encodedText ?? "missing"): \(expected)", .inferred)
            return
        }
        if let text = claim?.string {
            findings.warn("exp is text, \"\(text)\": RFC 7519 §2 has a number; Apple was seen to accept it")
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

    /// The moment of a claim: a number of seconds, or its digits, that is not far beyond any date.
    static func time(_ claim: JSONValue?) -> Instant? {
        let seconds: Double? =
            switch claim {
            case .number(let number)?: number.double
            case .string(let text)? where text.utf8.allSatisfy({ (0x30...0x39).contains($0) }): Double(text)
            default: nil
            }
        return seconds.flatMap { abs($0) < 1e15 ? Instant(milliseconds: Int64($0 * 1000)) : nil }
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
