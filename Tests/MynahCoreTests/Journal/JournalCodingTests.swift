import APNsRules
import Foundation
import Testing

@testable import MynahCore

extension Journal {
    var pieces: [[UInt8]] {
        var pieces: [[UInt8]] = []
        forEachPiece { pieces.append($0) }
        return pieces
    }

    init(pieces: [[UInt8]], bounds: JournalBounds) throws(CodingProblem) {
        guard let first = pieces.first else { throw CodingProblem("there are no pieces") }
        var reading = try Reading(first, bounds: bounds)
        for piece in pieces.dropFirst() { try reading.add(piece) }
        self = try reading.finish()
    }
}

/// What readers see of pushes, made once for each value of an entry, because that takes long.
private final class EntryViews {
    struct Seen: Equatable {
        let json: [UInt8]
        let topicPlace: Range<Int>?
        let environment: APNsEnvironment
    }

    private var known: [UInt64: (entry: Entry, seen: Seen)] = [:]

    func seen(_ entry: Entry) -> Seen {
        if let (before, seen) = known[entry.sequence], Self.haveSameBits(before, entry) { return seen }
        let seen = Seen(
            json: PushView(entry).json.encoded, topicPlace: entry.topicPlace, environment: entry.environment)
        known[entry.sequence] = (entry, seen)
        return seen
    }

    // The same value: while a copy is kept, what it refers to is not changed in place. Others may be the same, too.
    private static func haveSameBits(_ one: Entry, _ other: Entry) -> Bool {
        withUnsafePointer(to: one) { one in
            withUnsafePointer(to: other) { memcmp(one, $0, MemoryLayout<Entry>.size) == 0 }
        }
    }
}

/// A journal that is driven by random numbers, and can be driven on in two copies.
private struct DrivenJournal {
    var journal: Journal
    var random: SeededGenerator
    private var next: UInt64 = 1
    // Pushes and skipped numbers that have not arrived.
    private var inFlight: [Entry?] = []
    private var inFlightNumbers: [UInt64] = []

    init(seed: UInt64, bounds: JournalBounds) {
        journal = Journal(bounds: bounds)
        random = SeededGenerator(seed: seed)
    }

