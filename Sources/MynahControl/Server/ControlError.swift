/// Why the control plane could not be started.
public struct ControlError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of reason.
    public enum Code: String, Sendable {
        /// Other machines reach it and there is no token.
        case tokenRequired
        /// A setting has no sense.
        case invalidSetting
        /// The port is taken, or may not be bound.
        case portUnavailable
    }

    /// What kind of reason.
    public let code: Code
    /// One sentence that names what is wrong and what would be right.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
