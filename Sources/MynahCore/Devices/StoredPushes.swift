internal import APNsRules

/// An accepted push that has not reached its app.
struct WaitingPush: Sendable {
    enum Place: UInt8, Sendable {
        /// In APNs' storage, because the device is offline.
        case stored = 0
        /// An alert, held back by power.
        case deferred = 1
        /// A background push, held back by power or its budget.
        case deferredBackground = 2
        /// A push to a Live Activity's token, held back by its budget.
        case deferredUpdate = 3
        /// Held back by a fault that delivers it late.
        case held = 4

        var outcome: Outcome { self == .stored ? .stored : .deferred }
    }

    let sequence: UInt64
    let push: Push
    let acceptedAt: Instant
    let expiresAt: Instant
    /// Whether the provider asked for one attempt only.
    let isOnce: Bool
    var place = Place.stored
    /// Why the push waits, in words.
    var reason = ""
    /// When the next attempt is due.
    var nextAttemptAt: Instant?
    /// Until when a fault holds it back, whatever the device's state.
    var heldUntil: Instant?
    /// When the push expires or the next attempt is due.
    var dueAt: Instant { min(expiresAt, nextAttemptAt ?? expiresAt) }
}

extension WaitingPush {
    init(_ push: borrowing Push, sequence: UInt64, acceptedAt: Instant) {
        let end = push.storageEnd(acceptedAt: acceptedAt)
        self.sequence = sequence
        self.push = copy push
        self.acceptedAt = acceptedAt
        expiresAt = end ?? acceptedAt.advanced(by: Limits.storageMax)
        isOnce = end == nil
    }
}

/// The pushes that wait for one app on one device: one that is stored, one in the background or of an activity, and the alerts that power
/// or a fault holds back (`ProviderAPI#Storage-and-throttling`, `DeviceBehaviour#From-APNs-to-the-device`).
struct StoredPushes: Sendable {
    /// How many pushes wait for the devices of a table.
    struct Counts: Sendable, Equatable {
        fileprivate(set) var stored = 0
        fileprivate(set) var deferred = 0

        fileprivate mutating func add(_ count: Int, _ place: WaitingPush.Place) {
            if place == .stored { stored += count } else { deferred += count }
        }
    }

    /// The most pushes that faults hold back; beyond it the earliest is delivered at once.
    static let heldCountMax = 256
    /// The most alerts that power holds back; for one more, the oldest is discarded (inferred).
    static let deferredCountMax = 100

    private(set) var all: [WaitingPush] = []
    /// The index of the push that is due first.
    var earliest: Int? { all.indices.min { (all[$0].dueAt, all[$0].sequence) < (all[$1].dueAt, all[$1].sequence) } }

    /// Adds a push and returns the one that was replaced, which may be the added one.
    mutating func add(_ waiting: WaitingPush, counting counts: inout Counts) -> Coalescing? {
        var replaced: Coalescing?
        if let index = index(ofRivalOf: waiting) {
            replaced = Coalescing(all[index], waiting)
            guard replaced?.replaced.sequence != waiting.sequence else { return replaced }
            take(index, counting: &counts)
        }
        all.append(waiting)
        counts.add(1, waiting.place)
        return replaced
    }

    // The index of the push that waits in the place of an added one, which only the newer of both keeps.
    private func index(ofRivalOf waiting: WaitingPush) -> Int? {
        switch waiting.place {
        case .held: return nil
        case .stored, .deferredBackground, .deferredUpdate: return all.firstIndex { $0.place == waiting.place }
        case .deferred:
            let alerts = all.indices.filter { all[$0].place == .deferred }
            if let same = alerts.first(where: { all[$0].push.hasCollapseID(of: waiting.push) }) { return same }
            guard alerts.count >= StoredPushes.deferredCountMax else { return nil }
            return alerts.min { all[$0].sequence < all[$1].sequence }
        }
    }

    @discardableResult
    mutating func take(_ index: Int, counting counts: inout Counts) -> WaitingPush {
        let waiting = all.remove(at: index)
        counts.add(-1, waiting.place)
        return waiting
    }

    /// Takes the push that a fault holds back for the shortest time, if there is no room for another.
    mutating func takeEarliestHeld(counting counts: inout Counts) -> WaitingPush? {
        let held = all.indices.filter { all[$0].place == .held }
        guard held.count >= StoredPushes.heldCountMax else { return nil }
        return held.min { all[$0].dueAt < all[$1].dueAt }.map { take($0, counting: &counts) }
    }

    /// Has what the device's state or a budget holds back tried again at a time.
    mutating func retryDeferred(at time: Instant) {
        for index in all.indices where all[index].place != .stored && all[index].place != .held {
            all[index].nextAttemptAt = min(all[index].nextAttemptAt ?? time, time)
        }
    }

    /// Takes all pushes, the last one first.
    mutating func takeAll(counting counts: inout Counts) -> [WaitingPush] {
        for waiting in all { counts.add(-1, waiting.place) }
        defer { all = [] }
        return all.reversed()
    }
}

extension WaitingPush.Place: NumberedCases {
    static func damage(_ number: UInt8) -> String { "a push waits at place \(number)" }
}

extension WaitingPush: ByteRecord {
    static let members = ByteMembers(WaitingPush.init) {
        (
            $0.sequence, $0.push, $0.acceptedAt, $0.expiresAt, $0.isOnce, $0.place, $0.reason, $0.nextAttemptAt,
            $0.heldUntil
        )
    }
}

extension StoredPushes: ByteRecord {
    static let members = ByteMembers(StoredPushes.init) { $0.all }

    /// Counts the pushes of a registration that was read.
    func count(in counts: inout Counts) {
        for waiting in all { counts.add(1, waiting.place) }
    }
}
