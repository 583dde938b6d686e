/// One request as it came off the wire, before anything has judged it.
package struct PushRequest: Sendable {
    /// Whether all of the body is there.
    package enum BodyState: Sendable, Equatable {
        /// The stream has ended; `body` is all of it.
        case complete
        /// More bytes came than the push type allows; the rest was not kept.
        ///
        /// `byteCount` is the size that `content-length` declares, or, without that field, what had arrived when the limit
        /// was passed.
        case exceedsLimit(byteCount: Int)
    }

    /// All fields, pseudo-headers first, trailers not.
    package var headers: HeaderBlock
    /// The first `authorization` field's value.
    package var authorization: AuthorizationValue?
    /// The body, at most ``Limits/voipPayloadBytesMax`` bytes of it.
    package var body: [UInt8]
    /// Whether `body` is all of it.
    package var bodyState: BodyState

    /// A request; the defaults are those of one without fields and body.
    package init(
        headers: HeaderBlock = HeaderBlock(), authorization: AuthorizationValue? = nil, body: [UInt8] = [],
        bodyState: BodyState = .complete
    ) {
        self.headers = headers
        self.authorization = authorization
        self.body = body
        self.bodyState = bodyState
    }

    /// Notes that the body has passed its limit, after so many bytes have arrived.
    package mutating func exceedLimit(received: Int) {
        let declared = headers.firstValue(of: .contentLength).flatMap { Int($0) } ?? 0
        bodyState = .exceedsLimit(byteCount: max(received, declared))
    }

    /// The most bytes of a body that are worth keeping by the request's fields: those of its push type, or, where it
    /// names none, of the type that its topic's suffix stands for.
    ///
    /// A request that names neither may go to the topic of a certificate, which its fields do not tell: as many as any
    /// push type allows, and ``PayloadCheck`` judges by that topic.
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
