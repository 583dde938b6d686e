internal import Mynah

/// What the control plane is told before it starts (`ControlAPI#Command-line`).
///
/// The names of `--tls-name` are taken from the server's own settings.
public struct ControlSettings: Hashable, Sendable {
    /// `--control-host`: what the listener binds; `localhost` is 127.0.0.1 and ::1.
    public var host = "localhost"
    /// `--control-port`; 0 is a free one.
    public var port = 8197
    /// `--control-token`: the bearer token that calls must carry; `nil` or empty asks for none.
    public var token: String?
    /// `--insecure-control`: no token although other machines reach the API.
    public var insecureControl = false
    /// `--allowed-host`: further values of `Host`, without a port; a leading `*.` stands for any name below.
    public var allowedHosts: [String] = []
    /// `--cors-origin`: further values of `Origin`, such as `https://tools.example.com`.
    public var corsOrigins: [String] = []
    /// How long streams of events may be silent, and their readers asleep.
    var streamLimits = StreamLimits()
    /// What one address takes from its callers.
    var listenerLimits = ListenerLimits()

    /// The defaults of `mynah serve`.
    public init() {}
}

extension ControlSettings {
    /// The token, when there is one to ask for.
    var requiredToken: String? {
        guard let token, !token.isEmpty else { return nil }
        return token
    }

    /// Finds what must not be started.
    package func check() throws(ControlError) {
        guard requiredToken != nil || insecureControl || Loopback.contains(host) else {
            throw ControlError(
                .tokenRequired,
                "the control API on \(host) can be reached from other machines: set --control-token, "
                    + "or --insecure-control on a trusted network, or --control-host localhost")
        }
        guard (0...65_535).contains(port) else {
            throw ControlError(.invalidSetting, "--control-port \(port) is no port: 0 to 65535, 0 for a free one")
        }
        for origin in corsOrigins where Origin(origin) == nil {
            throw ControlError(
                .invalidSetting,
                "--cors-origin \(origin) is no origin: a scheme and a host, such as https://tools.example.com")
        }
    }
}
