internal import APNsRules

/// Whether a push that is not an alert reaches its target; a problem is a sentence for the journal.
enum TargetArrival: Sendable, Hashable {
    case arrives
    case arrivesWithRemark(String)
    case lost(String)
}

/// Whether an app still gets VoIP pushes: after a few for which it reported no call, it gets no more
/// (`DeviceBehaviour#Pushes-that-are-not-alerts`; documented, but not how many).
struct CallList: Sendable, Hashable {
    /// After how many pushes without a call further ones are lost (inferred).
    static let unreportedMax = 3

    private(set) var reported: UInt64 = 0
    // Pushes in a row without a call.
    private var unreported = 0
    var isCutOff: Bool { unreported >= CallList.unreportedMax }

    /// A VoIP push arrives; reporting a call resets the count of unreported ones (inferred).
    mutating func receive(reportsCalls: Bool) -> TargetArrival {
        guard !isCutOff else {
            return .lost("the app has not reported a call for \(CallList.unreportedMax) VoIP pushes and gets no more")
        }
        if reportsCalls {
            reported += 1
            unreported = 0
            return .arrives
        }
        unreported += 1
        return .arrivesWithRemark(
            "the app reported no call for \(unreported) VoIP pushes: after \(CallList.unreportedMax) it gets no more")
    }

    /// The app was reinstalled, or opened by the user: it gets pushes again (inferred).
    mutating func resetUnreported() { unreported = 0 }
}

/// How many complication pushes of one app a watch still takes, of 50 a day
/// (`DeviceBehaviour#Pushes-that-are-not-alerts`); a day is 24 hours of the clock from its first push (inferred).
struct ComplicationBudget: Sendable, Hashable {
    static let pushesPerDay = 50
    static let day: Duration = .seconds(24 * 3600)

    private var began: Instant?
    private var used = 0

    func left(at now: Instant) -> Int {
        guard let began, now.since(began) < ComplicationBudget.day else { return ComplicationBudget.pushesPerDay }
        return ComplicationBudget.pushesPerDay - used
    }

    mutating func receive(at now: Instant) -> TargetArrival {
        let left = left(at: now)
        guard left > 0 else {
            return .lost("the complication's \(ComplicationBudget.pushesPerDay) pushes of the day are used up")
        }
        if left == ComplicationBudget.pushesPerDay { began = now }
        used = ComplicationBudget.pushesPerDay - left + 1
        return .arrives
    }
}

extension AppPresentation {
    /// Whether a location push reaches the app's extension: with the user's consent
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    var locationArrival: TargetArrival {
        permissions.location
            ? .arrives : .lost("the user has not let the app's location push service extension ask for the position")
    }
}

extension CallList: ByteRecord {
    static let members = ByteMembers(CallList.init) { ($0.reported, $0.unreported) }

    var damage: String? {
        guard !(0...CallList.unreportedMax).contains(unreported) else { return nil }
        return "\(unreported) VoIP pushes in a row are without a call"
    }
}

extension ComplicationBudget: ByteRecord {
    static let members = ByteMembers(ComplicationBudget.init) { ($0.began, $0.used) }

    var damage: String? {
        (0...ComplicationBudget.pushesPerDay).contains(used) ? nil : "\(used) pushes of a day are used up"
    }
}
