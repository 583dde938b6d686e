/// The device that a push's token names, and the device's scope; a class so that it takes one word of an entry, since
/// most entries have none.
package final class DeviceLabel: Sendable, Equatable {
    package let device: String
    package let scope: String?
    package init(device: String, scope: String?) { (self.device, self.scope) = (device, scope) }

    package static func == (one: DeviceLabel, other: DeviceLabel) -> Bool {
        one.device == other.device && one.scope == other.scope
    }
}