    mutating func step() {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<14:
            while inFlight.count < 3 {
                let isPush = Int.random(in: 0..<8, using: &random) > 0
                inFlight.append(isPush ? entry(next) : nil)
                inFlightNumbers.append(next)
                next += 1
            }
            let place = min(2, Int.random(in: 0..<8, using: &random) / 3)
            let number = inFlightNumbers.remove(at: place)
            if let entry = inFlight.remove(at: place) {
                _ = journal.append(entry)
            } else {
                _ = journal.skip(number)
            }
        case 14..<19:
            // Also of pushes that have not arrived, or are gone.
            _ = journal.apply([change(UInt64.random(in: 1...next + 2, using: &random))])
        case 19, 20:
            let text = Bool.random(using: &random) ? "WentWrong" : "Unregistered"
            let reason = FaultReason(text: text, timestamp: noon)
            _ = journal.update(UInt64.random(in: 1...next, using: &random)) { entry in
                entry.status = 500
                entry.recordReason(reason)
            }
        case 21: _ = journal.findRepeats(countMax: 7)
        case 22:
            let from = UInt64.random(in: 1...next, using: &random)
            _ = journal.remove(from..<from + UInt64.random(in: 1...9, using: &random))
        default: if Int.random(in: 0..<20, using: &random) == 0 { _ = journal.reset() }
        }
    }

    private static let action = try? FaultRule.made(#"{"action":{"type":"stall"}}"#).schedule.actions[0]

    /// Of this copy alone: what the other one has is other values.
    var views = EntryViews()

    /// What readers see of each push, and its `apns-id`.
    func entries(of journal: Journal) -> [(seen: EntryViews.Seen, id: NotificationID)] {
        journal.entries(after: 0, limit: .max).entries.map { entry in
            var entry = entry
            // Whether it is still known which evicted push another one repeats depends on who has read it.
            if let repeats = entry.repeats, journal.entry(repeats) == nil { entry.repeats = nil }
            return (views.seen(entry), entry.notificationID)
        }
    }

    private mutating func change(_ sequence: UInt64) -> EntryChange {
        let at = Instant(milliseconds: Int64.random(in: 0..<1 << 41, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 {
            return EntryChange(
                broadcast: sequence, .delivered, at: at, detail: "2 devices got it", deviceCount: 2,
                isFurther: Bool.random(using: &random))
        }
        var shown: ShownOutcome?
        if Bool.random(using: &random) {
            let activity = LiveActivity(
                number: 1, topic: "com.example.app.push-type.liveactivity", environment: .sandbox, attributesType: "A",
                attributes: ["a": 1], content: LiveActivity.Content(state: ["score": 7]), at: at)
            shown = ShownOutcome(
                isShown: Bool.random(using: &random), isAwaited: Bool.random(using: &random), at: at, reason: "why",
                activity: Boxed(activity))
        }
        let outcomes: [Outcome] = [.stored, .deferred, .delivered, .expired]
        let detail = Bool.random(using: &random) ? "why" : nil
        return EntryChange(
            sequence: sequence, outcome: outcomes[Int.random(in: 0..<4, using: &random)], at: at, detail: detail,
            shown: shown, isOnlyShown: shown != nil && Bool.random(using: &random))
    }

    private static let credentials: [JudgedCredential] = [
        .none,
        JudgedCredential(
            authorization: AuthorizationValue(Array("bearer a.b.c".utf8)),
            verdict: .token(
                ProviderIdentity(
                    team: "TEAM123456", keyID: "KEY1234567", issuedAt: noon, warnings: ["typ is missing"],
                    scope: KeyScope(
                        environment: .sandbox, topics: ["com.example.b", "com.example.a"], relatedKeyID: "KEY7654321")))
        ),
        JudgedCredential(
            authorization: AuthorizationValue(Array("bearer x".utf8)),
            verdict: .invalid(Refusal(.invalidProviderToken, "1 part"))),
        JudgedCredential(
            authorization: nil,
            verdict: .certificate(
                CertificateIdentity(
                    subject: "CN=Apple Push Services: com.example.app", subjectID: "com.example.app",
                    topics: [.init("com.example.app.voip", kind: "voip")], environment: .both, serialNumber: "0A",
                    notBefore: noon, notAfter: noon, issuer: "CN=CA"))),
    ]

    private mutating func entry(_ sequence: UInt64) -> Entry {
        let id = "00000000-0000-0000-0000-00000000000\(Int.random(in: 0..<9, using: &random))"
        let ownID = Bool.random(using: &random) ? id : nil
        let refusal = Refusal(.unregistered, "the app was removed", timestamp: noon)
        var entry = Entry.made(
            sequence, at: Int64(sequence) * 2000,
            token: [Entry.aToken, Entry.anotherToken, nil][Int.random(in: 0..<3, using: &random)], id: ownID,
            headers: Bool.random(using: &random) ? [("apns-topic", "com.example.app"), ("x", "y")] : [],
            body: String(repeating: "x", count: Int.random(in: 0..<6, using: &random) * 40),
            status: [200, 400, nil][Int.random(in: 0..<3, using: &random)],
            refusal: Int.random(in: 0..<5, using: &random) == 0 ? refusal : nil,
            outcome: Bool.random(using: &random) ? .stored : .delivered,
            credential: DrivenJournal.credentials[Int.random(in: 0..<4, using: &random)],
            environment: Bool.random(using: &random) ? .sandbox : .production, connection: sequence % 5)
        if Bool.random(using: &random) { entry.uniqueID = NotificationID(unique: UInt128(random.next())) }
        if Bool.random(using: &random) {
            let scope = Bool.random(using: &random) ? "tests" : nil
            entry.label = DeviceLabel(device: "phone-\(Int.random(in: 0..<3, using: &random))", scope: scope)
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: entry.broadcast = Entry.Broadcast(deviceCount: 3)
        case 1: entry.shown = Bool.random(using: &random)
        case 2:
            guard let action = DrivenJournal.action else { break }
            entry.recordFiring(FaultFiring(ruleID: "f-1", action: action, random: random), at: entry.receivedAt)
        default: break
        }
        return entry
    }
}

@Suite("A journal as bytes") struct JournalCodingTests {
    @Test("comes back and goes on as it was", arguments: 0..<24 as Range<UInt64>) func comesBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bounds = JournalBounds(
            entriesMax: [0, 1, 100, 600, 2000][Int.random(in: 0..<5, using: &random)],
            bytesMax: Bool.random(using: &random) ? 60_000 : 10_000_000)
        var one = DrivenJournal(seed: seed, bounds: bounds)
        for _ in 0..<4 {
            for _ in 0..<Int.random(in: 0..<700, using: &random) { one.step() }
            var other = one
            other.views = EntryViews()
            let pieces = one.journal.pieces
            other.journal = try Journal(pieces: pieces, bounds: bounds)
            try #require(other.journal.pieces == pieces)
            expectEqual(other, one)
            for step in 0..<300 {
                one.step()
                other.step()
                guard step % 50 == 0 else { continue }
                expectEqual(other, one)
            }
            expectEqual(other, one)
            #expect(other.journal.pieces == one.journal.pieces)
            one = other
        }
    }

    private func expectEqual(_ drivenOne: DrivenJournal, _ drivenOther: DrivenJournal) {
        var one = drivenOne.journal
        var other = drivenOther.journal
        #expect(one.brokenInvariants() == [])
        #expect(one.counters == other.counters)
        #expect(one.watermark == other.watermark)
        while !one.findRepeats(countMax: 100) || !other.findRepeats(countMax: 100) {}
        let entries = drivenOne.entries(of: one)
        let others = drivenOther.entries(of: other)
        #expect(entries.count == others.count)
        let difference = zip(entries, others).first { $0.0 != $1.0 }.map { "\($0.0)\n\($1.0)" }
        #expect(difference == nil)
        for (_, id) in entries {
            #expect(one.newestEntry(id)?.sequence == other.newestEntry(id)?.sequence)
        }
    }

    private func filled(_ count: UInt64, bounds: JournalBounds = JournalBounds()) -> Journal {
        var journal = Journal(bounds: bounds)
        for sequence in 1...count {
            if sequence % 7 == 3 { _ = journal.skip(sequence) } else { _ = journal.append(Entry.made(sequence)) }
        }
        return journal
    }

    @Test("has 256 pushes in a piece, and each credential and device once") func pieces() throws {
        var journal = Journal()
        for sequence in 1...600 as ClosedRange<UInt64> {
            // Equal, but not the same objects.
            let verdict = TrustVerdict.invalid(Refusal(.invalidProviderToken, "an unmistakable refusal"))
            var entry = Entry.made(sequence, credential: JudgedCredential(authorization: nil, verdict: verdict))
            entry.label = DeviceLabel(device: "an unmistakable device", scope: nil)
            _ = journal.append(entry)
        }
        let pieces = journal.pieces
        #expect(pieces.count == 4)
        for text in ["an unmistakable refusal", "an unmistakable device"] {
            let count = pieces.map { String(decoding: $0, as: UTF8.self).split(separator: text).count - 1 }
            #expect(count == [0, 1, 0, 0])
        }
    }

    @Test("smaller bounds keep the newest pushes", arguments: [0, 1, 100]) func smallerBounds(entriesMax: Int) throws {
        let bounds = JournalBounds(entriesMax: entriesMax)
        var read = try Journal(pieces: filled(700).pieces, bounds: bounds)
        let original = filled(700, bounds: bounds)
        #expect(read.brokenInvariants() == [])
        #expect(read.counters == original.counters)
        #expect(read.watermark == original.watermark)
        #expect(
            read.entries(after: 0, limit: .max).entries.map(\.sequence)
                == original.entries(after: 0, limit: .max).entries.map(\.sequence))
        _ = read.append(Entry.made(701))
        #expect(read.watermark == 701)
        // And larger ones take more from then on.
        var larger = try Journal(pieces: read.pieces, bounds: JournalBounds(entriesMax: 1000))
        for sequence in 702...720 as ClosedRange<UInt64> { _ = larger.append(Entry.made(sequence)) }
        #expect(larger.brokenInvariants() == [])
        #expect(larger.watermark == 720)
        #expect(larger.counters.size == read.counters.size + 19)
    }

    @Test("a missing piece is noticed, and so is one of a newer version") func missingPiece() throws {
        let pieces = filled(600).pieces
        #expect(throws: CodingProblem("256 pushes were read, which is not how many there were")) {
            try Journal(pieces: Array(pieces.prefix(2)), bounds: JournalBounds())
        }
        var newer = pieces
        newer[0][0] = 4
        #expect(throws: CodingProblem("version 4 was written by a newer Mynah, at byte 1 of \(pieces[0].count)")) {
            try Journal(pieces: newer, bounds: JournalBounds())
        }
    }

    @Test("a journal of version 2, which has no number of a reset, is read") func version2() throws {
        let journal = filled(6)
        var pieces = journal.pieces
        // The version, six counts of one byte, and the number.
        #expect(pieces[0][0] == 3 && pieces[0][7] == 0)
        pieces[0].remove(at: 7)
        pieces[0][0] = 2
        let read = try Journal(pieces: pieces, bounds: JournalBounds())
        #expect(read.counters == journal.counters)
        #expect(read.pieces == journal.pieces)
    }

    @Test("damaged bytes are a problem or a journal", arguments: 0..<4 as Range<UInt64>) func damage(seed: UInt64) {
        var driven = DrivenJournal(seed: seed, bounds: JournalBounds(entriesMax: 300))
        for _ in 0..<800 { driven.step() }
        let pieces = driven.journal.pieces
        var random = SeededGenerator(seed: seed)
        for piece in pieces.indices {
            expectNoTrap(pieces[piece], count: 100, seed: random.next()) { bytes throws(CodingProblem) in
                var damaged = pieces
                damaged[piece] = bytes
                _ = try Journal(pieces: damaged, bounds: JournalBounds())
            }
        }
    }
}
