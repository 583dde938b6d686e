/// Whose a push is: the device that its token names, and the device's scope.
///
/// A class so that an entry spends one word on it; most entries have none, because most devices were only made by
/// pushes.
package final class DeviceLabel: Sendable, Equatable {
    /// The device's id.
    package let device: String
    /// The device's scope.
    package let scope: String?

    /// A label.
    package init(device: String, scope: String?) {
        self.device = device
        self.scope = scope
    }

    /// Whether both say the same.
    package static func == (one: DeviceLabel, other: DeviceLabel) -> Bool {
        one.device == other.device && one.scope == other.scope
    }
}
