/// Why a call about a device cannot be done, and what would be right.
package struct DeviceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of wrong, which decides the status of the answer.
    package enum Kind: Sendable {
        /// A field's value: 400.
        case invalid
        /// A field that is not known: 400.
        case unknownField
        /// There is no such device or registration: 404.
        case notFound
        /// Something is there that excludes it: 409.
        case conflict
        /// The app may not: 403 (`DeviceBehaviour#Registration-and-tokens`, the push entitlement).
        case forbidden
    }

    /// What kind of wrong.
    package let kind: Kind
    /// Where, as a JSON pointer into the request's body; `nil` when it is not about a field.
    package let field: String?
    /// What, as a sentence.
    package let problem: String
    /// What may stand there, when that is a list.
    package let allowed: [String]

    /// An error.
    package init(_ kind: Kind, at field: String? = nil, _ problem: String, allowed: [String] = []) {
        self.kind = kind
        self.field = field
        self.problem = problem
        self.allowed = allowed
    }

    /// One sentence with its place.
    package var description: String {
        let place = field.map { $0.isEmpty ? "" : "\($0): " } ?? ""
        return allowed.isEmpty
            ? place + problem : "\(place)\(problem); allowed: \(allowed.joined(separator: ", "))"
    }

    static func noDevice(_ id: String) -> DeviceError { DeviceError(.notFound, "there is no device \(id)") }
}
