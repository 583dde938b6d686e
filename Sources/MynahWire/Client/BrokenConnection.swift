internal import MynahSystem
internal import NIOCore

/// Why a client's connection has ended.
enum BrokenConnection {
    /// The system's words for an error of a system call, without the name of the function that has made it.
    static func text(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return String(cString: strerror(error.errnoCode))
    }
}
