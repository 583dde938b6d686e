/// A value of a YAML text, with the line on which it begins.
package struct YAMLNode: Sendable {
    /// The three kinds of YAML values.
    package enum Content: Sendable {
        /// Text; plain text has no quotes, so it may mean a number, a boolean or null.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// Members in the order of the text, each with its own key.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    package let content: Content
    /// Counted from 1; the value of an alias has the line of its anchor.
    package let line: Int

    /// The text of a scalar.
    package var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// Whether this is a scalar without quotes.
    package var isPlain: Bool {
        guard case .scalar(_, let isPlain) = content else { return false }
        return isPlain
    }

    /// The elements of a sequence.
    package var sequence: [YAMLNode]? {
        guard case .sequence(let elements) = content else { return nil }
        return elements
    }

    /// The members of a mapping.
    package var mapping: [(key: YAMLNode, value: YAMLNode)]? {
        guard case .mapping(let members) = content else { return nil }
        return members
    }
}

/// An error in a YAML text and its place.
package struct YAMLFault: Error, Equatable {
    /// Counted from 1.
    package let line: Int
    package let problem: String
}
