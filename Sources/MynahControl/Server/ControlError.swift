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
