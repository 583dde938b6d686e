/// A VAPID token and the key that is to have signed it, as a request names them (`WebPush#VAPID`).
package struct VapidCredential: Sendable, Hashable {
    /// How a request carries the token and the key.
    enum Form: String {
        /// `Authorization: vapid t=…, k=…` (RFC 8292 §3).
        case vapid
        /// `Authorization: WebPush …` and `Crypto-Key: p256ecdsa=…`, as in the drafts before it.
        case webPush = "webpush"
    }

    /// The JSON Web Token.
    package let token: String
    /// The application server key, an uncompressed point of 65 bytes; `nil` if it is missing or malformed.
    package let key: [UInt8]?

    static func scheme(of value: String) -> Substring { value.prefix { $0 != " " && $0 != "\t" } }

    /// The token and the key in a value of `Authorization`.
    static func parts(of value: String, _ form: Form) -> (token: String?, key: String?) {
        let rest = value[scheme(of: value).endIndex...].trimmingBlanks
        guard form == .vapid else { return (String(rest), nil) }
        let parameters = WebPushRequest.parameters(rest, separators: ",")
        return (parameters["t"], parameters["k"])
    }

    /// The value of `Authorization` as it is kept (`Documents#Pushes`): the scheme, the token without its signature and
    /// the public key, if they are that; of another scheme what ``Secrets`` shows.
    package static func withoutSignature(_ value: String) -> String {
        let scheme = scheme(of: value)
        guard let form = Form(rawValue: scheme.lowercased()) else {
            return AuthorizationValue(Array(value.utf8)).withoutSignature
        }
        let (token, key) = parts(of: value, form)
        let parts = token?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        let isSigned = parts.count > 2 && parts[..<2].allSatisfy { $0.utf8.allSatisfy(\.isOfBase64URL) }
        let shownToken = isSigned ? "\(parts[0]).\(parts[1])." : nil
        // A value that isn't a public key could be a private one.
        let shownKey = key.flatMap { if case .bytes = P256Point($0) { "k=\($0)" } else { nil } }
        let shown = [form == .vapid ? shownToken.map { "t=\($0)" } : shownToken, shownKey].compactMap(\.self)
        return ([String(scheme)] + (shown.isEmpty ? [] : [shown.joined(separator: ", ")])).joined(separator: " ")
    }
}

extension WebPushJudge {
    /// `Authorization` has a token and, with `Crypto-Key`, the key that is to have signed it (`WebPush#VAPID`).
    mutating func readCredential() {
        func refuse(_ found: String, _ expected: String = "`vapid t=<token>, k=<key>`") {
            self.refuse(.badAuthorizationHeader, "\(found): expected \(expected)", .inferred)
        }
        guard let value = request["authorization"] else { return refuse("no Authorization header") }
        guard !value.isEmpty else { return refuse("Authorization is empty") }
        let scheme = VapidCredential.scheme(of: value)
        guard let form = VapidCredential.Form(rawValue: scheme.lowercased()) else {
            // What has no scheme that is known may be a secret.
            let isKnown = !scheme.isEmpty && Secrets.isScheme(scheme)
            let found = isKnown ? "the scheme of Authorization is \(scheme)" : "Authorization has no known scheme"
            return refuse(found, "vapid")
        }
        let (token, key) = VapidCredential.parts(of: value, form)
        guard let token, !token.isEmpty else { return refuse("Authorization has no token") }
        let point = form == .vapid ? readKey(key, of: token) : readDraftKey()
        judgement.credential = VapidCredential(token: token, key: point)
        readToken(token, of: point)
    }

    private mutating func readKey(_ text: String?, of token: String) -> [UInt8]? {
        let isJoined = text == nil && token.contains(";")
        return readPoint(
            text, "k of Authorization" + (isJoined ? ", whose parts are joined by a semicolon and not a comma," : ""))
    }

    private mutating func readDraftKey() -> [UInt8]? {
        readPoint(request.parameter("p256ecdsa", of: "crypto-key"), "p256ecdsa of Crypto-Key")
    }

    private mutating func readPoint(_ text: String?, _ place: String) -> [UInt8]? {
        let point = text.flatMap { $0.isEmpty ? nil : P256Point(base64URL: $0) } ?? .problem("is missing")
        switch point {
        case .bytes(let bytes): return bytes
        case .problem(let problem):
            refuse(.badVapidPublicKey, "\(place) \(problem): expected \(P256Point.expected)", .documented)
            return nil
        }
    }
}
