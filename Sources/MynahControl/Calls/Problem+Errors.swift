internal import Mynah
internal import MynahCore

extension Problem {
    /// The problem that answers an error of the server, or `nil` for an error that no caller can mend.
    init?(answering error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as DeviceError: self.init(error)
        case let error as QueryError: self.init(error, .invalidField)
        case FaultSet.ChangeError.invalid(let error): self.init(error, .invalidField)
        case FaultSet.ChangeError.taken(let error), FaultSet.ChangeError.full(let error): self.init(error, .conflict)
        case let error as CertificateFailure:
            self.init(error.isCallersFault ? .invalidField : .unavailable, error.description)
        default: return nil
        }
    }

    /// The problem of a filter, an expectation or a fault rule.
    init(_ error: QueryError, _ kind: Kind) {
        self.init(kind, error.problem, field: error.field, allowed: error.allowed.isEmpty ? nil : error.allowed)
    }

    /// The problem of a call about a device; a field that is no JSON pointer is a parameter of the URL.
    init(_ error: DeviceError) {
        let isParameter = error.field.map { !$0.isEmpty && !$0.hasPrefix("/") } ?? false
        let kind: Kind =
            switch error.kind {
            case .invalid: isParameter ? .invalidParameter : .invalidField
            case .unknownField: isParameter ? .unknownParameter : .unknownField
            case .notFound: .notFound
            case .conflict: .conflict
            case .forbidden: .forbidden
            }
        self.init(kind, error.problem, field: error.field, allowed: error.allowed.isEmpty ? nil : error.allowed)
    }
}
