/// How a body is encrypted.
package enum WebPushEncoding: String, CaseIterable, Sendable {
    /// RFC 8188 with the keys of RFC 8291.
    case aes128gcm
    /// The draft before it, whose salt and key are in header fields.
    case aesgcm
}

/// An encrypted body with what is needed to decrypt it besides the subscription's keys (`WebPush#Body`).
package struct EncryptedMessage: Sendable, Hashable {
    package let encoding: WebPushEncoding
    /// 16 bytes.
    package let salt: [UInt8]
    /// The sender's public point, 65 bytes.
    package let senderKey: [UInt8]
    /// The length of a record, which a browser ignores, because a message is one record (RFC 8291 §4).
    package let recordSize: Int
    /// The record with its tag of 16 bytes.
    package let record: [UInt8]

    package init(
        encoding: WebPushEncoding, salt: [UInt8], senderKey: [UInt8], recordSize: Int = 4096, record: [UInt8]
    ) {
        self.encoding = encoding
        self.salt = salt
        self.senderKey = senderKey
        self.recordSize = recordSize
        self.record = record
    }

    /// The body of a request: with `aes128gcm` the header of RFC 8188 §2.1 comes first.
    package var body: [UInt8] {
        guard encoding == .aes128gcm else { return record }
        let size = UInt32(clamping: recordSize)
        let sizeBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) }
        return salt + sizeBytes + [UInt8(clamping: senderKey.count)] + senderKey + record
    }

    /// The header fields that go with ``body``.
    package var fields: [HTTPField] {
        let encoding = HTTPField("content-encoding", encoding.rawValue)
        guard self.encoding == .aesgcm else { return [encoding] }
        return [
            encoding, HTTPField("encryption", "salt=\(Base64.encode(salt, url: true))"),
            HTTPField("crypto-key", "dh=\(Base64.encode(senderKey, url: true))"),
        ]
    }
}

/// The body is small enough, and encrypted in a way that a browser reads (`WebPush#Body`).
enum WebPushBodyCheck {
    /// Bytes of the header of `aes128gcm` before the key (RFC 8188 §2.1).
    private static let headerBytes = WebPushLimits.saltBytes + 5

    static func checkSize(of request: WebPushRequest, _ findings: inout WebPushFindings) {
        let limit = WebPushLimits.bodyBytesMax
        guard request.bodyByteCount > limit else { return }
        findings.refuse(
            .payloadTooLarge,
            "the body has \(request.bodyByteCount) bytes with the header of its encoding: expected \(limit) at most",
            .inferred)
    }

    /// The message in the body; `nil` without one, if its bytes are not known, or if Apple refuses it.
    static func message(
        of request: WebPushRequest, in context: WebPushContext, _ findings: inout WebPushFindings
    ) -> EncryptedMessage? {
        let lacksBytes = context.unseen.contains(.body)
        guard lacksBytes || !request.body.isEmpty else { return nil }
        guard let name = request["content-encoding"] else {
            refuse("the body has no Content-Encoding: expected aes128gcm", of: request, .documented, &findings)
            return nil
        }
        switch WebPushEncoding(rawValue: name.lowercased()) {
        case .aes128gcm: return lacksBytes ? nil : standardMessage(of: request, &findings)
        case .aesgcm:
            let message = draftMessage(of: request, &findings)
            return lacksBytes ? nil : message
        case nil:
            refuse("Content-Encoding is \(name): expected aes128gcm", of: request, .inferred, &findings)
            return nil
        }
    }

    private static func standardMessage(
        of request: WebPushRequest, _ findings: inout WebPushFindings
    ) -> EncryptedMessage? {
        let body = request.body
        let end = headerBytes + WebPushLimits.pointBytes
        guard body.count >= end, Int(body[headerBytes - 1]) == WebPushLimits.pointBytes, body[headerBytes] == 0x04
        else {
            refuse(
                "the body does not begin with the header of aes128gcm (salt, record size, and a key of 65 bytes)",
                of: request, .inferred, &findings)
            return nil
        }
        let size = body[WebPushLimits.saltBytes..<headerBytes - 1].reduce(0) { $0 << 8 | Int($1) }
        guard size >= WebPushLimits.recordSizeMin else {
            refuse(
                "the record size is \(size): expected \(WebPushLimits.recordSizeMin) at least", of: request, .inferred,
                &findings)
            return nil
        }
        return EncryptedMessage(
            encoding: .aes128gcm, salt: Array(body[..<WebPushLimits.saltBytes]),
            senderKey: Array(body[headerBytes..<end]), recordSize: size, record: Array(body[end...]))
    }

    private static func draftMessage(
        of request: WebPushRequest, _ findings: inout WebPushFindings
    ) -> EncryptedMessage? {
        findings.warn("aesgcm is the draft before RFC 8188: reports differ on whether Apple still accepts it")
        func bytes(_ parameter: String, of name: String, count: Int) -> [UInt8]? {
            guard let text = request.parameter(parameter, of: name), let decoded = Base64.decode(text.utf8),
                decoded.bytes.count == count
            else {
                refuse(
                    "aesgcm without \(parameter) in \(name == "encryption" ? "Encryption" : "Crypto-Key"): expected "
                        + "base64url of \(count) bytes", of: request, .inferred, &findings)
                return nil
            }
            return decoded.bytes
        }
        let salt = bytes("salt", of: "encryption", count: WebPushLimits.saltBytes)
        let key = bytes("dh", of: "crypto-key", count: WebPushLimits.pointBytes)
        guard let salt, let key else { return nil }
        let size = request.parameter("rs", of: "encryption").flatMap { Int($0) } ?? 4096
        return EncryptedMessage(encoding: .aesgcm, salt: salt, senderKey: key, recordSize: size, record: request.body)
    }

    /// Refuses the body, and says what it seems to be.
    private static func refuse(
        _ cause: String, of request: WebPushRequest, _ evidence: Evidence, _ findings: inout WebPushFindings
    ) {
        let body = request.body
        if (try? JSONValue(parsing: body))?.object != nil {
            findings.refuse(.badWebPushRequest, "\(cause); the body is JSON that was not encrypted", .observed)
        } else if !body.isEmpty, body.allSatisfy({ $0.isOfBase64URL || "+/=\r\n".utf8.contains($0) }) {
            findings.refuse(.badWebPushRequest, "\(cause); the body is base64: expected its bytes", .inferred)
        } else {
            findings.refuse(.badWebPushRequest, cause, evidence)
        }
    }
}
