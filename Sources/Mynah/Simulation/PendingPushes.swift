internal import APNsRules
internal import MynahCore

/// A request whose answer a fault delays or prevents; its connection keeps the time, and knows when it is given up.
struct PendingPush: Sendable {
    /// Names a withheld request, also a call of channel management, which has no number.
    struct Ticket: Hashable, Comparable, Sendable, ByteRecord {
        fileprivate let number: UInt64
        static func < (one: Ticket, other: Ticket) -> Bool { one.number < other.number }
        static let members = ByteMembers(Ticket.init(number:)) { $0.number }
    }

    let push: IncomingPush
    let firing: FaultFiring
    /// `nil` for a call of channel management, which the journal doesn't have.
    let sequence: UInt64?
}

/// The requests whose answers faults withhold.
struct PendingPushes: Sendable {
    private var all: [PendingPush.Ticket: PendingPush] = [:]
    private var lastNumber: UInt64 = 0

    mutating func add(_ push: PendingPush) -> PendingPush.Ticket {
        lastNumber += 1
        let ticket = PendingPush.Ticket(number: lastNumber)
        all[ticket] = push
        return ticket
    }

    mutating func take(_ ticket: PendingPush.Ticket) -> PendingPush? { all.removeValue(forKey: ticket) }

    /// The tickets of all requests, in the order in which they were withheld.
    var tickets: [PendingPush.Ticket] { all.keys.sorted() }
}

// MARK: - Coding

extension PendingPushes {
    /// The most requests in a piece.
    private static let pieceCount = 64
    /// The most that a ticket's number may be; far below the largest, so that the numbers after it can be counted.
    private static let numberMax: UInt64 = 1 << 62

    func writeHead(to writer: inout ByteWriter) { writer.write(lastNumber) }

    /// Calls `body` with the requests' bytes, in pieces.
    func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var writer = ByteWriter()
        for (index, ticket) in tickets.enumerated() {
            if index > 0, index % PendingPushes.pieceCount == 0 {
                try body(writer.bytes)
                writer.removeAll()
            }
            guard let pending = all[ticket] else { continue }
            writer.write(PendingPush.Head(ticket, pending))
            pending.push.write(to: &writer, credential: 0)
        }
        if writer.count > 0 { try body(writer.bytes) }
    }

    /// Reads a head and pieces.
    ///
    /// - Parameters:
    ///   - settings: Those in force now, by which the pushes were not judged.
    ///   - lastSequence: The last number that was given out.
    init(
        head: inout ByteReader, pieces: some Sequence<ByteReader>, settings: RuleSettings, seed: UInt64,
        lastSequence: UInt64
    ) throws(CodingProblem) {
        lastNumber = try head.read()
        guard lastNumber <= PendingPushes.numberMax else {
            throw head.problem("\(lastNumber) is not the number of a withheld request")
        }
        // A token that was admitted is one, whatever is allowed now.
        var settings = settings
        settings.tokenByteCounts = DeviceToken.anyByteCounts
        var last = 0 as UInt64
        var reader = ByteReader([], sharing: SharedInReader())
        for piece in pieces {
            reader.proceed(to: piece)
            while !reader.isAtEnd {
                let head = try PendingPush.Head(from: &reader)
                let number = head.ticket.number
                guard number > last, number <= lastNumber else {
                    throw reader.problem("withheld request \(number) of \(lastNumber) follows \(last)")
                }
                last = number
                let push = try IncomingPush(from: &reader, in: head.context(settings, seed: seed))
                all[head.ticket] = try reader.located { () throws(CodingProblem) in
                    try PendingPush(head, push, lastSequence: lastSequence)
                }
            }
        }
    }
}

extension PendingPush {
    /// What precedes the push.
    fileprivate struct Head: ByteRecord {
        let ticket: Ticket
        let sequence: UInt64?
        let firing: FaultFiring
        let wall: Instant
        let receivedAt: Instant
        let credential: Shared<RecordedCredential>

        static let members = ByteMembers(Head.init(ticket:sequence:firing:wall:receivedAt:credential:)) {
            ($0.ticket, $0.sequence, $0.firing, $0.wall, $0.receivedAt, $0.credential)
        }

        func context(_ settings: RuleSettings, seed: UInt64) -> PushCodingContext {
            PushCodingContext(
                credentials: [JudgedCredential(credential.value)], settings: settings, seed: seed, wall: wall,
                now: receivedAt)
        }
    }

    fileprivate init(_ head: Head, _ push: IncomingPush, lastSequence: UInt64) throws(CodingProblem) {
        self.push = push
        firing = head.firing
        sequence = head.sequence
        let isManagement = if case .management = push.verdict { true } else { false }
        guard isManagement == (sequence == nil), (sequence ?? 1) > 0, (sequence ?? 0) <= lastSequence else {
            throw CodingProblem("a withheld request can't have the number \(sequence.map(String.init) ?? "nil")")
        }
    }
}

extension PendingPush.Head {
    fileprivate init(_ ticket: PendingPush.Ticket, _ pending: PendingPush) {
        self.init(
            ticket: ticket, sequence: pending.sequence, firing: pending.firing, wall: pending.push.wall,
            receivedAt: pending.push.candidate.receivedAt,
            credential: Shared(pending.push.candidate.credential.recorded))
    }
}
