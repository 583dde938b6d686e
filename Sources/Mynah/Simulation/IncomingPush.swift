internal import APNsRules
internal import MynahCore

/// A request that concerns channels; a class, so that a push to a device has only a word for it.
final class IncomingChannelRequest: Sendable {
    let request: ChannelRequest
    /// What the request does if the rules admit it, else their refusal.
    let admission: Result<AdmittedChannelRequest, Refusal>

    init(_ request: ChannelRequest, _ admission: Result<AdmittedChannelRequest, Refusal>) {
        self.request = request
        self.admission = admission
    }
}

/// What the rules say of a push when it arrives, before faults, devices and channels are asked.
enum RuleVerdict: Sendable {
    case admitted(AdmittedPush)
    case refused(Refusal)
    /// A broadcast, which has its own verdict.
    case broadcast(IncomingChannelRequest)
    /// A call of channel management, which isn't in the journal; `nil` if its path is unknown.
    case management(IncomingChannelRequest?)
    /// A web push, which has its own verdict.
    case web(IncomingWebPush)
}

/// A request on its way from the wire to the journal; a class, because one that waits for a log passes through several
/// hands.
final class IncomingPush: Sendable {
    let candidate: Candidate
    let verdict: RuleVerdict
    /// `apns-id`, or where the request concerns channels `apns-request-id`: the sender's or a generated one.
    let id: NotificationID
    let connection: UInt64
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    let stream: Int32
    let random: RequestRandom
    /// When the push arrived, by the system's clock.
    let wall: Instant
    /// The request if it concerns channels.
    let channels: IncomingChannelRequest?
    /// The request if it is a broadcast.
    let broadcast: IncomingChannelRequest?
    /// Whether the request's answer has `apns-request-id` in place of `apns-id`.
    let concernsChannels: Bool

    init(
        _ candidate: consuming Candidate, _ verdict: consuming RuleVerdict, connection: UInt64, stream: Int32,
        wall: Instant, random: RequestRandom
    ) {
        switch verdict {
        case .broadcast(let request):
            channels = request
            broadcast = request
            concernsChannels = true
        case .management(let request):
            channels = request
            broadcast = nil
            concernsChannels = true
        case .admitted, .refused, .web:
            channels = nil
            broadcast = nil
            concernsChannels = false
        }
        if case .web = verdict {
            id = NotificationID(generated: random.generator.bits(for: 0))
        } else if concernsChannels {
            id = random.generator.requestID(of: candidate)
        } else {
            id = candidate.notificationID ?? NotificationID(generated: random.generator.bits(for: 0))
        }
        self.verdict = verdict
        self.candidate = candidate
        self.connection = connection
        self.stream = stream
        self.wall = wall
        self.random = random
    }

    /// A copy of this push with another verdict.
    func readdressed(_ verdict: RuleVerdict) -> IncomingPush {
        IncomingPush(candidate, verdict, connection: connection, stream: stream, wall: wall, random: random)
    }

    var bytes: [UInt8] { candidate.bytes }
    /// The request if it is a web push.
    var web: IncomingWebPush? { if case .web(let web) = verdict { web } else { nil } }

    /// Whether the request asks for the list of an app's channels.
    var isList: Bool {
        guard let channels, case .success(.list) = channels.admission else { return false }
        return true
    }

    /// `apns-unique-id`, which only the sandbox sends, for the console's delivery log (`ProviderAPI#Responses`).
    var uniqueID: NotificationID? {
        candidate.environment == .sandbox ? NotificationID(unique: random.generator.bits(for: 1)) : nil
    }
}

enum Judgement {
    /// Refused by APNs' rules or the device table.
    case refused(Refusal, NumberedPush?)
    case accepted(Decision)
    // Apart, because few pushes are broadcasts, and otherwise every judgement would be as large as one.
    indirect case broadcast(AcceptedBroadcast)
    indirect case web(JudgedWebPush)
    /// A fault keeps it from its device or channel, for now or for good.
    case withheld(Outcome, NumberedPush?)

    var outcome: Outcome {
        switch self {
        case .refused: .refused
        case .accepted(let decision): decision.outcome
        case .broadcast(let broadcast): broadcast.outcome
        case .web(let web): web.judgement.outcome
        case .withheld(let outcome, _): outcome
        }
    }

    var refusal: Refusal? {
        switch self {
        case .refused(let refusal, _): refusal
        case .web(let web): web.judgement.refusal
        case .accepted, .broadcast, .withheld: nil
        }
    }
    /// What the journal keeps of a web push.
    var webPush: WebPushRecord? { if case .web(let web) = self { web.record } else { nil } }
    /// The number of a push that no device got, if it was taken when its device was asked.
    var numbered: NumberedPush? {
        switch self {
        case .refused(_, let numbered), .withheld(_, let numbered): numbered
        case .accepted, .broadcast: nil
        case .web(let web): web.judgement.numbered
        }
    }

    var decision: Decision? {
        switch self {
        case .accepted(let decision): decision
        case .web(let web): web.judgement.decision
        case .refused, .broadcast, .withheld: nil
        }
    }
    /// How many devices a broadcast was delivered to.
    var deviceCount: Int { if case .broadcast(let broadcast) = self { broadcast.deviceCount } else { 0 } }

    /// The status that APNs answers; `nil` while it answers nothing.
    var status: Int? {
        switch self {
        case .refused(let refusal, _): refusal.reason.status
        case .accepted, .broadcast: 200
        case .web(let web): web.judgement.status == 200 ? WebPushJudgement.acceptedStatus : web.judgement.status
        case .withheld: nil
        }
    }
}

extension SeededGenerator {
    /// `apns-request-id`: the sender's, or a generated one in lower case (`ProviderAPI#Channel-management`).
    fileprivate func requestID(of candidate: borrowing Candidate) -> NotificationID {
        ChannelRequest.requestID(of: candidate) ?? NotificationID(unique: bits(for: 0))
    }

    /// 128 bits for one of several purposes.
    fileprivate func bits(for purpose: UInt64) -> UInt128 {
        var random = split(for: purpose)
        return UInt128(random.next()) << 64 | UInt128(random.next())
    }
}
