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
    /// The server's clock at that time.
    let now: Instant
}

/// The form of a push in a batch: flags, the places of its connection, stream and random numbers, its credential's, the
/// refusal of the rules or what they admit, the size of a body of which only the beginning is kept, the header block and
/// the body.
///
/// The connection has judged it; what it read from the header block for that is read again.
extension IncomingPush {
    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let production = Flags(rawValue: 1 << 0)
        static let cut = Flags(rawValue: 1 << 1)
        static let refused = Flags(rawValue: 1 << 2)
        static let channels = Flags(rawValue: 1 << 3)
        /// A call of channel management, not a broadcast.
        static let management = Flags(rawValue: 1 << 4)
        /// A path that channel management doesn't have.
        static let unknownPath = Flags(rawValue: 1 << 5)
        /// An admitted push that contradicts itself.
        static let contradiction = Flags(rawValue: 1 << 6)
        /// A web push, with what was found wrong with it in place of a refusal.
        static let web = Flags(rawValue: 1 << 7)
    }

    /// Writes the push with its credential's place in the batch.
    func write(to writer: inout ByteWriter, credential: Int) {
        writeHead(to: &writer, credential: credential)
        writer.write(raw: bytes)
    }

    /// Writes all but ``bytes``, which come last.
    func writeHead(to writer: inout ByteWriter, credential: Int) {
        let isCut = candidate.bodyByteCount > candidate.body.count
        var flags: Flags = candidate.environment == .production ? .production : []
        if isCut { flags.insert(.cut) }
        var refusal: Refusal?
        var admitted: AdmittedChannelRequest?
        var findings: WebPushFindings?
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
        writer.write(byte: flags.rawValue)
        writer.write(varint: connection)
        writer.write(signed: Int64(stream))
        writer.write(varint: random.connection)
        writer.write(varint: random.request)
        writer.write(varint: UInt64(credential))
        if let refusal { writer.write(refusal) }
        if let admitted { writer.write(admitted) }
        if let findings { writer.write(findings) }
        if isCut { writer.write(varint: UInt64(candidate.bodyByteCount)) }
        writer.write(varint: UInt64(candidate.headers.byteCount))
        writer.write(varint: UInt64(bytes.count))
    }

    convenience init(from reader: inout ByteReader, in context: PushCodingContext) throws(CodingProblem) {
        let flags = Flags(rawValue: try reader.byte())
        let connection = try reader.varint()
        let stream = try Int32(from: &reader)
        let random = RequestRandom(
            connection: try reader.varint(), request: try reader.varint(), seed: context.seed)
        let place = Int(try UInt32(from: &reader))
        guard context.credentials.indices.contains(place) else {
            throw reader.problem("the batch has no credential \(place)")
        }
        let refusal: Refusal? = flags.contains(.refused) ? try reader.read(Refusal.self) : nil
        var admission: Result<AdmittedChannelRequest, Refusal>?
        if flags.contains(.channels), !flags.contains(.unknownPath) {
            if let refusal { admission = .failure(refusal) } else { admission = .success(try reader.read()) }
        }
        let findings: WebPushFindings? = flags.contains(.web) ? try reader.read(WebPushFindings.self) : nil
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
        let verdict: RuleVerdict
        if let findings {
            let authorization = candidate.credential.recorded.authorization
            var request = PushRequest(
                headers: candidate.headers, authorization: authorization.map { AuthorizationValue(Array($0.utf8)) },
                body: Array(candidate.body))
            request.excessiveBodyByteCount = bodyByteCount
            verdict = .web(IncomingWebPush(WebPushRequest(request), found: findings, at: context.now))
        } else if flags.contains(.unknownPath) {
            verdict = .management(nil)
        } else if let admission {
            guard let request = ChannelRequest(candidate) else {
                throw reader.problem("the path of a request that concerns channels is another")
            }
            let isManagement = flags.contains(.management)
            // Either is carried out by its own part of the simulation.
            if case .success(let admitted) = admission, admitted.isBroadcast == isManagement {
                throw reader.problem("a broadcast is a call of channel management, or the reverse")
            }
            let incoming = IncomingChannelRequest(request, admission)
            verdict = isManagement ? .management(incoming) : .broadcast(incoming)
        } else if let refusal {
            verdict = .refused(refusal)
        } else {
            guard
                let admitted = AdmittedPush(again: candidate, contradictsItself: flags.contains(.contradiction))
            else {
                throw reader.problem("a push that was admitted has no token or topic")
            }
            verdict = .admitted(admitted)
        }
        self.init(
            candidate, verdict, connection: connection, stream: stream, wall: context.wall, random: random)
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
