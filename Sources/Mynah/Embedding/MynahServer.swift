public import APNsRules
public import Logging
package import MynahCore
internal import Synchronization

/// APNs on localhost in the process of a test.
///
/// ```swift
/// let apns = try await MynahServer.start()
/// // Let the provider trust apns.trustRoots, sign with apns.signingKey and push to apns.host and apns.port.
/// try await apns.expect(.topic("com.example.app"))
/// try await apns.stop()
/// ```
///
/// A process may run several servers; they share nothing. A server runs until ``stop()``, even if nothing refers to it;
/// ``withServer(_:logger:isolation:_:)`` stops it in any case. All calls are thread-safe.
public final class MynahServer: MynahSimulation, Hashable {
    @TaskLocal private static var surrounding: MynahServer?

    /// The underlying server, shared with the control plane and the command line.
    package let running: Server
    /// What another module added to the server.
    package let companion: (any ServerCompanion)?
    // The task that stops the server, once a stop was requested.
    private let end = Mutex<Task<Void, any Error>?>(nil)
    // For generated names of scopes.
    private let scopeNumbers = Atomic<UInt64>(0)

    private init(_ running: Server, _ companion: (any ServerCompanion)?) {
        self.running = running
        self.companion = companion
    }

    /// Whether both are the same server.
    public static func == (left: MynahServer, right: MynahServer) -> Bool { left === right }
    /// Hashes the server's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Starts a server and returns when it accepts connections; its warnings go to `logger`.
    ///
    /// By default it has a free port and everything in memory (``Settings/embedded``); `Settings()` has the defaults of
    /// the command line instead: port 2197, `./certs`. Throws ``MynahError/Code/badSetting`` for a setting with an
    /// impossible value or a key file that can't be used, ``MynahError/Code/portUnavailable`` for a port that can't be
    /// bound.
    public static func start(
        _ settings: Settings = .embedded, logger: Logger? = nil
    ) async throws(MynahError) -> MynahServer {
        try await MynahError.converting { try await start(settings, clock: { _ in ClockState() }, logger: logger) }
    }

    /// Starts a server as ``start(_:logger:)`` does, on the clock that `clock` makes from the system's time, with what
    /// `companion` adds to it; when that throws, the server is stopped.
    package static func start(
        _ settings: Settings, clock: (Instant) throws -> ClockState, logger: Logger?,
        companion: (Server, Logger) async throws -> (any ServerCompanion)? = { _, _ in nil }
    ) async throws -> MynahServer {
        try settings.check()
        let logger = logger ?? Logger(label: "mynah") { _ in SwiftLogNoOpLogHandler() }
        let server = try await Server(settings, logger: logger, clock: try clock(WallClock.now()))
        do {
            let companion = try await companion(server, logger)
            // Fixtures are loaded here only if no companion has loaded them.
            try await server.load()
            return MynahServer(server, companion)
        } catch {
            var teardown = Teardown()
            await teardown.run { try await server.shutDown() }
            throw error
        }
    }

    /// Starts a server as ``start(_:logger:)`` does, calls `body` with it, and stops it when `body` has returned or
    /// thrown; it is ``current`` within `body`.
    public static func withServer<Result: Sendable>(
        _ settings: Settings = .embedded, logger: Logger? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (MynahServer) async throws -> Result
    ) async throws -> Result {
        let server = try await start(settings, logger: logger)
        let result: Result
        do {
            result = try await $surrounding.withValue(server) { try await body(server) }
        } catch {
            // The first error is the one to report.
            do { try await server.stop() } catch let failure { logger?.error("the server did not stop: \(failure)") }
            throw error
        }
        try await server.stop()
        return result
    }

    /// The server of the surrounding ``withServer(_:logger:isolation:_:)``; `nil` in a detached task.
    public static var current: MynahServer? { surrounding }

    /// Ends the server, and returns when its ports are free and its threads gone.
    ///
    /// Open connections get GOAWAY, and their streams may finish within ``Settings/shutdownGrace``. Afterwards the journal
    /// can be read, but nothing can be changed. Stopping twice is no error.
    public func stop() async throws(MynahError) {
        let task = end.withLock { end in
            if let end { return end }
            // Not part of the caller's task: a cancelled test must not leave a server half stopped.
            let task = Task { [running, companion] in
                companion?.serverWillStop()
                var teardown = Teardown()
                await teardown.run { try await running.shutDown() }
                await companion?.end()
                try teardown.finish()
            }
            end = task
            return task
        }
        try await MynahError.converting { try await task.value }
    }

