import Foundation

/// What a check of the repository reads from a case in `fixtures/provider-api`.
struct FixtureCase {
    /// The folder of the cases, one JSON object per file.
    static let folder = "fixtures/provider-api/"

    let path: String
    /// A sentence about the behaviour.
    let name: String
    /// The section of the specification.
    let source: String
    /// The rule that the case belongs to.
    let rule: String
    let status: Int
    /// Nil where the push is accepted or the answer has no reason.
    let reason: String?

    /// - Throws: `Repository.Unreadable`, which names the field, when something is missing or of another type.
    init(path: String, json: Data) throws {
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: json)
        } catch {
            throw Repository.Unreadable(description: "\(path) is not JSON: \(error)")
        }
        func field<Value>(_ name: String, of object: Any?, as type: Value.Type = Value.self) throws -> Value {
            guard let found = (object as? [String: Any])?[name] as? Value else {
                throw Repository.Unreadable(description: "\(path) has no '\(name)' of type \(type)")
            }
            return found
        }
        let expect: [String: Any] = try field("expect", of: value)
        self.path = path
        self.name = try field("name", of: value)
        self.source = try field("source", of: value)
        self.rule = try field("rule", of: value)
        self.status = try field("status", of: expect)
        self.reason = expect["reason"] == nil ? nil : try field("reason", of: expect, as: String.self)
    }

    /// All cases, in the order of their file names.
    ///
    /// - Throws: `Repository.Unreadable` when there are none or one cannot be read.
    static func all() throws -> [FixtureCase] {
        try Repository.files(below: folder, endingIn: [".json"])
            .map { try FixtureCase(path: $0, json: try Repository.bytes(of: $0)) }
    }
}
