import APNsRules

@testable import MynahCore

extension Described {
    /// Changes what is given, as `PATCH` does; changes nothing if it throws.
    mutating func apply(_ json: JSONValue) throws(InputError) { try Patch<Self>(json: json).apply(to: &self) }
}
