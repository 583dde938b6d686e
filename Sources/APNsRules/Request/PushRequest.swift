/// One request as it was received, before any check.
package struct PushRequest: Sendable {
    /// The fields, pseudo-headers first, without trailers.
    package var headers: HeaderBlock
    package var authorization: AuthorizationValue?
    /// The body, at most ``bodyBytesMax(_:)`` bytes of it.
    package var body: [UInt8]
    /// The size of a body that exceeds its limit: its `content-length` or, if more, the bytes received when it exceeded
    /// the limit; `nil` if ``body`` is complete.
    package var excessiveBodyByteCount: Int?

    package init(headers: HeaderBlock = HeaderBlock(), authorization: AuthorizationValue? = nil, body: [UInt8] = []) {
        self.headers = headers
        self.authorization = authorization
        self.body = body
    }

    /// The fields and the body in one piece.
    package var joined: [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(headers.byteCount + body.count)
        joined.append(contentsOf: headers.storage[..<headers.byteCount])
        joined.append(contentsOf: body)
        return joined
    }

    /// Whether the method is HEAD, the answer to which has no content (RFC 9110 §9.3.2).
    package var isHead: Bool {
        guard let method = RequestFields(headers)[.method] else { return false }
        return headers.storage.span.extracting(method).equals("HEAD")
    }

    /// Records that the body exceeded its limit when `received` bytes had arrived.
    package mutating func exceedLimit(received: Int) {
        let declared = RequestFields(headers)[.contentLength].flatMap { Int(headers.text($0)) } ?? 0
        excessiveBodyByteCount = max(received, declared)
    }

    /// The most bytes of a body that are kept: more than the usual for the VoIP topic, unless the push type is another.
    ///
    /// A broadcast may have more than the usual too.
    ///
    /// A request without a topic may go to the topic of a certificate, which its fields don't name; then it is the
    /// limit of VoIP, and `PayloadCheck` judges by that topic.
    package static func bodyBytesMax(_ headers: borrowing HeaderBlock) -> Int {
        let fields = RequestFields(headers)
        let bytes = headers.storage.span
        if let path = fields[.path], ChannelPath(bytes.extracting(path))?.resource == .broadcasts {
            return Limits.broadcastPayloadBytesMax
        }
        if let type = fields[.apnsPushType], PushType(bytes.extracting(type)) != .voip {
            return Limits.payloadBytesMax
        }
        guard let topic = fields[.apnsTopic] else { return Limits.voipPayloadBytesMax }
        return Topic.suffixedPushType(of: bytes.extracting(topic))?.payloadBytesMax ?? Limits.payloadBytesMax
    }
}
