package import APNsRules

/// What is wrong with a document or a parameter that a user wrote, or why the server can't do what it asks for.
package struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Decides the status of the answer.
    package enum Kind: Sendable {
        /// An invalid value: 400.
        case invalid
        /// A member or parameter that doesn't exist: 400.
        case unknownName
        /// The app may not do that: 403 (`DeviceBehaviour#Registration-and-tokens`, the push entitlement).
        case forbidden
        /// A device, app, rule or notification that doesn't exist: 404.
        case notFound
        /// Something that exists excludes what the call asks for: 409.
        case conflict
        /// A clock would have to go back, or beyond the last time that it can show: 409.
        case backwards
        /// More bytes than can be taken at once: 413.
        case tooLarge
        /// The server can't do it now, whatever the value is: 503.
        case unavailable
        /// The server fails to do it, because of its own files for instance: 503.
        case failed
    }

    package let kind: Kind
    /// A JSON pointer into a body, the name of a parameter, or a place in a text; empty for the whole body.
    package private(set) var field: String
    /// What is wrong and what was expected, a sentence without its period.
    package private(set) var problem: String
    /// The values that are allowed, if they can be listed.
    package let allowed: [String]
    /// The part of a call's path that names what doesn't exist, such as `id`.
    package private(set) var pathPart: String?

    /// - Parameter hint: The end of the problem; if it is empty, the allowed values are added.
    package init(
        _ kind: Kind = .invalid, at field: String = "", _ problem: String, hint: String = "", allowed: [String] = []
    ) {
        let expected = allowed.isEmpty || !hint.isEmpty ? hint : ": expected \(InputError.alternatives(allowed))"
        self.kind = kind
        self.field = field
        self.problem = problem + expected
        self.allowed = allowed
    }

    /// The field; `nil` for an error that is not about a part of a document.
    package var place: String? {
        switch kind {
        case .invalid, .unknownName: field
        case .forbidden, .notFound, .conflict, .backwards, .tooLarge, .unavailable, .failed:
            field.isEmpty ? nil : field
        }
    }

    package var description: String { field.isEmpty ? problem : "\(field): \(problem)" }
    /// This error for a document that is part of another one, at `pointer`.
    package func within(_ pointer: String) -> InputError { at(pointer + field) }

    /// The error of a call that names something that doesn't exist; `pathPart` is the part of the call's path with the
    /// name.
    package static func missing(_ pathPart: String, _ problem: String, allowed: [String] = []) -> InputError {
        var error = InputError(.notFound, problem, allowed: allowed)
        error.pathPart = pathPart
        return error
    }

    package func at(_ field: String) -> InputError {
        var error = self
        error.field = field
        return error
    }

    /// This error with another text.
    func saying(_ problem: String) -> InputError {
        var error = self
        error.problem = problem
        return error
    }

    /// An error about an unknown name, with the known name that is spelt most like it.
    package static func unknown(_ what: String, _ name: String, at field: String, among known: [String]) -> InputError {
        InputError(
            .unknownName, at: field, "unknown \(what) \"\(name)\"", hint: Spelling.hint(name, known), allowed: known)
    }

    /// An error about an unknown name in a URL, where a sign that compares may be a part of it, as in `status>=200`.
    package static func unknown(
        parameter name: String, called what: String, at field: String, among known: [String]
    ) -> InputError {
        let bare = String(name.prefix { !"!<>".contains($0) })
        guard bare.count < name.count, known.contains(bare) else {
            return .unknown(what, name, at: field, among: known)
        }
        let isNegation = name.hasSuffix("!") || name.hasSuffix("<>")
        let expected =
            isNegation
            ? "expected !\(bare) and the value to exclude it"
            : "a URL compares no values: expected \(bare) and one value"
        return InputError(.unknownName, at: field, "unknown \(what) \"\(name)\"", hint: ": \(expected)", allowed: known)
    }

    package static func unlisted(_ text: String, at field: String, among allowed: [String]) -> InputError {
        InputError(at: field, "\"\(text)\" is not valid", hint: Spelling.hint(text, allowed), allowed: allowed)
    }

    package static func mismatch(
        _ value: JSONValue, at field: String, expected: String, allowed: [String] = []
    ) -> InputError {
        let given =
            switch value {
            case .object, .array: value.kind
            default: PrintableText.shortened(value.encodedText, to: 80)
            }
        return InputError(at: field, "\(given) is not valid", hint: ": expected \(expected)", allowed: allowed)
    }

    /// `a`, `a or b`, `a, b or c`.
    package static func alternatives(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) or \(last)"
    }
}
