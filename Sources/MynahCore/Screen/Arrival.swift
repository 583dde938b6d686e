package import APNsRules

extension PushType {
    /// What a device takes a push for (`DeviceBehaviour#Pushes-that-are-not-alerts`; `Documents`, `kind`).
    ///
    /// A topic's suffix decides first, since its token is one of its own and leads there (inferred), then the push type
    /// that was sent, then the payload: `mdm` without `aps`, a silent wake-up, else an alert.
    package init(sent: PushType?, topic: Span<UInt8>, payload: JSONValue?) {
        if let type = Topic.suffixedPushType(of: topic) ?? sent {
            self = type
        } else if payload?["aps"] == nil, payload?["mdm"]?.string != nil {
            self = .mdm
        } else {
            self = PushType.isSilent(payload) ? .background : .alert
        }
    }

    /// Whether a payload wakes the app and shows nothing.
    static func isSilent(_ payload: JSONValue?) -> Bool {
        let aps = payload?["aps"]
        return ["alert", "badge", "sound"].allSatisfy { aps?[$0] == nil } && aps?["content-available"]?.integer == 1
    }
}

/// Whether a push that is no alert reaches what it is meant for.
enum Arrival: Sendable, Hashable {
    case arrives
    /// With a sentence for the journal about what is wrong.
    case arrivesOddly(String)
    /// With a sentence for the journal about the reason.
    case lost(String)
}

/// Whether an app may still get VoIP pushes (`DeviceBehaviour#Pushes-that-are-not-alerts`).
///
/// An app must report a call for each. One that doesn't is stopped, and after a few times gets no more (documented, but
/// not how many).
struct CallList: Sendable, Hashable {
    /// After how many pushes without a call further ones are lost (inferred).
    static let unreportedMax = 3

    private(set) var reported: UInt64 = 0
    // Pushes in a row without a call.
    private var unreported = 0

    var isCutOff: Bool { unreported >= CallList.unreportedMax }

    /// A VoIP push arrives; a call that is reported sets the count of missed ones back (inferred).
    mutating func receive(reportsCalls: Bool) -> Arrival {
        guard !isCutOff else {
            return .lost("the app has not reported a call for \(CallList.unreportedMax) VoIP pushes and gets no more")
        }
        guard reportsCalls else {
            unreported += 1
            return .arrivesOddly(
                "the app reported no call; after \(CallList.unreportedMax) such pushes it gets no more, this is number "
                    + "\(unreported)")
        }
        reported += 1
        unreported = 0
        return .arrives
    }

    /// The app was reinstalled, or opened by the user: it gets pushes again (inferred).
    mutating func forgive() { unreported = 0 }
}

/// How many complication pushes of one app a watch still takes (`DeviceBehaviour#Pushes-that-are-not-alerts`).
///
/// A day begins with its first push and lasts 24 hours of the clock (inferred).
struct ComplicationBudget: Sendable, Hashable {
    /// As documented.
    static let pushesPerDay = 50
    static let day: Duration = .seconds(24 * 3600)

    private var began: Instant?
    private var used = 0

    func left(at now: Instant) -> Int {
        guard let began, now.since(began) < ComplicationBudget.day else { return ComplicationBudget.pushesPerDay }
        return ComplicationBudget.pushesPerDay - used
    }

    mutating func receive(at now: Instant) -> Arrival {
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
    var locationArrival: Arrival {
        permissions.location
            ? .arrives : .lost("the user has not let the app's location push service extension ask for the position")
    }
}

/// A phone's watch, as far as it decides where an alert appears (`DeviceBehaviour#Pushes-that-are-not-alerts`).
///
/// A push to the token of a device whose platform is watchOS is shown there, paired or not (inferred).
struct WatchPairing: Sendable {
    enum Place: Sendable {
        case phone
        /// On the watch alone; the phone's list has it nevertheless.
        case watch
    }

    let isWorn: Bool
    let isUnlocked: Bool

    /// Where an alert for a phone appears (archived).
    static func place(phoneIsLocked: Bool, watch: WatchPairing?) -> Place {
        phoneIsLocked && watch?.isWorn == true && watch?.isUnlocked == true ? .watch : .phone
    }
}
