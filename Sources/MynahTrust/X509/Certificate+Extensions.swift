internal import COpenSSL

extension Certificate {
    /// The contents of all extensions with an object identifier, in order; RFC 5280 §4.2 allows one.
    ///
    /// - Parameter identifier: In digits and periods.
    func extensions(_ identifier: String) -> [[UInt8]] {
        extensions().filter { $0.identifier == identifier }.map {
            Certificate.bytes(of: X509_EXTENSION_get_data($0.raw))
        }
    }

    /// The first critical extension that OpenSSL doesn't process and `known` doesn't list.
    func unhandledCriticalExtension(otherThan known: [String]) -> String? {
        extensions().first {
            X509_EXTENSION_get_critical($0.raw) != 0 && X509_supported_extension($0.raw) == 0
                && !known.contains($0.identifier)
        }?.identifier
    }

    private func extensions() -> [(identifier: String, raw: OpaquePointer)] {
        (0..<X509_get_ext_count(raw)).compactMap { index in
            X509_get_ext(raw, index).map { (Certificate.identifier($0), $0) }
        }
    }

    // Identifiers longer than 127 characters are cut; no known one is that long.
    private static func identifier(_ raw: OpaquePointer) -> String {
        let object = X509_EXTENSION_get_object(raw)
        let buffer = [CChar](unsafeUninitializedCapacity: 128) { buffer, count in
            let length = OBJ_obj2txt(buffer.baseAddress, Int32(buffer.count), object, 1)
            count = max(0, min(Int(length), buffer.count - 1))
        }
        return String(decoding: buffer.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension Certificate {
    /// Whether the basic constraints declare a CA (RFC 5280 §4.2.1.9).
    var isDeclaredAuthority: Bool { X509_get_extension_flags(raw) & UInt32(EXFLAG_CA) != 0 }

    /// Whether the key usage, if present, allows signing certificates (RFC 5280 §4.2.1.3).
    var maySignCertificates: Bool { X509_get_key_usage(raw) & UInt32(KU_KEY_CERT_SIGN) != 0 }
}
