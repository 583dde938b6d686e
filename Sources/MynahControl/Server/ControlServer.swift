package import Logging
package import Mynah

/// The running control plane of a server: its HTTP API, until ``shutDown()``.
///
/// It runs on the process's shared event loops and not on the server's, so that even a large answer delays no push.
public final class ControlServer: Sendable {
    private let listeners: [ControlListener]
    let state: ControlState
    private let grace: Duration
    /// The port, the same on each address of the host.
    public let port: Int
    /// The base URL for a client on this machine, without a trailing slash.
    public let url: String

    private init(listeners: [ControlListener], state: ControlState, host: String, grace: Duration) {
        self.listeners = listeners
        self.state = state
        self.grace = grace
        self.port = listeners.first?.port ?? 0
        let address = host == "localhost" ? listeners.first?.address : nil
        self.url = "http://\(ControlServer.urlHost(address ?? host)):\(port)"
    }

    /// Starts the control API of `server`, which becomes ready once `load` has loaded its fixtures; until then the
    /// probes answer 503; `portOwner` finds who has its port if that is taken, by default as the server's settings do.
    /// - Throws: ``ControlError``, and what `load` throws; the control API is shut down then.
    package static func start(
        _ server: Server, _ settings: ControlSettings, logger: Logger, portOwner: PortOwner.Finder? = nil,
        loading load: (ControlServer) async throws -> Void = { _ in }
    ) async throws -> ControlServer {
        try settings.check()
        let state = ControlState(server: server, logger: logger, streamLimits: settings.streamLimits)
        let gate = Gate(
            hosts: settings.allowedHosts + server.settings.tlsNames, origins: settings.corsOrigins,
            token: settings.requiredToken)
        let listeners = try await ControlListener.bind(
            host: settings.host, port: settings.port, owner: portOwner ?? server.settings.portOwner,
            responder: ControlResponder(gate: gate, state: state), limits: settings.listenerLimits,
            warnings: server.warnings, logger: logger)
        let control = ControlServer(
            listeners: listeners, state: state, host: settings.host, grace: server.settings.shutdownGrace)
        state.controlPort = control.port
        do {
            try await load(control)
        } catch {
            await control.shutDown()
            throw error
        }
        control.setReadiness(.ready)
        return control
    }

    /// The server that is controlled.
    package var server: Server { state.server }

    /// Changes what the probes answer.
    public func setReadiness(_ readiness: Readiness) { state.readiness = readiness }

    /// Shuts the control plane down: waiting calls are answered at once, others may finish within `--shutdown-grace`.
    public func shutDown() async {
        state.readiness = .stopping
        await withTaskGroup { group in
            for listener in listeners { group.addTask { await listener.shutDown(grace: self.grace) } }
        }
    }

    private static func urlHost(_ host: String) -> String {
        switch host {
        case "localhost", "0.0.0.0", "::", "[::]": "127.0.0.1"
        default: host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        }
    }
}
