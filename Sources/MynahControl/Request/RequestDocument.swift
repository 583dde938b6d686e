internal import APNsRules

/// Reads the JSON in the body of a call, whatever its content type is.
enum RequestDocument {
    /// A larger body is 413 (`ControlAPI#Browser-safety`).
    static let bytesMax = 5 * 1024 * 1024

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

    /// Reads an object; an empty body is an empty object if `mayBeEmpty`.
    static func object(_ bytes: [UInt8], mayBeEmpty: Bool) throws(Problem) -> JSONValue {
        if mayBeEmpty, bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return [:] }
        let value = try value(bytes)
        guard value.object != nil else {
            throw Problem(.invalidField, "the body is \(value.kind): expected an object", field: "")
        }
        return value
    }
}
