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
