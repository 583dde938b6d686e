public import APNsRules
internal import MynahCore

/// What a test observes and controls: a whole ``MynahServer``, or the part of it that belongs to one ``MynahScope``:
/// devices and faults that are made through it, and pushes to its devices; a call takes effect for every later push, on
/// open connections too.
public protocol MynahSimulation: Sendable {
    /// The server.
    var server: MynahServer { get }
    /// The scope's name; `nil` for the whole server.
    var scopeName: String? { get }
}

extension MynahSimulation {
    /// The name or address to connect to.
    public var host: String { server.host }
    /// The port that speaks TLS.
    public var port: Int { server.port }
    /// `https://localhost:49152`, without a path.
    public var url: String { server.url }
    /// The CA that clients have to trust.
    public var trustRoots: TrustRoots { server.trustRoots }
    /// The key to sign provider tokens with.
    public var signingKey: ProviderKey { server.signingKey }

    /// Makes a provider token that is valid now by the server's clock, signed with a key, by default ``signingKey``:
    /// compact JWS, without the word `bearer`.
    public func providerToken(signedWith key: ProviderKey? = nil) throws(MynahError) -> String {
        try (key ?? signingKey).token(issuedAt: server.running.now)
    }
}

/// The clock: a server's, which trust and connections use, or a scope's own, which its devices use.
extension MynahSimulation {
    /// The clock's time.
    public var now: Instant { server.running.clock(ofScope: scopeName).now }

    /// Advances the clock, which a scope has of its own from then on, and returns when everything that falls due is
    /// done; a running clock goes on from there; a negative time, or one beyond the year 9999, is an error.
    @discardableResult
    public func advanceClock(by duration: Duration) async throws(MynahError) -> ClockReport {
        try await changeClock(.advance(by: duration))
    }

    /// Advances the clock to a moment, which must not be past, and returns when everything that falls due is done.
    @discardableResult
    public func advanceClock(to instant: Instant) async throws(MynahError) -> ClockReport {
        try await changeClock(.set(now: instant))
    }

    /// Advances the clock to the next time at which something is due; returns `nil` if nothing is.
    @discardableResult
    public func advanceClockToNext() async throws(MynahError) -> ClockReport? {
        try await server.change { [scopeName] in try await $0.advanceClockToNext(ofScope: scopeName) }
    }

    /// Stops the clock, now or at a later moment, until it is advanced.
    @discardableResult
    public func freezeClock(at instant: Instant? = nil) async throws(MynahError) -> ClockReport {
        try await changeClock(.set(.frozen, now: instant))
    }

    private func changeClock(_ change: ClockState.Change) async throws(MynahError) -> ClockReport {
        try await server.change { [scopeName] in try await $0.changeClock(ofScope: scopeName, change) }
    }
}
