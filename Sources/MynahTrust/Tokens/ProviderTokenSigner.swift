package import APNsRules

/// Makes provider tokens: compact JWS (RFC 7515 §7.1), ES256 (`ProviderAPI#Token-format`).
package struct ProviderTokenSigner: Sendable {
    /// Variations of Apple's form that widespread libraries send (`ProviderAPI#Token-format`).
    package struct Form: OptionSet, Sendable, Hashable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The signature as DER, as Apple's shell recipe makes it.
        package static let derSignature = Form(rawValue: 1 << 0)
        /// `alg` ES512: SHA-512, r and s padded with zeros to 66 bytes each (pushok).
        package static let es512 = Form(rawValue: 1 << 1)
        /// Standard base64 with padding in all three parts (dotAPNS, CorePush).
        package static let standardBase64 = Form(rawValue: 1 << 2)
        /// `iat` with a fraction (PyAPNs2).
        package static let fractionalIssuedAt = Form(rawValue: 1 << 3)
        /// `iat` as a string (APNSwift, kalyke).
        package static let issuedAtString = Form(rawValue: 1 << 4)
        /// An additional header field and claim.
        package static let furtherMembers = Form(rawValue: 1 << 5)
        /// Newlines and spaces in header and claims.
        package static let newlines = Form(rawValue: 1 << 6)
    }

    private let key: SigningKey
    private let privateKey: P256PrivateKey

    /// - Throws: ``TrustError`` if the key has no private half.
    package init(key: SigningKey) throws(TrustError) {
        guard let privateKey = key.privateKey else {
            throw TrustError(
                .badSetting, "the private half of key \(key.keyID) is unknown, so it can't sign",
                remedy: "Give its .p8 file")
        }
        self.key = key
        self.privateKey = privateKey
    }

    /// Makes a token issued at `issuedAt`, cut to the second, without the word `bearer`.
    package func token(issuedAt: Instant, form: Form = []) throws(TrustError) -> String {
        let isES512 = form.contains(.es512)
        var header: [JSONMember] = [
            JSONMember("alg", .string(isES512 ? "ES512" : "ES256")), JSONMember("kid", .string(key.keyID)),
        ]
        var claims: [JSONMember] = [
            JSONMember("iss", .string(key.team)), JSONMember("iat", ProviderTokenSigner.seconds(issuedAt, form)),
        ]
        if form.contains(.furtherMembers) {
            header.append(JSONMember("cty", "JWT"))
            claims.append(JSONMember("jti", "1"))
        }
        let signed = encode(text(header, form), form) + "." + encode(text(claims, form), form)
        do {
            return signed + "." + encode(try signature(of: Array(signed.utf8), form), form)
        } catch {
            throw TrustError(error)
        }
    }

    private static func seconds(_ instant: Instant, _ form: Form) -> JSONValue {
        let seconds = instant.milliseconds / 1000
        if form.contains(.issuedAtString) { return .string(String(seconds)) }
        if form.contains(.fractionalIssuedAt) { return .raw(Array("\(seconds).0".utf8)) }
        return .number(JSONNumber(seconds))
    }

    private func text(_ members: [JSONMember], _ form: Form) -> [UInt8] {
        guard form.contains(.newlines) else { return JSONValue.object(members).encoded }
        let lines = members.map { "  " + JSONValue.string($0.name).encodedText + ": " + $0.value.encodedText }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}".utf8)
    }

    private func encode(_ bytes: [UInt8], _ form: Form) -> String {
        Base64.encode(bytes, url: !form.contains(.standardBase64))
    }

    private func signature(of message: [UInt8], _ form: Form) throws(OpenSSLError) -> [UInt8] {
        let isES512 = form.contains(.es512)
        let raw = try privateKey.signature(of: message, hash: isES512 ? .sha512 : .sha256)
        if form.contains(.derSignature) { return try ECDSASignature.der(raw: raw) }
        guard isES512 else { return raw }
        let padding = [UInt8](repeating: 0, count: 66 - 32)
        return padding + raw.prefix(32) + padding + raw.suffix(32)
    }
}
