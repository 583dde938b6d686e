import MynahClient

/// What is known of a server once it listens: what the banner, the ready line, the ready file and the
/// environment of `mynah exec` say.
struct ServerFacts: Sendable {
    /// The name or address that clients on this machine call; not `0.0.0.0`.
    var clientHost: String
    /// Ports, URL and files.
    var ready: ReadyFile
    /// The seed of every random choice.
    var seed: UInt64
    /// Where clients on this machine find the proxy, as `HTTPS_PROXY` has it; `nil` when there is none.
    var proxyURL: String?
    /// The file name of the generated signing key; `nil` when the keys are the user's own.
    var developmentKeyName: String?

    /// `https://localhost:2197`.
    var apnsURL: String { "https://" + ServerFacts.authority(clientHost, ready.port) }

    /// The host that clients on this machine call when a server binds `host`.
    static func clientHost(bound host: String) -> String {
        switch host {
        case "0.0.0.0", "::", "127.0.0.1", "::1": "localhost"
        default: host
        }
    }

    /// The URL under which clients on this machine reach an HTTP server that binds `host`.
    static func httpURL(bound host: String, port: Int) -> String {
        switch host {
        case "localhost", "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: "http://" + authority(host, port)
        }
    }

    /// Host and port as they stand in a URL.
    static func authority(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
