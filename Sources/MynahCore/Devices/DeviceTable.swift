package import APNsRules

/// The device tokens that are known, each with its app and environment.
///
/// A token names one app on one device in one environment (`device.md` §1), so the table needs no more than the
/// token to find all that APNs checks about it. Several tables share the work, by ``DeviceToken/spread``.
package struct DeviceTable: Sendable {
    /// Whether a token still reaches its app.
    package enum State: Sendable, Hashable {
        case active
        /// The app is gone since then: 410 Unregistered.
        case unregistered(Instant)
        /// A newer token took its place then: 410 ExpiredToken.
        case expired(Instant)
    }

    /// What happens to a well-formed token that is not known (`control-api.md`, `--devices`).
    package enum Policy: Sendable {
        /// It becomes a device, for the topic and environment of its first accepted push.
        case open
        /// BadDeviceToken.
        case strict
    }

    /// One token's registration.
    private struct Registration {
        // Shared by all tokens of the topic.
        let topic: [UInt8]
        let environment: APNsEnvironment
        var state: State
    }

    /// A push that passed all checks.
    package struct Accepted: Sendable, Equatable {
        /// The number the push has in the journal.
        package let sequence: UInt64
        /// What became of it.
        package let outcome: Outcome
    }

    private var registrations: [DeviceToken: Registration] = [:]
    private var topics: [[UInt8]: [UInt8]] = [:]

    /// No tokens.
    package init() {}

    /// How many tokens are known.
    package var count: Int { registrations.count }

    /// Checks what only the table knows, in APNs' order, and takes the push in.
    ///
    /// `takeSequence` is called once, and only for a push that is accepted: the caller's lock is held then, so
    /// that the order of one device's pushes and the order of all pushes agree.
    package mutating func accept(
        _ token: DeviceToken, topic: Span<UInt8>, environment: APNsEnvironment, policy: Policy,
        takeSequence: () -> UInt64
    ) -> Result<Accepted, Refusal> {
        if let registration = registrations[token] {
            if let refusal = DeviceTable.refusal(registration, topic, environment) { return .failure(refusal) }
        } else {
            guard policy == .open else {
                return .failure(
                    Refusal(.badDeviceToken, "no device has this token, and only known devices are accepted"))
            }
            registrations[token] = Registration(topic: intern(topic), environment: environment, state: .active)
        }
        return .success(Accepted(sequence: takeSequence(), outcome: .delivered))
    }

    /// Makes a token known, or changes what is known of it.
    package mutating func register(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment, state: State = .active
    ) {
        let bytes = Array(topic.utf8)
        registrations[token] = Registration(topic: intern(bytes.span), environment: environment, state: state)
    }

    /// Forgets all tokens; answers how many there were.
    package mutating func removeAll() -> Int {
        let count = registrations.count
        registrations = [:]
        topics = [:]
        return count
    }

    /// Environment before topic before state (`provider-api.md` §7).
    private static func refusal(
        _ registration: Registration, _ topic: Span<UInt8>, _ environment: APNsEnvironment
    ) -> Refusal? {
        guard registration.environment == environment else {
            return Refusal(
                .badDeviceToken,
                "the token is one of \(registration.environment.rawValue), the push came to \(environment.rawValue)")
        }
        guard topic.equals(registration.topic) else {
            return Refusal(
                .deviceTokenNotForTopic,
                "the token belongs to \(String(decoding: registration.topic, as: UTF8.self)), "
                    + "the push names \(topic.text)")
        }
        switch registration.state {
        case .active: return nil
        case .unregistered(let time):
            return Refusal(.unregistered, "the app was removed from the device at \(time.rfc3339)", timestamp: time)
        case .expired(let time):
            return Refusal(.expiredToken, "a newer token replaced this one at \(time.rfc3339)", timestamp: time)
        }
    }

    private mutating func intern(_ topic: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(topic.count)
        for index in 0..<topic.count { bytes.append(topic[index]) }
        if let known = topics[bytes] { return known }
        topics[bytes] = bytes
        return bytes
    }
}
