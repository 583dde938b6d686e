internal import MynahCore

/// What a server began with, its clock and what fixtures and `--scenario` gave it before it was ready: a reset returns to
/// it, and to the keys that it had then.
struct Baseline {
    let clock: ClockState
    var devices: [DeviceSpecification] = []
    // With the ids that they were given, which they keep; likewise the rules.
    var channels: [ChannelSpecification] = []
    var rules: [(id: String, draft: FaultDraft)] = []
    var scenarios: [Scenario] = []
}
