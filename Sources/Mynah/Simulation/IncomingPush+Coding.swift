internal import APNsRules
internal import MynahCore

/// What a push is read with: what its batch and the settings say of all pushes.
struct PushCodingContext {
    /// The credentials that the pushes of the batch share.
    let credentials: [JudgedCredential]
    let settings: RuleSettings
    let seed: UInt64
    /// The batch's time, by the system's clock.
    let wall: Instant
    /// The time of the server's clock when the push was received.
    let now: Instant
}

/// The form of a push in a batch: flags, the places of its connection, stream and random numbers, its credential's, the
/// refusal of the rules or what they admit, the size of a body of which only the beginning is kept, the header block and
/// the body.
///
/// The connection has judged it; what it read from the header block for that is read again.
extension IncomingPush {
    /// Writes the push with its credential's place in the batch.
    func write(to writer: inout ByteWriter, credential: Int) {
        writeHead(to: &writer, credential: credential)
        writer.write(raw: bytes)
    }

    /// Writes all but ``bytes``, which come last.
    func writeHead(to writer: inout ByteWriter, credential: Int) {
        let isCut = candidate.bodyByteCount > candidate.body.count
        let kept = KeptVerdict(verdict)
        var flags = kept.flags
        if candidate.environment == .production { flags.insert(.production) }
        if isCut { flags.insert(.cut) }
        writer.write(byte: flags.rawValue)
        writer.write(varint: connection)
        writer.write(signed: Int64(stream))
        writer.write(varint: random.connection)
        writer.write(varint: random.request)
        writer.write(varint: UInt64(credential))
        kept.write(to: &writer)
        if isCut { writer.write(varint: UInt64(candidate.bodyByteCount)) }
        writer.write(varint: UInt64(candidate.headers.byteCount))
        writer.write(varint: UInt64(bytes.count))
    }

    convenience init(from reader: inout ByteReader, in context: PushCodingContext) throws(CodingProblem) {
        let flags = PushFlags(rawValue: try reader.byte())
        let connection = try reader.varint()
        let stream = try Int32(from: &reader)
        let random = RequestRandom(
            connection: try reader.varint(), request: try reader.varint(), seed: context.seed)
        let place = Int(try UInt32(from: &reader))
        guard context.credentials.indices.contains(place) else {
            throw reader.problem("the batch has no credential \(place)")
        }
        let kept = try KeptVerdict(flags, from: &reader)
        let bodyByteCount: Int? = flags.contains(.cut) ? try reader.whole() as Int : nil
        let headerByteCount = Int(try UInt32(from: &reader))
        let bytes = Array(try reader.bytes())
        guard HeaderBlock.isWellFormed(bytes, count: headerByteCount) else {
            throw reader.problem("a push has no well-formed fields")
        }
        let candidate = Candidate(
            bytes: bytes, headerByteCount: headerByteCount, excessiveBodyByteCount: bodyByteCount,
            credential: context.credentials[place],
            environment: flags.contains(.production) ? .production : .sandbox, settings: context.settings,
            receivedAt: context.now, clockLead: context.now.since(context.wall))
        let verdict = try reader.located { () throws(CodingProblem) in
            try kept.verdict(on: candidate, excessiveBodyByteCount: bodyByteCount, at: context.now)
        }
        self.init(
            candidate, verdict, connection: connection, stream: stream, wall: context.wall, random: random)
    }
}

/// The first byte of a push.
private struct PushFlags: OptionSet {
    let rawValue: UInt8
    static let production = PushFlags(rawValue: 1 << 0)
    static let cut = PushFlags(rawValue: 1 << 1)
    static let refused = PushFlags(rawValue: 1 << 2)
    static let channels = PushFlags(rawValue: 1 << 3)
    /// A call of channel management, not a broadcast.
    static let management = PushFlags(rawValue: 1 << 4)
    /// Set for a path that channel management doesn't have.
    static let unknownPath = PushFlags(rawValue: 1 << 5)
    /// Set for an admitted push that contradicts itself.
    static let contradiction = PushFlags(rawValue: 1 << 6)
    /// A web push, with what was found wrong with it in place of a refusal.
    static let web = PushFlags(rawValue: 1 << 7)
}

