/// The device that a push's token names, and the device's scope; a class so that it takes one word of an entry, since
/// most entries have none.
package final class DeviceLabel: Sendable, Equatable {
    package let device: String
    package let scope: String?
    package init(device: String, scope: String?) {
        self.device = device
        self.scope = scope
    }

    package static func == (one: DeviceLabel, other: DeviceLabel) -> Bool {
        one.device == other.device && one.scope == other.scope
    }
}

extension DeviceLabel: ByteRecord {
    package static let members = ByteMembers(DeviceLabel.init) { ($0.device, $0.scope) }
}
