/// Whether the server accepts pushes; the answer of `/readyz` and `/livez`.
public enum Readiness: String, Sendable {
    /// The fixtures are not loaded yet: 503.
    case starting
    /// 200.
    case ready
    /// The server is shutting down: 503.
    case stopping
}
