package import APNsRules

/// The state of a device that decides when pushes reach it (`DeviceBehaviour#From-APNs-to-the-device`).
///
/// One more property with its field is all that a further member of devices needs to be set, shown, filtered by and
/// exported, by the control API as by a server in a test's own process. `Device+Coding.swift` keeps it in a snapshot.
public struct DeviceState: Described, Hashable {
    /// Whether it has a network.
    public var isOnline = true
    /// How much power it has to spend.
    public var power = Power.normal

    /// The state of a new device.
    public init() {}

    package static let fields: Fields<DeviceState> = [
        Field("online", \.isOnline, "Whether it has a network.", default: true, uses: [.settable, .filtered]),
        Field(
            "power", \.power, "Its power: low is Low Power Mode, which defers some pushes; asleep has the screen off.",
            default: .normal, uses: [.settable, .filtered]),
    ]

    /// The member of a device's document that says what a property is.
    package static func member<Value>(
        _ property: WritableKeyPath<DeviceState, Value>, _ value: Value
    ) -> JSONMember {
        guard let field = fields.all.first(where: { ($0.path as AnyKeyPath?) == property }) else {
            preconditionFailure("\(property) has no field")
        }
        var state = DeviceState()
        state[keyPath: property] = value
        return JSONMember(field.name, field.json(state))
    }
}
