import MynahClient

/// The facts about a listening server for the banner, the ready line, the ready file and the environment of `mynah
/// exec`.
struct ServerFacts: Sendable {
    /// The name or address for clients on this machine; not `0.0.0.0`.
    var clientHost: String
    /// Ports, URL and files.
    var ready: ReadyFile
    /// The seed of every random choice.
    var seed: UInt64
    /// The value of `HTTPS_PROXY` for clients on this machine, if there is a proxy.
    var proxyURL: String?
    /// The file name of the generated signing key; `nil` with keys of the user's own.
    var developmentKeyName: String?

    /// `https://localhost:2197`.
    var apnsURL: String { "https://" + ServerFacts.authority(clientHost, ready.port) }

    /// The host for clients on this machine of a server that binds `host`.
    static func clientHost(bound host: String) -> String {
        switch host {
        case "0.0.0.0", "::", "127.0.0.1", "::1": "localhost"
        default: host
        }
    }

    /// The URL for clients on this machine of an HTTP server that binds `host`.
    static func httpURL(bound host: String, port: Int) -> String {
        switch host {
        case "localhost", "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: "http://" + authority(host, port)
        }
    }

    /// Host and port as in a URL.
    static func authority(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
