internal import APNsRules
internal import MynahCore

/// The JSON object in the body of a call.
struct RequestDocument: Sendable {
    /// A larger body is 413 (`ControlAPI#Browser-safety`).
    static let bytesMax = 5 * 1024 * 1024

    let members: [JSONMember]

    /// Reads an object, whatever the content type is; an empty body is an empty object if `mayBeEmpty`.
    init(_ bytes: [UInt8], mayBeEmpty: Bool = false) throws(Problem) {
        if mayBeEmpty, bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            members = []
            return
        }
        let value = try RequestDocument.value(bytes)
        guard case .object(let members) = value else {
            throw Problem(.invalidField, "the body is \(value.kind): expected an object", field: "")
        }
        self.members = members
    }

    /// Reads a body of any kind.
    static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            let before = bytes.prefix(error.offset)
            let line = before.count { $0 == 0x0A } + 1
            let column = before.reversed().prefix { $0 != 0x0A }.count + 1
            throw Problem(.malformedJSON, "the body is \(error.description) (line \(line), column \(column))")
        }
    }

    /// Reads a body with the members of a schema.
    static func reader(_ bytes: [UInt8], mayBeEmpty: Bool = false, _ schema: Schema) throws(Problem) -> ObjectReader {
        let document = try RequestDocument(bytes, mayBeEmpty: mayBeEmpty)
        do throws(InputError) { return try ObjectReader(.object(document.members), schema) } catch {
            throw Problem(error)
        }
    }

    /// A member's value; `null` counts as absent.
    subscript(name: String) -> JSONValue? {
        guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    /// The members with the ID that the path names, which the document may repeat.
    func members(withID id: String) throws(Problem) -> [JSONMember] {
        if let given = self["id"], given.string != id {
            throw Problem(
                .invalidField, "id \(given.encodedText) differs from the path's \(id): leave it out", field: "/id",
                allowed: [id])
        }
        return [JSONMember("id", .string(id))] + members.filter { $0.name != "id" }
    }
}
