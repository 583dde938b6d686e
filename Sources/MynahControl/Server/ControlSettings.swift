internal import Mynah

/// The settings of the control plane (`ControlAPI#Command-line`); `--tls-name` is one of the server's.
public struct ControlSettings: Hashable, Sendable {
    /// `--control-host`: the host to bind; `localhost` is 127.0.0.1 and ::1.
    public var host = "localhost"
    /// `--control-port`; 0 for a free port.
    public var port = 8197
    /// `--control-token`: the bearer token that calls must carry; `nil` or empty for none.
    public var token: String?
    /// `--insecure-control`: allows a server that other machines can reach to have no token.
    public var insecureControl = false
    /// `--allowed-host`: further values of `Host`, without a port; a leading `*.` matches any name below.
    public var allowedHosts: [String] = []
    /// `--cors-origin`: further values of `Origin`, such as `https://tools.example.com`.
    public var corsOrigins: [String] = []
    var streamLimits = StreamLimits()
    var listenerLimits = ListenerLimits()

    /// The defaults of `mynah serve`.
    public init() {}
}

extension ControlSettings {
    /// The token that callers need, if any.
    var requiredToken: String? { token?.isEmpty == true ? nil : token }

    /// Refuses settings that are invalid or unsafe.
    package func check() throws(ControlError) {
        guard requiredToken != nil || insecureControl || Loopback.contains(host) else {
            throw ControlError(
                .tokenRequired,
                "the control API on \(host) can be reached from other machines: set --control-token, "
                    + "or --insecure-control on a trusted network, or --control-host localhost")
        }
        guard (0...65_535).contains(port) else {
            throw ControlError(
                .invalidSetting, "invalid --control-port \(port): expected 0 to 65535, 0 for a free port")
        }
        for name in allowedHosts where !HostRule.canAllow(name) {
            throw ControlError(
                .invalidSetting,
                "invalid --allowed-host \(name): expected a host name without scheme, port and path, such as "
                    + "mynah.example.com, or *.example.com for all names below one")
        }
        for origin in corsOrigins where Origin(origin) == nil {
            throw ControlError(
                .invalidSetting,
                "invalid --cors-origin \(origin): expected a scheme and a host, such as https://tools.example.com")
        }
    }
}

/// Why the control plane could not be started.
public struct ControlError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable {
        /// Other machines can reach it, and it has no token.
        case tokenRequired
        /// A setting has an invalid value.
        case invalidSetting
        /// The port is in use, or binding it is not permitted.
        case portUnavailable
    }

    /// The kind of error.
    public let code: Code
    /// One sentence: what is wrong, and what was expected.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
