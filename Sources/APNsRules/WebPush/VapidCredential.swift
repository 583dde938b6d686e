/// A VAPID token and the key that is to have signed it, as a request names them (`WebPush#VAPID`).
package struct VapidCredential: Sendable, Hashable {
    /// How a request carries them.
    package enum Form: String, Sendable {
        /// `Authorization: vapid t=…, k=…` (RFC 8292 §3).
        case vapid
        /// `Authorization: WebPush …` and `Crypto-Key: p256ecdsa=…`, as in the drafts before it.
        case webPush = "webpush"
    }

    package let form: Form
    /// The JSON Web Token.
    package let token: String
    /// The application server key, an uncompressed point of 65 bytes; `nil` if it is missing or malformed.
    package let key: [UInt8]?

    /// Reads the credential; `nil` if there is no token.
    init?(of request: WebPushRequest, _ findings: inout WebPushFindings) {
        guard let value = request["authorization"] else {
            findings.refuse(
                .badAuthorizationHeader, "no Authorization header: expected `vapid t=<token>, k=<key>`", .inferred)
            return nil
        }
        guard !value.isEmpty else {
            findings.refuse(
                .badAuthorizationHeader, "Authorization is empty: expected `vapid t=<token>, k=<key>`", .inferred)
            return nil
        }
        let scheme = VapidCredential.scheme(of: value)
        let rest = value[scheme.endIndex...].trimmingBlanks
        guard let form = Form(rawValue: scheme.lowercased()) else {
            // What has no scheme that is known may be a secret.
            let isKnown = !scheme.isEmpty && Secrets.isScheme(scheme)
            let found = isKnown ? "the scheme of Authorization is \(scheme)" : "Authorization has no known scheme"
            findings.refuse(.badAuthorizationHeader, "\(found): expected vapid", .inferred)
            return nil
        }
        let parameters = WebPushRequest.parameters(rest, separators: ",")
        let token = form == .vapid ? parameters["t"] : String(rest)
        guard let token, !token.isEmpty else {
            findings.refuse(
                .badAuthorizationHeader, "Authorization has no token: expected `vapid t=<token>, k=<key>`", .inferred)
            return nil
        }
        self.form = form
        self.token = token
        let isJoinedBySemicolon = form == .vapid && parameters["k"] == nil && token.contains(";")
        let place = form == .webPush ? "p256ecdsa of Crypto-Key" : "k of Authorization"
        let key = form == .vapid ? parameters["k"] : request.parameter("p256ecdsa", of: "crypto-key")
        let parts = isJoinedBySemicolon ? ", whose parts are joined by a semicolon and not a comma," : ""
        self.key = VapidCredential.point(key, place + parts, &findings)
    }

    private static func scheme(of value: String) -> Substring { value.prefix { $0 != " " && $0 != "\t" } }

    /// The value of `Authorization` as it is kept (`Documents#Pushes`): the scheme, the token without its signature and
    /// the public key; of another scheme what ``Secrets`` shows.
    package static func withoutSignature(_ value: String) -> String {
        let scheme = scheme(of: value)
        guard Form(rawValue: scheme.lowercased()) != nil else {
            return AuthorizationValue(Array(value.utf8)).withoutSignature
        }
        let parts = value[scheme.endIndex...].split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }
        return parts.reduce(String(scheme)) { kept, part in
            kept + shown(part) + (part.endIndex < value.endIndex ? String(value[part.endIndex]) : "")
        }
    }

    /// What is kept of a parameter, or of a token without a name.
    private static func shown(_ part: Substring) -> Substring {
        let name = part.prefix { $0 != "=" }
        // Behind a token, it is padding.
        let isNamed = name.endIndex < part.endIndex && !name.contains(".")
        guard isNamed else { return part[..<shownEnd(ofToken: part)] }
        let value = part[part.index(after: name.endIndex)...]
        return switch name.trimmingBlanks.lowercased() {
        case "t": part[..<shownEnd(ofToken: value)]
        case "k": mayBePrivate(value) ? part[..<value.startIndex] : part
        default: part[..<part.startIndex]
        }
    }

    /// The end of header and claims, and of the period behind them; the beginning of the token if it has no three parts.
    private static func shownEnd(ofToken text: Substring) -> Substring.Index {
        let token = text.drop { $0 == " " || $0 == "\t" || $0 == "\"" }
        let parts = token.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        let isSigned =
            parts.count == 3 && parts[..<2].allSatisfy { $0.allSatisfy { $0.asciiValue?.isOfBase64URL == true } }
        return isSigned ? parts[2].startIndex : token.startIndex
    }

    /// Whether what is given as the public key could be a private one: a scalar of 32 bytes, DER other than that of a
    /// public key (RFC 5480 §2), or a text as of PEM.
    private static func mayBePrivate(_ value: Substring) -> Bool {
        let privateKeyBytes = 32
        let privateKeyDigits = 43
        let publicKeyBytesInDER = 91
        let text = value.trimmingBlanks.drop { $0 == "\"" }.prefix { $0 != "\"" }
        guard let bytes = Base64.decode(text.utf8)?.bytes else { return text.count >= privateKeyDigits }
        return bytes.count == privateKeyBytes || bytes.first == 0x30 && bytes.count != publicKeyBytesInDER
    }

    private static func point(_ text: String?, _ place: String, _ findings: inout WebPushFindings) -> [UInt8]? {
        let expected = "base64url of the 65 bytes of an uncompressed point on P-256 was expected"
        guard let text, !text.isEmpty else {
            findings.refuse(.badVapidPublicKey, "\(place) is missing; \(expected)", .documented)
            return nil
        }
        guard let decoded = Base64.decode(text.utf8), !decoded.isStandard else {
            findings.refuse(.badVapidPublicKey, "\(place) is not base64url; \(expected)", .documented)
            return nil
        }
        guard decoded.bytes.count == WebPushLimits.pointBytes, decoded.bytes[0] == 0x04 else {
            let found =
                switch decoded.bytes.first {
                case 0x02, 0x03: "a compressed point"
                case 0x30: "DER"
                default: "\(decoded.bytes.count) bytes"
                }
            findings.refuse(.badVapidPublicKey, "\(place) is \(found); \(expected)", .documented)
            return nil
        }
        return decoded.bytes
    }
}
