package import APNsRules

extension WebPushSubscription {
    /// Decrypts a message as a browser does (RFC 8291 §3, RFC 8188 §2).
    ///
    /// - Parameter others: Other subscriptions, whose keys are tried after this one's to find the cause; each takes
    ///   about 200 µs.
    /// - Throws: ``TrustError`` with the cause for which a browser drops the message (`WebPush#Decryption`); the sender
    ///   has its 201.
    package func decrypt(
        _ message: EncryptedMessage, others: [(name: String, subscription: WebPushSubscription)] = []
    ) throws(TrustError) -> [UInt8] {
        let overhead = MessageKeys.tagBytes + (message.encoding == .aes128gcm ? 1 : 2)
        guard message.record.count >= overhead else {
            throw .malformed(
                "the encrypted part has \(message.record.count) bytes: expected \(overhead) at least, padding and tag")
        }
        if let text = try opened(message, record: message.record) {
            return try WebPushSubscription.withoutPadding(text, message.encoding)
        }
        if message.record.count > message.recordSize,
            try opened(message, record: Array(message.record.prefix(message.recordSize))) != nil
        {
            throw .malformed("it has more than one record: expected one, whose size is not less than the message's")
        }
        let encoded = Array(Base64.encode(authenticationSecret, url: true).utf8)
        var trials = [
            (with(secret: encoded), "with the text of auth: expected its 16 bytes, decoded from base64url")
        ]
        for (name, other) in others where other != self {
            let withItsKey = other.with(secret: authenticationSecret)
            let withItsSecret = with(secret: other.authenticationSecret)
            trials.append((other, "for \(name): p256dh and auth are those of that subscription"))
            trials.append((withItsKey, "with the p256dh of \(name), and the auth of this subscription"))
            trials.append((withItsSecret, "with the auth of \(name), and the p256dh of this subscription"))
        }
        for (keys, how) in trials where try keys.opens(message) {
            throw TrustError(.mismatch, "it was encrypted \(how)")
        }
        throw TrustError(
            .unknownKeys,
            "no known keys decrypt it: p256dh or auth is that of an older subscription or of another server, or the "
                + "message was changed")
    }

    private func with(secret: [UInt8]) -> WebPushSubscription {
        WebPushSubscription(
            segment: segment, privateNumber: privateNumber, publicKey: publicKey, authenticationSecret: secret)
    }

    private func opens(_ message: EncryptedMessage) throws(TrustError) -> Bool {
        try opened(message, record: message.record) != nil
    }

    private func opened(
        _ message: EncryptedMessage, record: [UInt8]
    ) throws(TrustError) -> [UInt8]? {
        // A public key that is on the curve is read; any other failure is not the sender's.
        let sender = try attempt(PKey.point(message.senderKey)) { _ in
            TrustError.malformed("the sender's key in the message is no point on P-256")
        }
        do throws(TrustError) {
            let agreed = try PKey.pkcs8(P256PrivateKey.document(number: privateNumber, point: publicKey))
                .agree(with: sender)
            let keys = try MessageKeys(
                agreed: agreed, receiver: publicKey, sender: message.senderKey,
                authenticationSecret: authenticationSecret, salt: message.salt, encoding: message.encoding)
            return try keys.open(record)
        } catch {
            throw TrustError(.cryptography, "\(error)")
        }
    }

    private static func withoutPadding(
        _ text: [UInt8], _ encoding: WebPushEncoding
    ) throws(TrustError) -> [UInt8] {
        switch encoding {
        case .aes128gcm:
            let end = text.lastIndex { $0 != 0 }
            guard let end else { throw .malformed("the padding has no delimiter: expected a byte 2 after the text") }
            guard text[end] == 2 else {
                throw .malformed(
                    "the delimiter before the padding is \(text[end]): expected 2, that of the last record")
            }
            return Array(text[..<end])
        case .aesgcm:
            let count = Int(text[0]) << 8 | Int(text[1])
            guard text.count >= count + 2, text[2..<count + 2].allSatisfy({ $0 == 0 }) else {
                throw .malformed("the message does not begin with its padding, a length in two bytes and as many zeros")
            }
            return Array(text[(count + 2)...])
        }
    }
}

extension EncryptedMessage {
    /// Encrypts a text for a subscription by its public half, with a key pair and a salt of its own.
    package init(
        encrypting text: [UInt8], publicKey: [UInt8], authenticationSecret: [UInt8],
        encoding: WebPushEncoding = .aes128gcm
    ) throws(TrustError) {
        let sender = try PKey.generate()
        try self.init(
            encrypting: text, publicKey: publicKey, authenticationSecret: authenticationSecret, encoding: encoding,
            sender: sender, salt: randomBytes(WebPushLimits.saltBytes))
    }

    /// Encrypts with the given key pair and salt.
    init(
        encrypting text: [UInt8], publicKey: [UInt8], authenticationSecret: [UInt8], encoding: WebPushEncoding,
        sender: borrowing PKey, salt: [UInt8]
    ) throws(TrustError) {
        let senderKey = try sender.point()
        let keys = try MessageKeys(
            agreed: sender.agree(with: PKey.point(publicKey)), receiver: publicKey, sender: senderKey,
            authenticationSecret: authenticationSecret, salt: salt, encoding: encoding)
        let record = try keys.seal(encoding == .aes128gcm ? text + [2] : [0, 0] + text)
        self.init(encoding: encoding, salt: salt, senderKey: senderKey, record: record)
    }
}

extension P256PrivateKey {
    /// The value of `Authorization` that names this key as the sender's (RFC 8292 §3).
    package func vapidAuthorization(
        audience: WebPushOrigin, expiresAt: Instant, subject: String
    ) throws(TrustError) -> String {
        let claims: JSONValue = [
            "aud": .string("\(audience)"), "exp": .number(JSONNumber(expiresAt.milliseconds / 1000)),
            "sub": .string(subject),
        ]
        let token = try webToken(header: ["typ": "JWT", "alg": "ES256"], claims: claims)
        return "vapid t=\(token), k=\(Base64.encode(publicKey.point, url: true))"
    }
}
