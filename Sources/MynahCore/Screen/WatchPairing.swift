/// A phone's watch, as far as it decides where an alert appears (`DeviceBehaviour#Pushes-that-are-not-alerts`,
/// *watchOS*).
///
/// Modelled as this one decision. Not modelled: a watch's own screen and its clearing along with the phone's; a push
/// to the token of a device whose platform is watchOS is shown there, paired or not (inferred).
package struct WatchPairing: Sendable, Hashable {
    /// Where an alert appears.
    package enum Place: String, Sendable {
        /// On the device that the push went to.
        case phone
        /// On the watch alone; the phone's list has it nevertheless.
        case watch
    }

    /// Whether somebody wears it.
    package let isWorn: Bool
    /// Whether it is unlocked.
    package let isUnlocked: Bool

    /// A watch.
    package init(isWorn: Bool, isUnlocked: Bool) {
        self.isWorn = isWorn
        self.isUnlocked = isUnlocked
    }

    /// Where an alert for a phone appears: on the watch when the phone is locked and the watch worn and unlocked
    /// (archived).
    package static func place(phoneIsLocked: Bool, watch: WatchPairing?) -> Place {
        guard let watch, phoneIsLocked, watch.isWorn, watch.isUnlocked else { return .phone }
        return .watch
    }
}
