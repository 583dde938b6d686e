package import APNsRules

/// What is wrong with a document or a parameter that a user wrote, or why the server can't do what it asks for.
package struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error, which decides the status of the answer.
    package enum Kind: Sendable {
        /// A value that can't be: 400.
        case invalid
        /// A member or parameter that doesn't exist: 400.
        case unknownName
        /// The app may not do that: 403 (`DeviceBehaviour#Registration-and-tokens`, the push entitlement).
        case forbidden
        /// A device, app, rule or notification that doesn't exist: 404.
        case notFound
        /// Something that exists excludes it: 409.
        case conflict
    }

    package let kind: Kind
    /// Where: a JSON pointer into a body, or the name of a parameter; empty for the whole body.
    package let field: String
    /// What is wrong and what was expected, a sentence without its period.
    package let problem: String
    /// What may stand there, when that is a list.
    package let allowed: [String]

    /// An error; the allowed values are added to a problem that doesn't say what was expected.
    package init(
        _ kind: Kind = .invalid, at field: String = "", _ problem: String, allowed: [String] = []
    ) {
        self.kind = kind
        self.field = field
        let saysExpected = [": expected ", ": did you mean "].contains { problem.contains($0) }
        self.problem =
            allowed.isEmpty || saysExpected ? problem : "\(problem): expected \(InputError.alternatives(allowed))"
        self.allowed = allowed
    }

    /// The field; `nil` for an error that is about no part of a document.
    package var place: String? {
        switch kind {
        case .invalid, .unknownName: field
        case .forbidden, .notFound, .conflict: field.isEmpty ? nil : field
        }
    }

    package var description: String { field.isEmpty ? problem : "\(field): \(problem)" }

    /// The same error of a document that is part of another one.
    package func within(_ pointer: String) -> InputError {
        InputError(kind, at: pointer + field, problem, allowed: allowed)
    }

    /// A name that is not known, with the known one that is spelt most like it.
    package static func unknown(_ what: String, _ name: String, at field: String, among known: [String]) -> InputError {
        InputError(.unknownName, at: field, "unknown \(what) \"\(name)\"\(Spelling.hint(name, known))", allowed: known)
    }

    /// A text that is none of the allowed ones.
    package static func unlisted(_ text: String, at field: String, among allowed: [String]) -> InputError {
        InputError(at: field, "\"\(text)\" is not valid\(Spelling.hint(text, allowed))", allowed: allowed)
    }

    /// A value of the wrong type or out of range.
    package static func mismatch(
        _ value: JSONValue, at field: String, expected: String, allowed: [String] = []
    ) -> InputError {
        let given =
            switch value {
            case .object, .array: value.kind
            default: PrintableText.shortened(value.encodedText, to: 80)
            }
        return InputError(at: field, "\(given) is not valid: expected \(expected)", allowed: allowed)
    }

    /// `a`, `a or b`, `a, b or c`.
    package static func alternatives(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) or \(last)"
    }
}

/// The name under which the calls about devices throw it.
package typealias DeviceError = InputError
