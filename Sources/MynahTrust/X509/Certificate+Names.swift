internal import COpenSSL

/// The names and numbers in a certificate, as text.
extension Certificate {
    /// The subject as one line for people; `nil` if it holds unreadable text.
    var subjectLine: String? { Certificate.line(X509_get_subject_name(raw)) }

    /// The issuer as one line for people; `nil` if it holds unreadable text.
    var issuerLine: String? { Certificate.line(X509_get_issuer_name(raw)) }

    /// The serial number in capital hexadecimal digits, as `openssl x509 -serial` prints it.
    var serialNumber: String {
        let number = X509_get0_serialNumber(raw)
        let isNegative = ASN1_STRING_type(number) & V_ASN1_NEG != 0
        return (isNegative ? "-" : "") + Certificate.bytes(of: number).map(Certificate.hexadecimal).joined()
    }

    /// The values of all UID attributes of the subject (RFC 4519 §2.39); `nil` for a value that isn't text.
    var subjectIDs: [String?] {
        let name = X509_get_subject_name(raw)
        var values: [String?] = []
        var index = X509_NAME_get_index_by_NID(name, NID_userId, -1)
        while index >= 0 {
            values.append(Certificate.text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index))))
            index = X509_NAME_get_index_by_NID(name, NID_userId, index)
        }
        return values
    }

    private static func line(_ name: OpaquePointer?) -> String? {
        OpenSSLError.clearQueue()
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard X509_NAME_print_ex(bio, name, 0, mynah_XN_FLAG_LINE) >= 0 else {
            OpenSSLError.clearQueue()
            return nil
        }
        var start: UnsafeMutablePointer<CChar>?
        let count = mynah_BIO_get_mem_data(bio, &start)
        let bytes = UnsafeBufferPointer(start: start, count: max(0, count)).map(UInt8.init(bitPattern:))
        return String(validating: bytes, as: UTF8.self)
    }

    // Any of ASN.1's string types, as UTF-8.
    private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        OpenSSLError.clearQueue()
        var start: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&start, string)
        guard count >= 0, let start else {
            OpenSSLError.clearQueue()
            return nil
        }
        defer { CRYPTO_free(start, #file, Int32(#line)) }
        return String(validating: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// The bytes in a string of ASN.1.
    static func bytes(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.utf8.count == 1 ? "0" + text : text
    }
}
