internal import Mynah
internal import MynahCore

extension Problem {
    /// The problem that answers an error of the server, or `nil` for an error that no caller can mend.
    init?(answering error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as InputError: self.init(error)
        case let error as CertificateFailure:
            self.init(error.isCallersFault ? .invalidField : .unavailable, error.description)
        default: return nil
        }
    }

    /// The problem of a body or a parameter; a field that is not a JSON pointer is a parameter of the URL.
    init(_ error: InputError) {
        let isParameter = !error.field.isEmpty && !error.field.hasPrefix("/")
        let kind: Kind =
            switch error.kind {
            case .invalid: isParameter ? .invalidParameter : .invalidField
            case .unknownName: isParameter ? .unknownParameter : .unknownField
            case .notFound: .notFound
            case .conflict: .conflict
            case .forbidden: .forbidden
            }
        self.init(kind, error.problem, field: error.place, allowed: error.allowed.isEmpty ? nil : error.allowed)
    }
}
