/// The exit status of a command (`ControlAPI#Command-line`).
enum CommandStatus: Int32, Sendable {
    case success = 0
    /// An expectation was unmet, or `mynah send` was answered other than 200.
    case unmet = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A port is taken, or no server answers (EX_UNAVAILABLE).
    case unavailable = 69
    /// A setting outside the command line is wrong: environment, file, key (EX_CONFIG).
    case configuration = 78
}

/// The error that ends a command: an exit status, and a message with what is wrong and what was expected.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let status: CommandStatus
    let message: String

    init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    var description: String { message }
}
