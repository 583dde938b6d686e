/// A value of a YAML text, with the line on which it begins.
struct YAMLNode: Sendable {
    /// What a value is.
    enum Content: Sendable {
        /// Text; plain is what stands without quotes and may mean a number, a boolean or null.
        case scalar(String, isPlain: Bool)
        /// Values in their order.
        case sequence([YAMLNode])
        /// Names and values in their order; no name twice.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    /// What it is.
    let content: Content
    /// Counted from 1.
    let line: Int

    /// The text of a scalar.
    var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// Whether this is a scalar without quotes.
    var isPlain: Bool {
        guard case .scalar(_, let isPlain) = content else { return false }
        return isPlain
    }

    /// The elements of a sequence.
    var sequence: [YAMLNode]? {
        guard case .sequence(let elements) = content else { return nil }
        return elements
    }

    /// The members of a mapping.
    var mapping: [(key: YAMLNode, value: YAMLNode)]? {
        guard case .mapping(let members) = content else { return nil }
        return members
    }
}

/// What is wrong with a YAML text, and where.
struct YAMLFault: Error, Equatable {
    /// Counted from 1.
    let line: Int
    /// In words.
    let problem: String
}