/// What is written of a verdict: all that doesn't follow from the request.
private struct KeptVerdict {
    private(set) var flags: PushFlags = []
    private var refusal: Refusal?
    private var admitted: AdmittedChannelRequest?
    private var findings: WebPushFindings?

    init(_ verdict: RuleVerdict) {
        switch verdict {
        case .admitted(let admitted): if admitted.contradictsItself { flags.insert(.contradiction) }
        case .refused(let refused): refusal = refused
        case .broadcast(let request), .management(let request?):
            flags.insert(.channels)
            switch request.admission {
            case .success(let request): admitted = request
            case .failure(let refused): refusal = refused
            }
            if case .management = verdict { flags.insert(.management) }
        case .web(let web):
            flags.insert(.web)
            findings = web.judgement.findings
        case .management(nil): flags.formUnion([.channels, .management, .unknownPath])
        }
        if refusal != nil { flags.insert(.refused) }
    }

    func write(to writer: inout ByteWriter) {
        if let refusal { writer.write(refusal) }
        if let admitted { writer.write(admitted) }
        if let findings { writer.write(findings) }
    }

    init(_ flags: PushFlags, from reader: inout ByteReader) throws(CodingProblem) {
        self.flags = flags
        if flags.contains(.refused) { refusal = try reader.read(Refusal.self) }
        if concernsChannel, refusal == nil { admitted = try reader.read(AdmittedChannelRequest.self) }
        if flags.contains(.web) { findings = try reader.read(WebPushFindings.self) }
    }

    private var concernsChannel: Bool { flags.contains(.channels) && !flags.contains(.unknownPath) }

    /// Makes the verdict on the request again.
    func verdict(
        on candidate: Candidate, excessiveBodyByteCount: Int?, at now: Instant
    ) throws(CodingProblem) -> RuleVerdict {
        if let findings {
            let authorization = candidate.credential.recorded.authorization
            var request = PushRequest(
                headers: candidate.headers, authorization: authorization.map { AuthorizationValue(Array($0.utf8)) },
                body: Array(candidate.body))
            request.excessiveBodyByteCount = excessiveBodyByteCount
            return .web(IncomingWebPush(WebPushRequest(request), found: findings, at: now))
        }
        if flags.contains(.unknownPath) { return .management(nil) }
        if concernsChannel { return try verdict(onChannelRequest: candidate) }
        if let refusal { return .refused(refusal) }
        guard let admitted = AdmittedPush(again: candidate, contradictsItself: flags.contains(.contradiction)) else {
            throw CodingProblem("a push that was admitted has no token or topic")
        }
        return .admitted(admitted)
    }

    private func verdict(onChannelRequest candidate: Candidate) throws(CodingProblem) -> RuleVerdict {
        guard let request = ChannelRequest(candidate) else {
            throw CodingProblem("the path of a request that concerns channels is another")
        }
        let isManagement = flags.contains(.management)
        // Either is carried out by its own part of the simulation.
        if let admitted, admitted.isBroadcast == isManagement {
            throw CodingProblem("a broadcast is a call of channel management, or the reverse")
        }
        guard let admission = refusal.map(Result.failure) ?? admitted.map(Result.success) else {
            throw CodingProblem("a request that concerns channels is neither admitted nor refused")
        }
        let incoming = IncomingChannelRequest(request, admission)
        return isManagement ? .management(incoming) : .broadcast(incoming)
    }
}

extension AdmittedChannelRequest: ByteCodable {
    fileprivate var isBroadcast: Bool { if case .broadcast = self { true } else { false } }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .create(let policy): writer.write(UInt8(0), policy)
        case .read(let id): writer.write(UInt8(1), id)
        case .delete(let id): writer.write(UInt8(2), id)
        case .list: writer.write(UInt8(3))
        case .broadcast(let id): writer.write(UInt8(4), id)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        switch try reader.byte() {
        case 0: self = .create(try reader.read())
        case 1: self = .read(try reader.read())
        case 2: self = .delete(try reader.read())
        case 3: self = .list
        case 4: self = .broadcast(to: try reader.read())
        case let other: throw reader.problem("\(other) is no call of channels")
        }
    }
}
