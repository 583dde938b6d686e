/// How many pushes of an origin have shown nothing, which WebKit counts and never resets (`WebPush#Silent-pushes`).
package struct SilentPushes: Sendable, Hashable {
    /// After so many, all subscriptions of the origin are removed.
    package static let countMax = 3
    /// How long a worker may take to show a notification.
    package static let timeMax: Duration = .seconds(30)

    package private(set) var count = 0
    /// Whether the origin has lost its subscriptions.
    package var isExhausted: Bool { count >= SilentPushes.countMax }

    /// Counts a push that showed nothing.
    package mutating func note() { count = min(count + 1, SilentPushes.countMax) }

    /// What a timeline says about the last one.
    package var remark: String {
        "the service worker showed no notification, \(count) of \(SilentPushes.countMax): then Safari removes the "
            + "subscriptions of the origin"
    }
}

extension SilentPushes: ByteRecord {
    package static let members = ByteMembers(SilentPushes.init) { $0.count }

    package var damage: String? {
        (0...SilentPushes.countMax).contains(count) ? nil : "\(count) pushes have shown nothing"
    }
}
