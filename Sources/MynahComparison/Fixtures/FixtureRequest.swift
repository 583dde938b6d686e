package import APNsRules

/// The request of a case: the difference from a good push, and how to make all of it.
package struct FixtureRequest: Sendable {
    /// The token that a case means when it names none.
    package static let defaultToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

    /// The channel that a case means when it names none.
    package static let defaultChannel = "tvI2UK0vEfEAAA6GFnjo2Q=="

    /// The app that the cases push to.
    static let defaultApp = "com.example.app"
    private static let pushFields = [(name: "apns-topic", value: defaultApp), (name: "apns-push-type", value: "alert")]
    private static let pushBody: JSONValue = ["aps": ["alert": "hi"]]

    package let method: String
    package internal(set) var path: String
    /// Whether the path is of a broadcast or of channel management, or meant to be.
    package let isAboutChannels: Bool
    package internal(set) var credential: Credential
    /// The fields without `authorization`, each with its values.
    package internal(set) var fields: [(name: String, value: String)]
    package let body: [UInt8]

    /// The credential that the request is sent with.
    package enum Credential: Sendable, Hashable {
        case none
        case raw(String)
        case token(FixtureToken)
    }

    init(_ json: JSONValue, credential: JSONValue, _ reader: FixtureReader) throws {
        try reader.allow(
            json, ["method", "path", "token", "credential", "headers", "body", "bodyText", "bodySize"], "a request")
        self.method = json["method"]?.string ?? "POST"
        self.path = json["path"]?.string ?? "/3/device/" + (json["token"]?.string ?? FixtureRequest.defaultToken)
        self.credential = try FixtureRequest.credential(json["credential"] ?? credential, reader)
        let isBroadcast = path.hasPrefix("/4/")
        self.isAboutChannels = isBroadcast || path.contains("/apps")
        var fields = isAboutChannels ? [] : FixtureRequest.pushFields.map { ($0.name, JSONValue.string($0.value)) }
        if isBroadcast {
            fields = [
                ("apns-channel-id", .string(FixtureRequest.defaultChannel)), ("apns-push-type", "liveactivity"),
                ("apns-expiration", "0"),
            ]
        }
        self.fields = try FixtureRequest.fields(json["headers"], over: fields, reader)
        let content: JSONValue =
            isBroadcast
            ? ["aps": ["timestamp": 1_767_225_600, "event": "update", "content-state": ["score": 1]]]
            : isAboutChannels
                ? ["message-storage-policy": 0, "push-type": "LiveActivity"] : FixtureRequest.pushBody
        let hasBody = !isAboutChannels || method == "POST" || method == "PUT"
        self.body = FixtureRequest.body(json, else: hasBody ? content.encoded : [])
    }

    /// The push of a case that says nothing of it but its credential.
    init(usualWith credential: Credential) {
        self.credential = credential
        method = "POST"
        path = "/3/device/" + FixtureRequest.defaultToken
        isAboutChannels = false
        fields = FixtureRequest.pushFields
        body = FixtureRequest.pushBody.encoded
    }

    private static func credential(_ json: JSONValue, _ reader: FixtureReader) throws -> Credential {
        if case .null = json { return .none }
        if let raw = json["raw"]?.string { return .raw(raw) }
        return .token(try FixtureToken(json, reader))
    }

    private static func fields(
        _ json: JSONValue?, over given: [(String, JSONValue)], _ reader: FixtureReader
    ) throws -> [(String, String)] {
        var given = given
        for member in json?.object ?? [] {
            if let index = given.firstIndex(where: { $0.0 == member.name }) {
                given[index].1 = member.value
            } else {
                given.append((member.name, member.value))
            }
        }
        return try given.flatMap { name, value -> [(String, String)] in
            switch value {
            case .null: []
            case .array(let values): try values.map { (name, try reader.string($0, name)) }
            default: [(name, try reader.string(value, name))]
            }
        }
    }

    private static func body(_ json: JSONValue, else content: [UInt8]) -> [UInt8] {
        if let text = json["bodyText"]?.string { return Array(text.utf8) }
        if let size = json["bodySize"]?.integer {
            let start = Array(#"{"aps":{"alert":""#.utf8)
            let end = Array(#""}}"#.utf8)
            return start + Array(repeating: 0x78, count: Int(size) - start.count - end.count) + end
        }
        return json["body"]?.encoded ?? content
    }

    /// The request as it comes off the wire, with this `authorization`.
    package func pushRequest(authorization: String?) -> PushRequest {
        var request = PushRequest(body: body)
        request.headers.append(":method", method)
        request.headers.append(":scheme", "https")
        request.headers.append(":path", path)
        request.headers.append(":authority", "api.sandbox.push.apple.com")
        if let authorization {
            request.headers.appendAuthorization(valueCount: authorization.utf8.count)
            request.authorization = AuthorizationValue(Array(authorization.utf8))
        }
        for field in fields {
            if field.name == "authorization" {
                request.headers.appendAuthorization(valueCount: field.value.utf8.count)
            } else {
                request.headers.append(field.name, field.value)
            }
        }
        return request
    }
}

/// How the provider token of a case is made.
package struct FixtureToken: Sendable, Hashable {
    /// Whose key signs.
    package enum Key: Sendable, Hashable {
        case known
        case unknown
        case otherTeam
        /// A credential that the case defines, by its name.
        case named(String)

        init(_ name: String) {
            switch name {
            case "known": self = .known
            case "unknown": self = .unknown
            case "other-team": self = .otherTeam
            default: self = .named(name)
            }
        }
    }

    package private(set) var age: Duration = .zero
    package private(set) var key = Key.known
    package private(set) var signature = "raw"
    package private(set) var algorithm = "ES256"
    package private(set) var iat = "integer"
    package private(set) var base64 = "url"
    package private(set) var scheme = "bearer"
    package private(set) var claims: [JSONMember] = []
    package private(set) var header: [JSONMember] = []
    package private(set) var kid: String?
    package private(set) var iss: String?
    package private(set) var hasNewlines = false
    package private(set) var variant: Int64 = 1

    /// The token of a request that says nothing of it: good in every respect.
    package init() {}

    init(_ json: JSONValue, _ reader: FixtureReader) throws {
        try reader.allow(
            json,
            [
                "age", "key", "signature", "algorithm", "iat", "base64", "scheme", "claims", "header", "kid", "iss",
                "newlines", "variant",
            ], "a credential")
        if let age = json["age"]?.string { self.age = try reader.seconds(age) }
        if let key = json["key"]?.string { self.key = Key(key) }
        signature = json["signature"]?.string ?? signature
        algorithm = json["algorithm"]?.string ?? algorithm
        iat = json["iat"]?.string ?? iat
        base64 = json["base64"]?.string ?? base64
        scheme = json["scheme"]?.string ?? scheme
        claims = json["claims"]?.object ?? []
        header = json["header"]?.object ?? []
        kid = json["kid"]?.string
        iss = json["iss"]?.string
        hasNewlines = json["newlines"]?.bool ?? hasNewlines
        variant = json["variant"]?.integer ?? variant
    }

    /// Writes the token: scheme, header, claims, signature.
    ///
    /// `sign` makes r and s, 32 bytes each, over the bytes with SHA-256 or, when its second argument says so,
    /// SHA-512.
    package func authorization(
        keyID: String, team: String, at now: Instant, sign: ([UInt8], Bool) throws -> [UInt8]
    ) rethrows -> String {
        let issuedAt = now.advanced(by: .zero - age).milliseconds / 1000
        var header: [JSONMember] = [
            JSONMember("alg", .string(algorithm)), JSONMember("kid", .string(kid ?? keyID)),
        ]
        header += self.header
        var claims = [JSONMember("iss", .string(iss ?? team))]
        switch iat {
        case "float": claims.append(JSONMember("iat", .raw(Array("\(issuedAt).25".utf8))))
        case "string": claims.append(JSONMember("iat", .string(String(issuedAt))))
        case "missing": break
        default: claims.append(JSONMember("iat", .number(JSONNumber(issuedAt))))
        }
        claims += self.claims
        let signed = encoded(text(.object(header))) + "." + encoded(text(.object(claims)))
        return "\(scheme) \(signed).\(encoded(try signatureBytes(Array(signed.utf8), sign)))"
    }

    private func text(_ object: JSONValue) -> [UInt8] {
        var text = object.encoded
        if hasNewlines { text.insert(0x0A, at: 1) }
        // White space is how one token's bytes differ from another's without a further claim.
        return text + Array(repeating: 0x20, count: Int(variant) - 1)
    }

    private func encoded(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes, url: base64 == "url")
    }

    private func signatureBytes(_ bytes: [UInt8], _ sign: ([UInt8], Bool) throws -> [UInt8]) rethrows -> [UInt8] {
        switch algorithm {
        case "none": return []
        case "HS256": return Array(repeating: 7, count: 32)
        default: break
        }
        let raw = try sign(signature == "bad" ? bytes + [0x21] : bytes, algorithm == "ES512")
        if signature == "der" { return FixtureToken.der(raw) }
        guard algorithm == "ES512" else { return raw }
        let zeros = [UInt8](repeating: 0, count: 34)
        return zeros + raw.prefix(32) + zeros + raw.suffix(32)
    }

    private static func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ digits: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(digits.drop { $0 == 0 })
            if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        let content = integer(raw.prefix(32)) + integer(raw.suffix(32))
        return [0x30, UInt8(content.count)] + content
    }
}
