internal import COpenSSL

/// A cursor over the elements of a DER document from a client (ITU-T X.690), whose headers OpenSSL reads.
///
/// Checks every length against the bytes; an error is a clause without a subject.
struct ASN1Reader {
    /// The types that can be read, by their tags.
    enum Kind: Int32 {
        case utf8String = 12
        case sequence = 16

        fileprivate var name: String { self == .sequence ? "SEQUENCE" : "UTF8String" }
    }

    private var rest: ArraySlice<UInt8>

    /// Starts at the first of `bytes`; errors name indices of `bytes`.
    init(_ bytes: ArraySlice<UInt8>) { self.rest = bytes }
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the next element and returns its content; `what` names its role in an error.
    mutating func read(_ kind: Kind, _ what: String) throws(TrustError) -> ArraySlice<UInt8> {
        let start = rest.startIndex
        guard !isAtEnd else { throw .malformed("ends at byte \(start), where \(what) was expected") }
        var length = 0
        var tag = Int32(0)
        var tagClass = Int32(0)
        var headerLength = 0
        let flags = rest.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            let flags = ASN1_get_object(&cursor, &length, &tag, &tagClass, buffer.count)
            headerLength = cursor.flatMap { cursor in buffer.baseAddress.map { cursor - $0 } } ?? 0
            return flags
        }
        guard flags & 0x80 == 0 else {
            ERR_clear_error()
            throw .malformed("is broken or cut off at byte \(start), where \(what) was expected")
        }
        // The lowest bit means indefinite length, which DER forbids (X.690 §10.1).
        guard flags & 1 == 0, length >= 0, headerLength > 0, headerLength + length <= rest.count else {
            throw .malformed("has an element of indefinite length at byte \(start), where \(what) was expected")
        }
        let isConstructed = flags & V_ASN1_CONSTRUCTED != 0
        guard tag == kind.rawValue, tagClass == V_ASN1_UNIVERSAL, isConstructed == (kind == .sequence) else {
            throw .malformed("has an element other than a \(kind.name) at byte \(start), where \(what) was expected")
        }
        defer { rest = rest.dropFirst(headerLength + length) }
        return rest.dropFirst(headerLength).prefix(length)
    }
}
