public import APNsRules
internal import MynahCore

/// What a test sees, steers and breaks: a whole ``MynahServer``, or the part of it that belongs to one ``MynahScope``.
///
/// Devices and faults that are made through a scope belong to it; pushes belong to the scope of the device that their
/// token names. What a call has answered holds for every later push, on open connections too.
public protocol MynahSimulation: Sendable {
    /// The server.
    var server: MynahServer { get }
    /// The scope's name; `nil` for the whole server.
    var scopeName: String? { get }
}

extension MynahSimulation {
    /// The name or address to call.
    public var host: String { server.host }
    /// The port that speaks TLS.
    public var port: Int { server.port }
    /// `https://localhost:49152`, without a path.
    public var url: String { server.url }
    /// What clients have to trust.
    public var trustRoots: TrustRoots { server.trustRoots }
    /// The key to sign provider tokens with.
    public var signingKey: ProviderKey { server.signingKey }

    /// A provider token that is good now by the server's clock: compact JWS, without the word `bearer`.
    ///
    /// - Parameter key: The key to sign with; `nil`: ``signingKey``.
    /// - Throws: ``MynahError`` when `key` can't be used.
    public func providerToken(signedWith key: ProviderKey? = nil) throws(MynahError) -> String {
        try (key ?? signingKey).token(issuedAt: server.running.now)
    }
}

// MARK: - Time

/// What advancing a clock came to.
public struct ClockAdvance: Hashable, Sendable {
    /// What it says now.
    public let now: Instant
    /// Pushes that devices were given by it.
    public let delivered: Int
    /// Pushes whose time was over by it.
    public let expired: Int
    /// Pushes whose place a newer one with the same collapse id took.
    public let coalesced: Int

    init(_ report: ClockReport) {
        self.now = report.now
        self.delivered = report.delivered
        self.expired = report.expired
        self.coalesced = report.coalesced
    }
}

/// The clock: a server's, by which trust and connections go, or a scope's own, by which its devices go.
extension MynahSimulation {
    /// What the clock says.
    public var now: Instant { server.running.clock(ofScope: scopeName).now }

    /// Moves the clock on, and returns when all that fell due by it is done; a clock that runs goes on from there.
    ///
    /// A scope has a clock of its own from then on.
    /// - Throws: ``MynahError`` for a negative time, or one beyond the year 9999.
    @discardableResult
    public func advanceClock(by duration: Duration) async throws(MynahError) -> ClockAdvance {
        try await changeClock { clock, wall throws(ClockState.Backwards) in try clock.advance(by: duration, wall: wall)
        }
    }

    /// Moves the clock on to a moment, and returns when all that fell due by it is done.
    ///
    /// - Throws: ``MynahError`` for a moment that is past.
    @discardableResult
    public func advanceClock(to instant: Instant) async throws(MynahError) -> ClockAdvance {
        try await changeClock { clock, wall throws(ClockState.Backwards) in try clock.advance(to: instant, wall: wall) }
    }

    /// Moves the clock on to the next thing that is due; `nil` when nothing is.
    ///
    /// - Throws: ``MynahError`` when the server has been stopped.
    @discardableResult
    public func advanceClockToNext() async throws(MynahError) -> ClockAdvance? {
        let server = try self.server.changeable()
        let scope = scopeName
        return try await MynahError.converting {
            try await server.advanceClockToNext(ofScope: scope).map { ClockAdvance($0) }
        }
    }

    /// Lets the clock stand, from now on or at a later moment, until it is advanced.
    ///
    /// - Throws: ``MynahError`` for a moment that is past.
    @discardableResult
    public func freezeClock(at instant: Instant? = nil) async throws(MynahError) -> ClockAdvance {
        try await changeClock { clock, wall throws(ClockState.Backwards) in
            try clock.set(.frozen, now: instant, wall: wall)
        }
    }

    private func changeClock(
        _ change: @Sendable (inout ClockState, Instant) throws(ClockState.Backwards) -> Void
    ) async throws(MynahError) -> ClockAdvance {
        let server = try self.server.changeable()
        let scope = scopeName
        return try await MynahError.converting {
            ClockAdvance(try await server.changeClock(ofScope: scope, change))
        }
    }
}
