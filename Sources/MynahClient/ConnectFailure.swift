internal import NIOCore
internal import NIOPosix

/// Why a connection could not be made, without NIO's wrapping.
enum ConnectFailure {
    /// A clause in lower case, such as "connection refused".
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let last = error.connectionErrors.last { return reason(of: last.error) }
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "no connection" : "the name \(error.host) is not known"
        case let error as IOError:
            return SystemError.text(error.errnoCode).lowercased()
        case is ChannelError:
            return "no connection in time"
        default:
            return "\(error)"
        }
    }
}
