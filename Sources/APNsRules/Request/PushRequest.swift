/// One request as it was received, before any check.
package struct PushRequest: Sendable {
    package enum BodyState: Sendable, Equatable {
        case complete
        /// More bytes arrived than the push type allows; the rest was not kept.
        ///
        /// `byteCount` is what `content-length` declares, or else what had arrived when the limit was exceeded.
        case exceedsLimit(byteCount: Int)
    }

    /// The fields, pseudo-headers first, without trailers.
    package var headers: HeaderBlock
    package var authorization: AuthorizationValue?
    /// The body, at most ``Limits/voipPayloadBytesMax`` bytes of it.
    package var body: [UInt8]
    package var bodyState: BodyState

    package init(
        headers: HeaderBlock = HeaderBlock(), authorization: AuthorizationValue? = nil, body: [UInt8] = [],
        bodyState: BodyState = .complete
    ) {
        self.headers = headers
        self.authorization = authorization
        self.body = body
        self.bodyState = bodyState
    }

    /// Notes that the body exceeded its limit when `received` bytes had arrived.
    package mutating func exceedLimit(received: Int) {
        let declared = RequestFields(headers)[.contentLength].flatMap { Int(headers.text($0)) } ?? 0
        bodyState = .exceedsLimit(byteCount: max(received, declared))
    }

    /// The most bytes of a body that are kept: the limit of its push type, or else of the type that its topic implies.
    ///
    /// A request with neither may go to the topic of a certificate, which its fields don't name; then it is the limit of
    /// any push type, and `PayloadCheck` judges by that topic.
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
