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

// The body is small enough, and encrypted in a way that a browser reads (`WebPush#Body`).
extension WebPushJudge {
    mutating func checkBodySize() {
        let limit = WebPushLimits.bodyBytesMax
        guard request.bodyByteCount > limit else { return }
        refuse(
            .payloadTooLarge,
            "the body has \(request.bodyByteCount) bytes with the header of its encoding: expected \(limit) at most",
            .inferred)
    }

    /// Reads the message in the body, of which the bytes may be unseen.
    mutating func readBody() {
        let lacksBytes = context.unseen.contains(.body)
        guard lacksBytes || !request.body.isEmpty else { return }
        guard let name = request["content-encoding"] else {
            return refuseBody("the body has no Content-Encoding: expected aes128gcm", .documented)
        }
        switch WebPushEncoding(rawValue: name.lowercased()) {
        case .aes128gcm: if !lacksBytes { readStandardBody() }
        case .aesgcm:
            readDraftBody()
            if lacksBytes { judgement.message = nil }
        case nil: refuseBody("Content-Encoding is \(name): expected aes128gcm", .inferred)
        }
    }

    /// Where the key is in a body of `aes128gcm`, behind the salt, the record size and its own length (RFC 8188 §2.1).
    private static let keyPlace =
        WebPushLimits.saltBytes + 5..<WebPushLimits.saltBytes + 5 + WebPushLimits.pointBytes

    /// Whether a body begins with the header of `aes128gcm`.
    private static func hasStandardHeader(_ body: [UInt8]) -> Bool {
        let place = keyPlace
        return body.count >= place.upperBound && Int(body[place.lowerBound - 1]) == place.count
            && body[place.lowerBound] == 0x04
    }

    private mutating func readStandardBody() {
        let body = request.body
        let start = WebPushJudge.keyPlace.lowerBound
        let end = WebPushJudge.keyPlace.upperBound
        guard WebPushJudge.hasStandardHeader(body) else {
            return refuseBody(
                "the body does not begin with the header of aes128gcm (salt, record size, and a key of 65 bytes)",
                .inferred)
        }
        let size = body[WebPushLimits.saltBytes..<start - 1].reduce(0) { $0 << 8 | Int($1) }
        let least = WebPushLimits.recordSizeMin
        guard size >= least else {
            return refuseBody("the record size is \(size): expected \(least) at least", .inferred)
        }
        judgement.message = EncryptedMessage(
            encoding: .aes128gcm, salt: Array(body[..<WebPushLimits.saltBytes]), senderKey: Array(body[start..<end]),
            recordSize: size, record: Array(body[end...]))
    }

    private mutating func readDraftBody() {
        warn("aesgcm is the draft before RFC 8188: reports differ on whether Apple still accepts it")
        let salt = parameter("salt", of: "Encryption", count: WebPushLimits.saltBytes)
        let key = parameter("dh", of: "Crypto-Key", count: WebPushLimits.pointBytes)
        guard let salt, let key else { return }
        let size = request.parameter("rs", of: "encryption").flatMap { Int($0) } ?? 4096
        judgement.message = EncryptedMessage(
            encoding: .aesgcm, salt: salt, senderKey: key, recordSize: size, record: request.body)
    }

    /// The bytes that the draft's encoding has in a field.
    private mutating func parameter(_ name: String, of field: String, count: Int) -> [UInt8]? {
        let text = request.parameter(name, of: field.lowercased())
        if let bytes = text.flatMap({ Base64.decode($0.utf8)?.bytes }), bytes.count == count { return bytes }
        refuseBody("aesgcm without \(name) in \(field): expected base64url of \(count) bytes", .inferred)
        return nil
    }

    /// Refuses the body, and says what it seems to be.
    private mutating func refuseBody(_ cause: String, _ evidence: Evidence) {
        let body = request.body
        if (try? JSONValue(parsing: body))?.object != nil {
            refuse(.badWebPushRequest, "\(cause); the body is JSON that was not encrypted", .observed)
        } else if let bytes = Base64.decode(body.filter { $0 != 0x0D && $0 != 0x0A })?.bytes,
            WebPushJudge.hasStandardHeader(bytes)
        {
            refuse(.badWebPushRequest, "\(cause); the body is base64: expected its bytes", .inferred)
        } else {
            refuse(.badWebPushRequest, cause, evidence)
        }
    }
}
