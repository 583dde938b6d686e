/// One request as it was received, before any check.
package struct PushRequest: Sendable {
    /// The fields, pseudo-headers first, without trailers.
    package var headers: HeaderBlock
    package var authorization: AuthorizationValue?
    /// A copy of the fields and behind them what has come of the body; empty until the body begins.
    ///
    /// So the body is copied once, to where it stays, and ``headers`` keeps its memory for another request. What is
    /// appended to it after ``beginBody(byteCount:)`` is of the body.
    package var piece: [UInt8] = []
    /// Where the body begins in ``piece``.
    private var bodyStart = 0
    /// The size of a body that exceeds its limit: its `content-length` or, if more, the bytes received when it exceeded
    /// the limit; `nil` if ``body`` is complete.
    package var excessiveBodyByteCount: Int?

    package init(headers: HeaderBlock = HeaderBlock(), authorization: AuthorizationValue? = nil, body: [UInt8] = []) {
        self.headers = headers
        self.authorization = authorization
        guard !body.isEmpty else { return }
        beginBody(byteCount: body.count)
        piece.append(contentsOf: body)
    }

    /// Begins the body, after all fields, with room for so many bytes of it.
    package mutating func beginBody(byteCount: Int) {
        bodyStart = headers.byteCount
        piece.reserveCapacity(bodyStart + byteCount)
        piece.append(contentsOf: headers.storage[..<bodyStart])
    }

    /// Removes the body, and gives its memory away.
    package mutating func removeBody() {
        piece = []
        bodyStart = 0
    }

    /// The body, at most ``bodyBytesMax(_:)`` bytes of it.
    package var body: ArraySlice<UInt8> { piece[bodyStart...] }
    package var bodyByteCount: Int { piece.count - bodyStart }

    /// How many bytes more than it needs a piece may take: malloc gives memory in multiples of 16 bytes.
    private static let spareBytesMax = 32

    /// The fields and the body in one piece.
    package var joined: [UInt8] {
        // Fields that were added later are not in the piece, and a body that came in parts has left room behind it, which
        // would be kept as long as the push.
        let isWhole = !piece.isEmpty && bodyStart == headers.byteCount
        guard !isWhole || piece.capacity - piece.count > PushRequest.spareBytesMax else { return piece }
        var joined: [UInt8] = []
        joined.reserveCapacity(headers.byteCount + bodyByteCount)
        joined.append(contentsOf: headers.storage[..<headers.byteCount])
        joined.append(contentsOf: body)
        return joined
    }

    /// Whether the method is HEAD, the answer to which has no content (RFC 9110 §9.3.2).
    package var isHead: Bool {
        guard let method = RequestFields(headers)[.method] else { return false }
        return headers.storage.span.extracting(method).equals("HEAD")
    }

    /// Notes that the body exceeded its limit when `received` bytes had arrived.
    package mutating func exceedLimit(received: Int) {
        let declared = RequestFields(headers)[.contentLength].flatMap { Int(headers.text($0)) } ?? 0
        excessiveBodyByteCount = max(received, declared)
    }

    /// The most bytes of a body that are kept: more than the usual for the VoIP topic, unless the push type is another.
    ///
    /// A broadcast may have more than the usual too.
    ///
    /// A request without a topic may go to that of a certificate, which its fields don't name; then it is the limit of
    /// VoIP, and `PayloadCheck` judges by that topic.
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
