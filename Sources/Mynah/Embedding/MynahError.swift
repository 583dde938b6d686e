internal import APNsRules
internal import MynahCore
internal import MynahStore
internal import MynahTrust
internal import MynahWire

/// An error of an embedded server.
public struct MynahError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of error.
    public enum Code: String, Sendable {
        /// A setting with an impossible value, or a key or certificate that can't be used.
        case badSetting
        /// A port that can't be bound.
        case portUnavailable
        /// A value of a call: a device, a fault, a filter, a time.
        case invalid
        /// A device, app, fault or key that does not exist.
        case notFound
        /// Something that exists conflicts with the call.
        case conflict
        /// The server has been stopped or is stopping.
        case stopped
        /// The server is too busy to answer in time.
        case busy
        /// A data folder that can't be opened, read or written.
        case dataUnavailable
        /// The task has no surrounding server or scope.
        case noScope
        /// Mynah itself failed.
        case failed
    }

    /// The kind of error.
    public let code: Code
    /// The setting, or a JSON pointer into the given object; `nil` if the error is not about a field.
    public let field: String?
    /// What is wrong and what was expected.
    public let description: String

    package init(_ code: Code, field: String? = nil, _ description: String) {
        self.code = code
        self.field = field
        self.description = description
    }
}

extension MynahError {
    init(_ error: InputError) {
        let code: Code =
            switch error.kind {
            case .invalid, .unknownName, .forbidden, .backwards, .tooLarge: .invalid
            case .notFound: .notFound
            case .conflict: .conflict
            case .unavailable: .dataUnavailable
            case .failed: .failed
            }
        self.init(code, field: error.place, error.description)
    }

    /// Any error of a start, or of a call to the server's loops.
    package init(_ error: any Error) {
        switch error {
        case let error as MynahError: self = error
        case let error as TrustError: self.init(.badSetting, error.description)
        case let error as ListenError: self.init(.portUnavailable, field: "ports", error.description)
        case let error as LogProblem: self.init(.dataUnavailable, field: "dataDirectory", error.description)
        case let error as InputError where error.field.hasPrefix("/keys/"):
            self.init(.badSetting, field: String(error.field.dropFirst()), error.problem)
        case let error as InputError: self.init(error)
        case is CancellationError: self.init(.stopped, "the task was cancelled")
        default: self.init(.failed, "\(error)")
        }
    }

    /// Reads what a caller gave and converts the error.
    static func reading<Value>(_ body: () throws(InputError) -> Value) throws(MynahError) -> Value {
        do throws(InputError) { return try body() } catch { throw MynahError(error) }
    }

    /// Runs a call and converts its error.
    static func converting<Answer: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
    ) async throws(MynahError) -> Answer {
        do { return try await body() } catch { throw MynahError(error) }
    }
}
