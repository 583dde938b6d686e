package import APNsRules

/// Whether a push that is no alert reaches what it is meant for.
package enum Arrival: Sendable, Hashable {
    /// It does.
    case arrives
    /// It does, and something is wrong with it: a sentence for the journal.
    case arrivesOddly(String)
    /// It is lost, for the reason of this sentence.
    case lost(String)
}

/// Whether an app may still get VoIP pushes (`DeviceBehaviour#Pushes-that-are-not-alerts`).
///
/// An app must report a call for each. One that does not is killed, and after a few times gets no more (documented);
/// how many "a few" are is not documented.
package struct CallList: Sendable, Hashable {
    /// Pushes without a call after which further ones are lost (inferred).
    package static let unreportedMax = 3

    /// Calls that were reported.
    package private(set) var reported: UInt64 = 0
    /// Pushes in a row without a call.
    package private(set) var unreported = 0

    /// An app that has had no call.
    package init() {}

    /// Whether VoIP pushes are lost by now.
    package var isCutOff: Bool { unreported >= CallList.unreportedMax }

    /// A VoIP push arrives; a call that is reported sets the count of missed ones back (inferred).
    package mutating func receive(reportsCalls: Bool) -> Arrival {
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
    package mutating func forgive() { unreported = 0 }
}

/// How many complication pushes of one app a watch still takes (`DeviceBehaviour#Pushes-that-are-not-alerts`).
///
/// The day begins with the first push of it and lasts 24 hours of the clock (inferred).
package struct ComplicationBudget: Sendable, Hashable {
    /// Pushes a day (documented).
    package static let pushesPerDay = 50
    /// The length of a day.
    package static let day: Duration = .seconds(24 * 3600)

    private var began: Instant?
    private var used = 0

    /// A budget that nothing was taken from.
    package init() {}

    /// What is left.
    package func left(at now: Instant) -> Int {
        guard let began, now.since(began) < ComplicationBudget.day else { return ComplicationBudget.pushesPerDay }
        return ComplicationBudget.pushesPerDay - used
    }

    /// A complication push arrives.
    package mutating func receive(at now: Instant) -> Arrival {
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
    package var locationArrival: Arrival {
        permissions.location
            ? .arrives : .lost("the user has not let the app's location push service extension ask for the position")
    }
}
