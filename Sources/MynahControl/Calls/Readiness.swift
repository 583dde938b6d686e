/// Whether the server takes pushes; what `/readyz` and `/livez` answer.
public enum Readiness: String, Sendable {
    /// The fixtures are not in yet: 503.
    case starting
    /// 200.
    case ready
    /// It shuts down: 503.
    case stopping
}
