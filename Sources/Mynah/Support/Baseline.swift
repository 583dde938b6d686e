internal import APNsRules
internal import MynahCore

/// What a server began with, its clock and what fixtures and `--scenario` gave it before it was ready: a reset returns to
/// it, and to the keys that it had then.
struct Baseline {
    let clock: ClockState
    var devices: [DeviceSpecification] = []
    // Channels and rules have the ids that they were given, and keep them.
    var channels: [ChannelSpecification] = []
    var rules: [Rule] = []
    var scenarios: [Scenario] = []
    /// Whether the fixtures and scenarios of the run's first start are in it.
    var isLoaded = false

    struct Rule {
        let id: String
        let draft: FaultDraft
    }
}

extension DeviceSpecification: ByteDocument {
    package init(kept json: JSONValue, at pointer: String) throws(InputError) {
        try self.init(json: json, at: pointer, tokenByteCounts: DeviceToken.anyByteCounts)
    }
}

extension ChannelSpecification: ByteDocument {
    package init(kept json: JSONValue, at pointer: String) throws(InputError) { try self.init(json: json, at: pointer) }
}

extension Baseline.Rule: ByteRecord {
    static let members = ByteMembers(Baseline.Rule.init) { ($0.id, $0.draft) }
}

extension Baseline: ByteRecord {
    static let members = ByteMembers({
        Baseline(clock: $0, devices: $1, channels: $2, rules: $3, scenarios: $4, isLoaded: $5.value ?? true)
    }) { ($0.clock, $0.devices, $0.channels, $0.rules, $0.scenarios, Since<2, Bool>($0.isLoaded)) }
}
