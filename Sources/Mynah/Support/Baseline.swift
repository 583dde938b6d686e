internal import APNsRules
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
    /// Whether the fixtures and scenarios of the run's first start are in it; not among its bytes.
    var isLoaded = false
}

extension Baseline: ByteCodable {
    func write(to writer: inout ByteWriter) {
        writer.write(clock, devices.map(\.json), channels.map(\.json))
        writer.write(varint: UInt64(rules.count))
        for rule in rules { writer.write(rule.id, rule.draft.json) }
        writer.write(scenarios.map(\.json))
    }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(clock: try reader.read())
        for _ in 0..<(try reader.count()) {
            devices.append(
                try reader.document { json throws(InputError) in
                    try DeviceSpecification(json: json, tokenByteCounts: DeviceToken.anyByteCounts)
                })
        }
        for _ in 0..<(try reader.count()) {
            channels.append(
                try reader.document { json throws(InputError) in try ChannelSpecification(json: json) })
        }
        for _ in 0..<(try reader.count()) {
            let id = try String(from: &reader)
            rules.append((id, try reader.document { json throws(InputError) in try FaultDraft(kept: json) }))
        }
        for _ in 0..<(try reader.count()) {
            scenarios.append(try reader.document { json throws(InputError) in try Scenario(kept: json) })
        }
    }
}
