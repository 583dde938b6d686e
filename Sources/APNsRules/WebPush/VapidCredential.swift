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
        guard let form = Form(rawValue: scheme.lowercased()) else {
            // What has no scheme that is known may be a secret.
            let isKnown = !scheme.isEmpty && Secrets.isScheme(scheme)
            let found = isKnown ? "the scheme of Authorization is \(scheme)" : "Authorization has no known scheme"
            findings.refuse(.badAuthorizationHeader, "\(found): expected vapid", .inferred)
            return nil
        }
        let (token, key) = VapidCredential.parts(of: value, form)
        guard let token, !token.isEmpty else {
            findings.refuse(
                .badAuthorizationHeader, "Authorization has no token: expected `vapid t=<token>, k=<key>`", .inferred)
            return nil
        }
        self.form = form
        self.token = token
        let isJoinedBySemicolon = form == .vapid && key == nil && token.contains(";")
        let place =
            form == .webPush
            ? "p256ecdsa of Crypto-Key"
            : "k of Authorization"
                + (isJoinedBySemicolon ? ", whose parts are joined by a semicolon and not a comma," : "")
        let named = form == .vapid ? key : request.parameter("p256ecdsa", of: "crypto-key")
        do throws(P256Point.Fault) {
            guard let named, !named.isEmpty else { throw P256Point.Fault("is missing") }
            self.key = try P256Point.read(named, isURL: true)
        } catch {
            self.key = nil
            findings.refuse(
                .badVapidPublicKey, "\(place) \(error.problem); \(P256Point.expected) was expected", .documented)
        }
    }

    private static func scheme(of value: String) -> Substring { value.prefix { $0 != " " && $0 != "\t" } }

    /// The token and the key in a value of `Authorization`.
    private static func parts(of value: String, _ form: Form) -> (token: String?, key: String?) {
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
        // Another value could be a private key.
        let shownKey = key.flatMap { (try? P256Point.read($0)) == nil ? nil : "k=\($0)" }
        let shown = [form == .vapid ? shownToken.map { "t=\($0)" } : shownToken, shownKey].compactMap(\.self)
        return ([String(scheme)] + (shown.isEmpty ? [] : [shown.joined(separator: ", ")])).joined(separator: " ")
    }
}