    /// Whether the server has been asked to stop.
    public var isStopped: Bool { end.withLock { $0 != nil } }

    /// The server, if it has not been stopped.
    func changeable() throws(MynahError) -> Server {
        guard !isStopped else { throw MynahError(.stopped, "the server has been stopped; its journal can be read") }
        return running
    }

    /// Calls the server, if it has not been stopped, and converts the error.
    func change<Answer: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ call: (Server) async throws -> Answer
    ) async throws(MynahError) -> Answer {
        let server = try changeable()
        return try await MynahError.converting { try await call(server) }
    }

    /// Makes a unique name for a scope that begins with a test's name.
    func freshScopeName(_ prefix: String) -> String {
        let number = scopeNumbers.add(1, ordering: .relaxed).newValue
        let plain = prefix.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }
        // Room for a hyphen and any number, within the 64 characters of a scope's name.
        return String(plain.prefix(40)) + "-\(number)"
    }
}

// MARK: - Address and trust

extension MynahServer {
    /// The server itself.
    public var server: MynahServer { self }
    /// `nil` for all of the server.
    public var scopeName: String? { nil }
    /// The settings that the server was started with.
    public var settings: Settings { running.settings }
    /// The port that speaks TLS, the first of several.
    public var port: Int { ports[0] }
    /// The ports that speak TLS, in the order of the settings.
    public var ports: [Int] { running.ports }
    /// The ports of channel management, in the order of ``Settings/channelsPorts``.
    public var channelsPorts: [Int] { running.channelsPorts }
    /// The port of web pushes, if ``Settings/webPushPort`` is set.
    public var webPushPort: Int? { running.webPushPort }
    /// The port without TLS, if ``Settings/cleartextPort`` is set.
    public var cleartextPort: Int? { running.cleartextPort }
    /// The port of the HTTP CONNECT proxy, if ``Settings/proxyPort`` is set.
    public var proxyPort: Int? { running.proxyPort }
    /// The seed of every random choice, given or drawn; the same one gives the same choices again.
    public var seed: UInt64 { running.seed }

    /// The name or address for clients on this machine, which the server's certificate has.
    public var host: String {
        switch settings.host {
        case "0.0.0.0", "::", "127.0.0.1", "::1": "localhost"
        default: settings.host
        }
    }

    /// `https://localhost:49152`, without a path.
    public var url: String { host.contains(":") ? "https://[\(host)]:\(port)" : "https://\(host):\(port)" }
    /// The open connections, in the order of their numbers.
    public func connections() async -> [ConnectionView] { isStopped ? [] : await running.connections() }

    /// Ends a connection by GOAWAY, its streams finished first, or at once by a TCP reset; `false` when it is not open.
    @discardableResult
    public func closeConnection(_ id: UInt64, abort: Bool = false) async throws(MynahError) -> Bool {
        let server = try changeable()
        return try await MynahError.converting { try await server.closeConnection(id, abort: abort) }
    }
}

extension MynahServer {
    /// The names of the scenarios that come with Mynah, as `mynah scenario list --shipped` has them.
    public static var scenarioNames: [String] { ShippedScenarios.names }
}

/// Scenarios: scripts that add and remove faults; a scenario of a scope touches its pushes only, and follows its clock.
extension MynahSimulation {
    /// Starts a scenario that comes with Mynah; the faults of its unconditional first steps hold when this returns; in a
    /// scope an error for one with faults of connections.
    public func startScenario(_ name: String) async throws(MynahError) {
        try await startScenario(["name": .string(name)])
    }

    /// Starts a scenario, as `POST /v1/scenarios` takes it.
    public func startScenario(_ document: JSONValue) async throws(MynahError) {
        let scope = scopeName.map { [JSONMember("scope", .string($0))] } ?? []
        let given: JSONValue = .object((document.object ?? []).filter { scope.isEmpty || $0.name != "scope" } + scope)
        _ = try await server.change { try await $0.startScenario(try ShippedScenarios.scenario(json: given)) }
    }

    /// Removes a scenario with the faults that it has added.
    public func removeScenario(_ name: String) async throws(MynahError) {
        let removed = try await server.change { [scopeName] in
            try await $0.removeScenario(name, ofScope: scopeName)
        }
        guard removed != nil else { throw MynahError(.notFound, "no scenario \(name) is running") }
    }
}

/// A part that another module adds to a ``MynahServer`` and that ends with it.
package protocol ServerCompanion: AnyObject, Sendable {
    /// Called before the server stops, while it still takes pushes.
    func serverWillStop()
    /// Called after the server has stopped; returns when the companion has ended.
    func end() async
}
