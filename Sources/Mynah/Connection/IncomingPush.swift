internal import APNsRules
internal import MynahCore

/// A request that concerns channels; a class, so that a push to a device has only a word for it.
final class IncomingChannelRequest {
    let request: ChannelRequest
    /// What it does if the rules admit it, else their refusal.
    let admission: Result<AdmittedChannelRequest, Refusal>

    init(_ request: ChannelRequest, _ admission: Result<AdmittedChannelRequest, Refusal>) {
        (self.request, self.admission) = (request, admission)
    }
}

/// What the rules say of a push when it arrives, before faults, devices and channels are asked.
enum RuleVerdict {
    case admitted(AdmittedPush)
    case refused(Refusal)
    /// It is a broadcast, which has its own verdict.
    case broadcast(IncomingChannelRequest)
}

/// A request on its way from the wire to the journal.
struct IncomingPush {
    let candidate: Candidate
    let verdict: RuleVerdict
    /// `apns-id`, of a broadcast `apns-request-id`: the sender's or a generated one.
    let id: NotificationID
    /// The request's fields and body in one piece, which its journal entry and a waiting push share.
    let bytes: [UInt8]
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    let stream: Int32
    /// The firing of the fault rule or magic token that acts on the request.
    let firing: FaultFiring?
    /// When devices and channels are asked, by the system's clock: the arrival, or the end of a fault's delay.
    var wall: Instant
    private let random: SeededGenerator

    init(
        _ candidate: consuming Candidate, _ verdict: consuming RuleVerdict, stream: Int32,
        firing: FaultFiring?, wall: Instant, random: SeededGenerator
    ) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(candidate.headers.bytes.count + candidate.body.count)
        bytes.append(contentsOf: candidate.headers.bytes)
        bytes.append(contentsOf: candidate.body)
        self.bytes = bytes
        if case .broadcast(let broadcast) = verdict {
            self.id = random.requestID(of: broadcast.request.candidate)
        } else {
            self.id = candidate.notificationID ?? NotificationID(generated: random.bits(for: 0))
        }
        self.verdict = verdict
        (self.candidate, self.stream, self.firing) = (candidate, stream, firing)
        (self.wall, self.random) = (wall, random)
    }

    /// The request if it is a broadcast.
    var broadcast: IncomingChannelRequest? { if case .broadcast(let broadcast) = verdict { broadcast } else { nil } }

    /// `apns-unique-id`, which only the sandbox sends, for the console's delivery log (`ProviderAPI#Responses`).
    var uniqueID: NotificationID? {
        candidate.environment == .sandbox ? NotificationID(unique: random.bits(for: 1)) : nil
    }
}

enum Judgement {
    /// APNs' rules or the device table refuse it.
    case refused(Refusal, NumberedPush?)
    case accepted(Push, Decision)
    case broadcast(AcceptedBroadcast)
    /// A fault keeps it from its device or channel, for now or for good.
    case withheld(Outcome, NumberedPush?)

    var outcome: Outcome {
        switch self {
        case .refused: .refused
        case .accepted(_, let decision): decision.outcome
        case .broadcast(let broadcast): broadcast.outcome
        case .withheld(let outcome, _): outcome
        }
    }

    var refusal: Refusal? { if case .refused(let refusal, _) = self { refusal } else { nil } }
    /// The number of a push that no device got, if it was taken when its device was asked.
    var numbered: NumberedPush? {
        switch self {
        case .refused(_, let numbered), .withheld(_, let numbered): numbered
        case .accepted, .broadcast: nil
        }
    }

    var decision: Decision? { if case .accepted(_, let decision) = self { decision } else { nil } }

    /// The status that APNs answers; `nil` while it answers nothing.
    var status: Int? {
        switch self {
        case .refused(let refusal, _): refusal.reason.status
        case .accepted, .broadcast: 200
        case .withheld: nil
        }
    }
}

extension SeededGenerator {
    /// `apns-request-id`: the sender's, or a generated one in lower case (`ProviderAPI#Channel-management`).
    func requestID(of candidate: borrowing Candidate) -> NotificationID {
        ChannelRequest.requestID(of: candidate) ?? NotificationID(unique: bits(for: 0))
    }

    /// 128 bits for one of several purposes.
    fileprivate func bits(for purpose: UInt64) -> UInt128 {
        var random = split(for: purpose)
        return UInt128(random.next()) << 64 | UInt128(random.next())
    }
}
