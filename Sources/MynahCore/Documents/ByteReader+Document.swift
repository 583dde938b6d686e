package import APNsRules

extension ByteReader {
    /// Reads a document and what it describes.
    package mutating func document<Value>(
        _ read: (JSONValue) throws(InputError) -> Value
    ) throws(CodingProblem) -> Value {
        let document = try JSONValue(from: &self)
        do throws(InputError) {
            return try read(document)
        } catch {
            throw problem("a document is not valid: \(error.field) \(error.problem)")
        }
    }
}

/// A value that is kept as a document, also among bytes.
package protocol ByteDocument: ByteCodable, KeptValue {}

extension ByteDocument {
    package func write(to writer: inout ByteWriter) { writer.write(json) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self = try reader.document { json throws(InputError) in try Self(kept: json, at: "") }
    }
}
