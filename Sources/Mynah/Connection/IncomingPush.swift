internal import APNsRules
internal import MynahCore

/// A request on its way from the wire to the journal.
struct IncomingPush {
    let candidate: Candidate
    /// `apns-id`: the sender's or a generated one.
    let id: NotificationID
    /// The request's fields and body in one piece, which its journal entry and a waiting push share.
    let bytes: [UInt8]
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    let stream: Int32
    /// The firing of the fault rule or magic token that acts on the request.
    let firing: FaultFiring?
    /// When the request is judged, by the system's clock.
    var wall: Instant
    private let random: SeededGenerator

    init(_ candidate: Candidate, stream: Int32, firing: FaultFiring?, wall: Instant, random: SeededGenerator) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(candidate.headers.bytes.count + candidate.body.count)
        bytes.append(contentsOf: candidate.headers.bytes)
        bytes.append(contentsOf: candidate.body)
        self.bytes = bytes
        self.id = candidate.notificationID ?? NotificationID(generated: random.bits(for: 0))
        (self.candidate, self.stream, self.firing) = (candidate, stream, firing)
        (self.wall, self.random) = (wall, random)
    }

    /// `apns-unique-id`, which only the sandbox sends, for the console's delivery log (`ProviderAPI#Responses`).
    var uniqueID: NotificationID? {
        candidate.environment == .sandbox ? NotificationID(unique: random.bits(for: 1)) : nil
    }
}

enum Judgement {
    /// APNs' rules or the device table refuse it.
    case refused(Refusal)
    case accepted(Push, Decision)
    /// A fault keeps it from being judged, for now or for good.
    case withheld(Outcome)

    var outcome: Outcome {
        switch self {
        case .refused: .refused
        case .accepted(_, let decision): decision.outcome
        case .withheld(let outcome): outcome
        }
    }

    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
    var decision: Decision? { if case .accepted(_, let decision) = self { decision } else { nil } }

    /// The status that APNs answers; `nil` while it answers nothing.
    var status: Int? {
        switch self {
        case .refused(let refusal): refusal.reason.status
        case .accepted: 200
        case .withheld: nil
        }
    }
}

extension SeededGenerator {
    /// 128 bits for one of several purposes.
    fileprivate func bits(for purpose: UInt64) -> UInt128 {
        var random = split(for: purpose)
        return UInt128(random.next()) << 64 | UInt128(random.next())
    }
}
