/// How a command ends (`ControlAPI#Command-line`).
enum CommandStatus: Int32, Sendable {
    case success = 0
    /// An expectation was not met, or APNs' answer to `mynah send` was other than 200.
    case unmet = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A port is taken, or no server is there (EX_UNAVAILABLE).
    case unavailable = 69
    /// A setting outside the command line is wrong: environment, file, key (EX_CONFIG).
    case configuration = 78
}

/// The one error that commands end with: an exit status, and a message that names what is wrong and what
/// would be right.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let status: CommandStatus
    let message: String

    init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    var description: String { message }
}
