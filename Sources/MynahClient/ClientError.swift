public import APNsRules
internal import NIOCore
internal import NIOPosix

/// Why a call to a server, or the search for one, failed.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; not an enum, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// No server answers at the address, or its answer never came.
        public static let unavailable = Code(name: "unavailable")
        /// The server refused the call, by a problem document or another status than 2xx.
        public static let problem = Code(name: "problem")
        /// The answer isn't one of Mynah's control API.
        public static let notMynah = Code(name: "notMynah")
        /// The server can't be determined: several are running, or its address is invalid.
        public static let unclearServer = Code(name: "unclearServer")
        /// An argument can't be sent; nothing was.
        public static let invalidArgument = Code(name: "invalidArgument")
        /// The task that made the call was cancelled.
        public static let cancelled = Code(name: "cancelled")
        /// A file could not be read or written.
        public static let file = Code(name: "file")
        /// The reader of a pipe has closed it.
        public static let readerGone = Code(name: "readerGone")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and, where it is known, what was expected: one sentence.
    public let message: String
    /// The status of the answer; `nil` without one.
    public let status: Int?
    /// The field of the problem document, as a JSON pointer or a parameter; for an answer of another form than Mynah's, the
    /// JSON pointer of the member that is wrong.
    public let field: String?
    /// The problem document (RFC 9457); `nil` without one.
    public let document: JSONValue?

    package init(
        _ code: Code, _ message: String, status: Int? = nil, field: String? = nil, document: JSONValue? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.field = field
        self.document = document
    }

    /// The message.
    public var description: String { message }

    /// Why a connection could not be made, without NIO's wrapping: a clause in lower case, such as "connection refused".
    package static func reason(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let last = error.connectionErrors.last { return reason(of: last.error) }
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "no connection" : "unknown host name \(error.host)"
        case let error as IOError: return SystemError.text(error.errnoCode).lowercased()
        case is ChannelError: return "no connection in time"
        default: return "\(error)"
        }
    }
}
