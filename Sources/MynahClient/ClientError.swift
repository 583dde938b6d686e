public import APNsRules

/// Why a call to a server, or the search for one, failed.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure; compared instead of sentences.
    ///
    /// Not an enum, so that it can grow.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// Nobody answers at the address, or the answer never came.
        public static let unavailable = Code(name: "unavailable")
        /// The server's answer is a problem document, or a status that is no success.
        public static let problem = Code(name: "problem")
        /// What answers does not speak as Mynah's control API does.
        public static let notMynah = Code(name: "notMynah")
        /// Which server is meant cannot be told: several live ones, or an address that is none.
        public static let unclearServer = Code(name: "unclearServer")
        /// The task that made the call was cancelled.
        public static let cancelled = Code(name: "cancelled")
        /// A file could not be read or written.
        public static let file = Code(name: "file")
        /// Nobody reads what is written any more: the other end of a pipe has closed.
        public static let readerGone = Code(name: "readerGone")
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence that names what is wrong and, where it is known, what would be right.
    public let message: String
    /// The status of the answer, when there was one.
    public let status: Int?
    /// The field that a problem document names, as a JSON pointer or a parameter.
    public let field: String?
    /// The problem document (RFC 9457), when the answer was one.
    public let document: JSONValue?

    /// A failure without an answer behind it.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        self.status = nil
        self.field = nil
        self.document = nil
    }

    /// A failure that an answer told.
    package init(status: Int, message: String, field: String?, document: JSONValue?) {
        self.code = .problem
        self.message = message
        self.status = status
        self.field = field
        self.document = document
    }

    /// The message.
    public var description: String { message }
}
