import APNsRules

@testable import MynahTrust

/// A CA that signs any certificate, valid or not.
struct Workshop {
    typealias Extensions = [(name: String, value: String)]

    static let topicList = ProviderExtension.topics.rawValue
    static let year: Duration = .seconds(365 * 24 * 3600)
    static let usualAuthority: Extensions = [
        ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign"),
        ("subjectKeyIdentifier", "hash"),
    ]
    static let usualProvider: Extensions = [
        ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
        ("extendedKeyUsage", "critical,clientAuth"),
    ]

    let der: [UInt8]
    private let key: [UInt8]

    /// A root.
    init(
        _ name: String = "Test root", extensions: Extensions = usualAuthority,
        from: Instant = testNow.advanced(by: .zero - year), to: Instant = testNow.advanced(by: year)
    ) throws {
        let key = try P256PrivateKey.generate()
        let profile = CertificateProfile(
            subject: [("CN", name)], notBefore: from, notAfter: to, extensions: extensions)
        self.der = try Certificate.selfSigned(profile, key: key).der()
        self.key = key.pkcs8
    }

    private init(der: [UInt8], key: [UInt8]) {
        self.der = der
        self.key = key
    }

    /// A certificate; by default a good one of `com.example.app`.
    func sign(
        subject: [(name: String, value: String)] = [("UID", "com.example.app"), ("CN", "x")],
        extensions: Extensions = [], base: Extensions = usualProvider, key: [UInt8]? = nil,
        from: Instant = testNow.advanced(by: .zero - year), to: Instant = testNow.advanced(by: year)
    ) throws -> [UInt8] {
        let subjectKey = try PKey.pkcs8(key ?? P256PrivateKey.generate().pkcs8).subjectPublicKeyInfo()
        let profile = CertificateProfile(
            subject: subject, notBefore: from, notAfter: to, extensions: base + extensions)
        return try Certificate(der: der).issue(profile, for: subjectKey, signedWith: self.key).der()
    }

    /// A CA below this one.
    func intermediate(
        _ name: String = "Test intermediate", extensions: Extensions = usualAuthority,
        from: Instant = testNow.advanced(by: .zero - year), to: Instant = testNow.advanced(by: year),
        key: [UInt8]? = nil
    ) throws -> Workshop {
        let key = try key ?? P256PrivateKey.generate().pkcs8
        return Workshop(
            der: try sign(subject: [("CN", name)], base: extensions, key: key, from: from, to: to), key: key)
    }

    /// An extension of the topic list with these bytes.
    static func list(_ content: [UInt8]) -> (name: String, value: String) {
        (topicList, "DER:" + content.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }
}

/// Elements of DER for lists that ``ProviderTopicList`` would not write.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        content.count < 0x80
            ? [tag, UInt8(content.count)] + content
            : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
    static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap(\.self)) }
    static func pair(_ topic: String, _ kind: String) -> [UInt8] { text(topic) + sequence(text(kind)) }
}
