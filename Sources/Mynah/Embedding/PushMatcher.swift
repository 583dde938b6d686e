public import APNsRules

/// What a field of a push must be, where a plain value does not say it (`Documents#Matchers`).
public struct PushMatcher: Hashable, Sendable {
    let document: JSONValue

    /// This value; `null` is what is not there.
    public static func equal(_ value: JSONValue) -> PushMatcher { PushMatcher(document: value) }

    /// Any of these values.
    public static func any(of values: JSONValue...) -> PushMatcher { PushMatcher(document: .array(values)) }

    /// A text that begins so.
    public static func prefix(_ text: String) -> PushMatcher { PushMatcher(document: ["prefix": .string(text)]) }

    /// A text with this in it, or an array with this among its elements.
    public static func contains(_ text: String) -> PushMatcher { PushMatcher(document: ["contains": .string(text)]) }

    /// A text with something in it that a regular expression describes.
    public static func regex(_ pattern: String) -> PushMatcher { PushMatcher(document: ["regex": .string(pattern)]) }

    /// Anything else.
    public static func not(_ matcher: PushMatcher) -> PushMatcher { PushMatcher(document: ["not": matcher.document]) }

    /// There, or not there.
    public static func exists(_ isThere: Bool = true) -> PushMatcher {
        PushMatcher(document: ["exists": .bool(isThere)])
    }

    /// A number or text not below this.
    public static func atLeast(_ value: JSONValue) -> PushMatcher { PushMatcher(document: ["gte": value]) }

    /// A number or text not above this.
    public static func atMost(_ value: JSONValue) -> PushMatcher { PushMatcher(document: ["lte": value]) }
}
