internal import APNsRules
internal import MynahCore
internal import MynahTrust

extension Settings {
    /// The defaults of `mynah serve`, changed for a test: a free port, all in memory, one event loop, and a quick end.
    public static var embedded: Settings {
        var settings = Settings()
        settings.ports = [PortBinding(port: 0)]
        settings.stateDirectory = nil
        settings.eventLoops = 1
        settings.shutdownGrace = .milliseconds(250)
        return settings
    }

    /// ``embedded``, changed: `.embedded { $0.devices = .strict }`.
    public static func embedded(_ change: (inout Settings) throws -> Void) rethrows -> Settings {
        var settings = embedded
        try change(&settings)
        return settings
    }

    // Shorter tokens would soon be exhausted.
    private static let issuedTokenByteCounts = 16...DeviceToken.byteCountMax

    /// Throws ``MynahError/Code/badSetting`` with the setting's name for an impossible value.
    func check() throws(MynahError) {
        func refuse(_ name: String, _ value: some Any, expected: String) throws(MynahError) {
            throw MynahError(.badSetting, field: name, "\(name) is \(value): expected \(expected)")
        }
        if ports.isEmpty {
            try refuse("ports", "empty", expected: "at least one port for TLS, [.init(port: 0)] for a free one")
        }
        var seen: Set<Int> = []
        for port in ports.map(\.port) + (channelsPorts ?? []).map(\.port)
            + [webPushPort, cleartextPort, proxyPort].compactMap(\.self)
        {
            guard (0...65_535).contains(port) else {
                throw MynahError(
                    .badSetting, field: "ports", "port \(port) is not valid: expected 0 to 65535; 0 is a free one")
            }
            if port != 0, !seen.insert(port).inserted {
                throw MynahError(
                    .badSetting, field: "ports", "port \(port) is given twice: expected it once, or 0 for free ones")
            }
        }
        if let teamID, !Identifier.isWellFormed(teamID) {
            try refuse(
                "teamID", "\"\(teamID)\"", expected: "\(Limits.identifierLength) letters and digits, like TEAM123456")
        }
        if !(0...JournalBounds.entriesMaxMax).contains(retain) {
            try refuse("retain", retain, expected: "0 to \(JournalBounds.entriesMaxMax)")
        }
        if retainBytes < 0 { try refuse("retainBytes", retainBytes, expected: "0 or more") }
        for (name, count) in [
            ("maxErrors", maxErrors), ("backgroundBudget", backgroundBudget),
            ("activityBudget", activityBudget), ("eventLoops", eventLoops),
            ("reconnectLimit.count", reconnectLimit?.count), ("requestLimit.count", requestLimit?.count),
        ] {
            if let count, count < 1 { try refuse(name, count, expected: "1 or more, or nil") }
        }
        for (name, duration) in [
            ("idleTimeout", idleTimeout), ("handshakeTimeout", handshakeTimeout), ("requestTimeout", requestTimeout),
            ("deferralMax", deferralMax), ("reconnectLimit.period", reconnectLimit?.period),
            ("requestLimit.period", requestLimit?.period),
        ] {
            if let duration, duration <= .zero { try refuse(name, duration, expected: "a time above zero") }
        }
        for (name, duration) in [("shutdownGrace", shutdownGrace), ("unregisterDelay", unregisterDelay.lowerBound)]
        where duration < .zero {
            try refuse(name, duration, expected: "a time that is not negative")
        }
        for limit in [streamLimits.beforeTrust, streamLimits.trusted] where !(1...Limits.streamsMax).contains(limit) {
            try refuse("streamLimits", limit, expected: "1 to \(Limits.streamsMax)")
        }
        for topic in rules.teamTopics where !Topic.isWellFormed(Array(topic.utf8).span) {
            try refuse("rules.teamTopics", "\"\(topic)\"", expected: "a topic like com.example.app")
        }
        for app in rules.broadcastApps where !Topic.isBundleID(Array(app.utf8).span) {
            try refuse(
                "rules.broadcastApps", "\"\(app)\"",
                expected: "a bundle id like com.example.app, without the suffix of a push type")
        }
        let tokenByteCounts = rules.tokenByteCounts
        guard tokenByteCounts.lowerBound >= 1, tokenByteCounts.upperBound <= DeviceToken.byteCountMax,
            tokenByteCounts.upperBound >= Settings.tokenBytesMaxLeast
        else {
            return try refuse(
                "rules.tokenByteCounts", tokenByteCounts,
                expected:
                    "a range within 1 to \(DeviceToken.byteCountMax) that ends at \(Settings.tokenBytesMaxLeast) or later"
            )
        }
        if let count = issuedTokenByteCount {
            guard Settings.issuedTokenByteCounts.contains(count), tokenByteCounts.contains(count) else {
                return try refuse(
                    "issuedTokenByteCount", count,
                    expected: "\(Settings.issuedTokenByteCounts.lowerBound) to \(DeviceToken.byteCountMax), as far as "
                        + "rules.tokenByteCounts allows")
            }
        }
    }
}
