/// One request as it was received, before any check.
package struct PushRequest: Sendable {
    /// The fields, pseudo-headers first, without trailers.
    package var headers: HeaderBlock
    package var authorization: AuthorizationValue?
    /// The body, at most ``Limits/voipPayloadBytesMax`` bytes of it.
    package var body: [UInt8]
    /// The size of a body that exceeds its limit: its `content-length` or, if more, the bytes received when it exceeded
    /// the limit; `nil` if ``body`` is complete.
    package var excessiveBodyByteCount: Int?

    package init(headers: HeaderBlock = HeaderBlock(), authorization: AuthorizationValue? = nil, body: [UInt8] = []) {
        self.headers = headers
        self.authorization = authorization
        self.body = body
    }

    /// Notes that the body exceeded its limit when `received` bytes had arrived.
    package mutating func exceedLimit(received: Int) {
        let declared = RequestFields(headers)[.contentLength].flatMap { Int(headers.text($0)) } ?? 0
        excessiveBodyByteCount = max(received, declared)
    }

    /// The most bytes of a body that are kept: the limit of the push type, or else of the type that the topic implies.
    ///
    /// A request with neither may be for a certificate's default topic, which its fields don't name. It gets the
    /// highest limit, and `PayloadCheck` applies the topic's.
    package static func bodyBytesMax(_ headers: borrowing HeaderBlock) -> Int {
        let fields = RequestFields(headers)
        let bytes = headers.bytes.span
        if let range = fields[.apnsPushType] {
            return PushType(bytes.extracting(range))?.payloadBytesMax ?? Limits.payloadBytesMax
        }
        guard let topic = fields[.apnsTopic] else { return Limits.voipPayloadBytesMax }
        return Topic.suffixedPushType(of: bytes.extracting(topic))?.payloadBytesMax ?? Limits.payloadBytesMax
    }
}
