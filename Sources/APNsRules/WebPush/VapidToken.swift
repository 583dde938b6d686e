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

extension WebPushJudge {
    /// A token has three parts, is signed by its key, and its claims are as they should be (`WebPush#VAPID`).
    mutating func readToken(_ text: String, of key: [UInt8]?) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            let found = "the token has \(parts.count) part\(parts.count == 1 ? "" : "s")"
            return refuse(.badJwtToken, "\(found): expected header, claims and signature", .documented)
        }
        let token = VapidToken(
            header: readObject(parts[0], "the token's header"), claims: readObject(parts[1], "the token's claims"),
            signedBytes: Array(text.utf8.dropLast(parts[2].utf8.count + 1)),
            signature: readBytes(parts[2], "the signature"))
        judgement.token = token
        checkHeader(token.header)
        checkSignature(of: token, key: key)
        guard let claims = token.claims else { return }
        checkAudience(claims["aud"])
        checkExpiry(claims["exp"])
        checkSubject(claims["sub"])
        if let key, !judgement.findings.refuseCredential, let expiry = WebPushJudge.time(claims["exp"]) {
            recordUse(of: text, until: expiry, by: key)
        }
    }

    /// The bytes of a part, also of one that is base64 of another kind.
    private mutating func readBytes(_ part: Substring, _ name: String) -> [UInt8]? {
        let decoded = Base64.decode(part.utf8)
        if decoded?.isStandard != false { refuse(.badJwtToken, "\(name) is not base64url", .documented) }
        return decoded?.bytes
    }

    private mutating func readObject(_ part: Substring, _ name: String) -> JSONValue? {
        guard let bytes = readBytes(part, name) else { return nil }
        do throws(JSONError) {
            let value = try JSONValue(parsing: bytes)
            if value.object != nil { return value }
            refuse(.badJwtToken, "\(name) is \(value.kind): expected an object", .documented)
        } catch {
            refuse(.badJwtToken, "\(name) is \(error)", .documented)
        }
        return nil
    }

    private mutating func checkHeader(_ header: JSONValue?) {
        guard let header else { return }
        let algorithm = header["alg"]?.string
        if algorithm != "ES256" {
            refuse(
                .badJwtToken, "alg is \(algorithm.map(WebPushJudge.shown) ?? "missing or no text"): expected ES256",
                .inferred)
        }
        // Extensions that have to be understood (RFC 7515 §4.1.11).
        if header["crit"] != nil {
            refuse(.badJwtToken, "the header has crit: expected no extensions", .inferred)
        }
    }

    /// Checks a token's signature; without the key, only the signature's form.
    private mutating func checkSignature(of token: VapidToken, key: [UInt8]?) {
        guard let signature = token.signature else { return }
        let expected = "expected r and s, 32 bytes each"
        if signature.isEmpty {
            guard !context.unseen.contains(.signature) else { return }
            return refuse(
                .badJwtToken, "the token's signature was left out, as Mynah's journal does: \(expected)", .inferred)
        }
        guard signature.count == 64 else {
            let found = DERSignature.rawSignature(signature) == nil ? "" : ", which are DER"
            return refuse(
                .badJwtToken, "the signature has \(signature.count) bytes\(found): \(expected)", .inferred)
        }
        guard let key else { return }
        switch verify(signature, token.signedBytes, key) {
        case .valid: return
        case .notOnCurve: refuse(.badVapidPublicKey, "the key of the request is no point on P-256", .documented)
        case .wrong:
            let signer = context.knownKeys().first { known in
                known.point != key && verify(signature, token.signedBytes, known.point) == .valid
            }
            let found = signer.map { "the key of \($0.name) signed it" } ?? "another key signed, or it was changed"
            refuse(.badJwtToken, "the token's signature is not that of the key in the request: \(found)", .documented)
        }
    }

    /// `aud` is the origin of the endpoint.
    private mutating func checkAudience(_ claim: JSONValue?) {
        let origin = context.origin
        guard let audience = claim?.string else {
            let found = claim?.encodedText ?? "missing"
            return self.refuse(.badJwtToken, "aud is \(found): expected \(origin)", .inferred)
        }
        func refuse(_ what: String, _ evidence: Evidence) {
            self.refuse(.badJwtToken, "aud is \(WebPushJudge.shown(audience))\(what): expected \(origin)", evidence)
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
            warn(
                "aud and the request's host are \(named), which is not where this server's endpoints are: with Apple, aud "
                    + "is the origin of the subscription's endpoint")
        } else if named.host == origin.host, named.port == WebPushOrigin.defaultPort {
            // Several libraries drop the port; Apple's endpoints have none, so there the same code is right.
            warn(
                "aud is \(WebPushJudge.shown(audience)) without the port of the endpoint, \(origin); Apple's endpoints have no port"
            )
        } else {
            refuse("", .documented)
        }
    }

    /// `exp` is to come, and within 24 hours.
    private mutating func checkExpiry(_ claim: JSONValue?) {
        let expected = "expected seconds since 1970, at most 24 h from now"
        guard let instant = WebPushJudge.time(claim) else {
            return refuse(.badJwtToken, "exp is \(claim?.encodedText ?? "missing"): \(expected)", .inferred)
        }
        if let text = claim?.string {
            warn("exp is text, \"\(text)\": RFC 7519 §2 has a number; Apple was seen to accept it")
        }
        let now = context.now.rfc3339
        if WebPushJudge.yearsOfMilliseconds.contains(instant) {
            let meant = Instant(milliseconds: instant.milliseconds / 1000).rfc3339
            refuse(
                .badJwtToken,
                "exp is \(claim?.encodedText ?? ""), which looks like milliseconds (\(meant)): \(expected)",
                .documented)
        } else if instant <= context.now {
            refuse(.badJwtToken, "exp is \(instant.rfc3339), and now is \(now): \(expected)", .inferred)
        } else if instant.since(context.now) > WebPushLimits.tokenLifetimeMax + WebPushLimits.tokenSkewMax {
            refuse(.badJwtToken, "exp is \(instant.rfc3339), more than 24 h after \(now): \(expected)", .documented)
        }
    }

    /// What a time from September 2001 to 2286 is if its milliseconds are taken for seconds.
    private static let yearsOfMilliseconds = Instant(seconds: 1_000_000_000_000)..<Instant(seconds: 10_000_000_000_000)

    /// The moment of a claim: a number of seconds, or its digits, that is not far beyond any date.
    private static func time(_ claim: JSONValue?) -> Instant? {
        let seconds: Double? =
            switch claim {
            case .number(let number)?: number.double
            case .string(let text)? where text.utf8.allSatisfy(\.isASCIIDigit): Double(text)
            default: nil
            }
        return seconds.flatMap { abs($0) < 1e15 ? Instant(milliseconds: Int64($0 * 1000)) : nil }
    }

    /// Records the token that a key uses, and warns if the key changed its token within an hour, unless the last one
    /// expires: Apple advises against that, but refuses nothing.
    private mutating func recordUse(of token: String, until expiry: Instant, by key: [UInt8]) {
        let use = VapidTokenUse(token, since: context.now, expiresAt: expiry)
        let last = context.lastToken(key)
        judgement.tokenUse = last?.signed == use.signed ? last : use
        guard let last, last.signed != use.signed else { return }
        let age = context.now.since(last.since)
        let rest = last.expiresAt.since(context.now)
        guard age < WebPushLimits.tokenUseMin, rest > WebPushLimits.tokenUseMin else { return }
        warn(
            "the last token was first used \(age.components.seconds) s ago, and this is a new one: Apple advises to "
                + "make one an hour at most")
    }
}
