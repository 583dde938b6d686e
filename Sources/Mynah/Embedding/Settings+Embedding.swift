internal import APNsRules
internal import MynahTrust

extension Settings {
    /// What a test wants unless it says otherwise: a free port, everything in memory, one event loop, and a quick end.
    ///
    /// Apart from that, the defaults of `mynah serve`. Nothing is written to disk.
    public static var embedded: Settings {
        var settings = Settings()
        settings.ports = [PortBinding(port: 0)]
        settings.stateDirectory = nil
        settings.eventLoops = 1
        settings.shutdownGrace = .milliseconds(250)
        // A test on a busy machine may be put off for longer than a client that means it.
        settings.handshakeTimeout = .seconds(60)
        return settings
    }

    /// ``embedded``, changed: `.embedded { $0.devices = .strict }`.
    public static func embedded(_ change: (inout Settings) throws -> Void) rethrows -> Settings {
        var settings = embedded
        try change(&settings)
        return settings
    }

    // Fewer leave no room for different ones.
    private static let issuedTokenByteCounts = 16...DeviceToken.byteCountMax

    /// Refuses values that no server can have, which the command line's flags don't let in either.
    ///
    /// - Throws: ``MynahError`` with ``MynahError/Code/badSetting`` and the setting's name.
    func check() throws(MynahError) {
        func refuse(_ name: String, _ value: some Any, _ expected: String) throws(MynahError) {
            throw MynahError(.badSetting, field: name, "\(name) is \(value); \(expected) was expected")
        }
        if ports.isEmpty { try refuse("ports", "empty", "at least one port for TLS, [.init(port: 0)] for a free one") }
        var seen: Set<Int> = []
        for port in ports.map(\.port) + [cleartextPort, proxyPort].compactMap(\.self) {
            guard (0...65_535).contains(port) else {
                throw MynahError(
                    .badSetting, field: "ports", "\(port) is no port; 0 to 65535 was expected, 0 being a free one")
            }
            if port != 0, !seen.insert(port).inserted {
                throw MynahError(
                    .badSetting, field: "ports", "port \(port) is given twice; 0 is a free one each time")
            }
        }
        if let teamID, !Identifier.isWellFormed(teamID) {
            try refuse("teamID", "\"\(teamID)\"", "\(Limits.identifierLength) letters and digits, like TEAM123456")
        }
        for (name, count) in [("retain", retain), ("retainBytes", retainBytes)] where count < 0 {
            try refuse(name, count, "0 or more")
        }
        for (name, count) in [
            ("maxErrors", maxErrors), ("backgroundBudget", backgroundBudget), ("eventLoops", eventLoops),
            ("reconnectLimit.count", reconnectLimit?.count),
        ] {
            if let count, count < 1 { try refuse(name, count, "1 or more, or nil,") }
        }
        for (name, duration) in [
            ("idleTimeout", idleTimeout), ("handshakeTimeout", handshakeTimeout), ("requestTimeout", requestTimeout),
            ("deferralMax", deferralMax),
            ("reconnectLimit.period", reconnectLimit?.period),
        ] {
            if let duration, duration <= .zero { try refuse(name, duration, "a time above zero") }
        }
        for (name, duration) in [("shutdownGrace", shutdownGrace), ("unregisterDelay", unregisterDelay.lowerBound)]
        where duration < .zero {
            try refuse(name, duration, "a time that is not negative")
        }
        for limit in [streamLimits.beforeTrust, streamLimits.trusted] where !(1...Limits.streamsMax).contains(limit) {
            try refuse("streamLimits", limit, "1 to \(Limits.streamsMax)")
        }
        let tokenByteCounts = rules.tokenByteCounts
        guard tokenByteCounts.lowerBound >= 1, tokenByteCounts.upperBound <= DeviceToken.byteCountMax else {
            return try refuse(
                "rules.tokenByteCounts", tokenByteCounts, "a range within 1 to \(DeviceToken.byteCountMax)")
        }
        if let count = issuedTokenByteCount {
            guard Settings.issuedTokenByteCounts.contains(count), tokenByteCounts.contains(count) else {
                return try refuse(
                    "issuedTokenByteCount", count,
                    "\(Settings.issuedTokenByteCounts.lowerBound) to \(DeviceToken.byteCountMax), and what "
                        + "rules.tokenByteCounts allows,")
            }
        }
    }
}
