import Mynah
import MynahClient
import MynahControl
import MynahCore
import MynahStore
import MynahTrust
import MynahWire

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

extension CommandFailure {
    /// The failure for an error of another module; `nil` for all other errors.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ClientError: self.init(CommandStatus(of: error), ControlProblem.text(error))
        case let error as InputError: self.init(.usage, ControlProblem.text(error))
        case let error as TrustError: self.init(error.code == .full ? .unavailable : .configuration, error.description)
        case let error as ListenError: self.init(.unavailable, error.description)
        case let error as LogProblem:
            guard !error.isOfCluster else {
                self.init(error.code == .unreachable ? .unavailable : .configuration, error.description)
                return
            }
            // What passes by itself needs no person.
            let passes = [.inUse, .full].contains(error.code)
            self.init(passes ? .unavailable : .configuration, "the data folder: \(error)")
        case let error as ControlError:
            self.init(error.code == .portUnavailable ? .unavailable : .configuration, error.description)
        default: return nil
        }
    }
}

extension CommandStatus {
    /// The status of a command whose call to a server failed: never ``unmet``, so that a script can tell
    /// unmet expectations from all other failures.
    init(of error: ClientError) {
        self =
            switch (error.code, error.status ?? 0) {
            case (.unclearServer, _), (.invalidArgument, _): .usage
            case (.file, _), (.problem, 401), (.problem, 403): .configuration
            case (.problem, 404): .notFound
            case (.problem, 409): .conflict
            case (.problem, 400...499): .usage
            default: .unavailable
            }
    }
}
