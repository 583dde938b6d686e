internal import APNsRules
internal import Mynah
package import MynahCore

/// The documents of requests that have no type of their own.
package enum RequestSchemas {
    package static let clockChange = RequestDocument(
        "ClockChange", ClockChange.schema + scope, example: ["mode": "frozen", "now": "2030-01-01T09:30:00.000Z"])

    package static let clockAdvance = RequestDocument(
        "ClockAdvance",
        [
            Member("by", .duration(.zero...Form.durationMax), summary: "How far, a duration."),
            Member("to", .someText, summary: "A time, or next for the next event due."),
        ] + scope,
        example: ["by": "1h"])

    static let recordedPlaceChange = RequestDocument(
        "RecordedPlaceChange",
        [
            Member("sequence", .integer(0...Int.max), summary: "The state after the change that gave out this number."),
            Member("time", .time, summary: "The state as of this time of the system's clock."),
        ],
        example: ["sequence": 41])

    package static let userAction = RequestDocument(
        "UserAction",
        [
            Member(
                "action", .someText, summary: "default, dismiss, or the ID of one of the category's actions.",
                isRequired: true),
            Member("text", .anyText, summary: "What the user types, for an action that takes a text."),
        ],
        example: ["action": "default"])

    package static let reset = RequestDocument(
        "Reset",
        [
            Member(
                "only", .array(of: .choice(ResetPart.self), 1...ResetPart.allCases.count),
                summary: "The parts to reset; without it all.", mayBeNull: false),
            Member(
                "scope", ScopeName.form,
                summary: "Resets only what belongs to this scope: notifications, devices, faults and a clock.",
                mayBeNull: false),
        ],
        example: ["only": ["notifications", "faults"], "scope": "t42"])

    /// The members of a fixtures file, each with what an export says of it.
    package static let fixtures: Schema = [
        Member(
            "devices", .list("DeviceSpecification"), summary: "The devices with their apps and tokens."),
        Member("clock", .any(schema: "ClockChange"), summary: "Only a frozen clock.", isOptional: true),
        Member(
            "keys", .list("KeySpecification"), summary: "The added keys, without their private halves."),
        Member("channels", .list("ChannelSpecification"), summary: "The broadcast channels."),
        Member("faults", .list("FaultSpecification"), summary: "The rules, oldest first."),
    ]
    /// The members of ``fixtures`` in the order of an export, which is written piece by piece, as the state is read.
    static let exportedFixtures = Schema(
        ["devices", "channels", "faults", "keys", "clock"].compactMap { fixtures[$0] })

    private static let scope: Schema = [
        Member("scope", ScopeName.form, summary: "Only the clock of this scope's devices.")
    ]
}

/// A change of a clock, by a call or at a server's start (`Documents#Clock`).
package struct ClockChange: Sendable {
    static let schema: Schema = [
        Member(
            "mode", .choice(ClockState.Mode.self),
            summary:
                "real follows the system's clock, even if that sets this one back: what was delivered or has expired "
                + "stays so. offset runs at the same speed, ahead of it; frozen stands still until it is advanced. "
                + "Without a mode, the clock keeps its mode and continues from now."),
        Member("now", .time, summary: "The clock's time."),
    ]

    let mode: ClockState.Mode?
    let now: Instant?

    /// - Throws: ``InputError`` if nothing is given, or a time for a real clock.
    init(_ reader: ObjectReader) throws(InputError) {
        mode = reader.choice("mode")
        now = reader.instant("now")
        guard mode != nil || now != nil else {
            throw InputError(
                at: reader.place("mode"), "neither mode nor now is given", hint: ": expected at least one of them",
                allowed: ClockState.Mode.allCases.map(\.rawValue))
        }
        guard mode != .real || now == nil else {
            throw reader.error("now", "a real clock can't be set: it follows the wall clock; use mode offset or frozen")
        }
    }
}

extension CertificateOrder {
    static let document = RequestDocument(
        "CertificateOrder", schema, example: ["topics": ["com.example.app"], "voip": true])

    /// Reads the body of `POST /v1/certificates`.
    init(_ reader: ObjectReader) throws(InputError) {
        let topics = reader.texts("topics") ?? []
        for (index, topic) in topics.enumerated() {
            let problem =
                !CertificateOrder.isTopic(topic)
                ? "\"\(topic)\" is not valid: expected 1 to \(Limits.topicBytesMax) letters, digits, hyphens, periods"
                : topics[..<index].contains(topic) ? "\(topic) is given twice: expected each topic once" : nil
            if let problem { throw InputError(at: reader.place("topics", index), problem) }
        }
        self.init(topics: topics)
        voip = reader.bool("voip") ?? false
        complication = reader.bool("complication") ?? false
        isExpired = reader.bool("expired") ?? false
        environment = reader.choice("environment")
        days = reader.integer("days") ?? days
        keyType = reader.choice("keyType") ?? keyType
        password = reader.text("password") ?? password
        signingRequest = reader.text("csr")
        for name in ["keyType", "password"] where signingRequest != nil && reader[name] != nil {
            throw reader.error(name, "csr and \(name) exclude each other: the key is the requester's")
        }
    }
}
