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

    /// Whether the token or its key may be in fields that nobody has seen.
    static func mayLackFields(_ request: WebPushRequest, in context: WebPushContext) -> Bool {
        let isOfDrafts = request["authorization"]?.lowercased().hasPrefix("\(Form.webPush.rawValue) ") == true
        return context.mayHaveUnseen("authorization", of: request)
            || isOfDrafts && context.mayHaveUnseen("crypto-key", of: request)
    }

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
        let space = value.firstIndex { $0 == " " || $0 == "\t" } ?? value.endIndex
        let scheme = value[..<space]
        let rest = value[space...].trimmingBlanks
        guard let form = Form(rawValue: scheme.lowercased()) else {
            findings.refuse(
                .badAuthorizationHeader, "the scheme of Authorization is \(scheme): expected vapid", .inferred)
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

    /// The value of `Authorization` as it is kept: a token's signature is left out.
    package static func withoutSignature(_ value: String) -> String {
        let parts = value.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return value }
        return parts[0] + "." + parts[1] + "." + parts[2].drop { $0.asciiValue?.isOfBase64URL ?? false }
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
