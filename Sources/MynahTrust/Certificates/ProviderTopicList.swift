package import APNsRules

/// The content of extension 1.2.840.113635.100.6.3.6: a sequence of pairs, each a topic as a UTF8String and a
/// sequence whose first element, a UTF8String too, is the topic's kind (`ProviderAPI#Certificates`).
package enum ProviderTopicList {
    /// The most topics in a list; Apple's have fewer than ten.
    package static let topicsMax = 100
    /// The most bytes of a kind.
    static let kindBytesMax = 255

    /// Reads a list of at least one well-formed topic.
    ///
    /// - Throws: ``CertificateFault`` with the alert bad_certificate.
    package static func read(_ content: [UInt8]) throws(CertificateFault) -> [CertificateIdentity.ListedTopic] {
        do {
            return try topics(in: content)
        } catch {
            throw CertificateFault(.badCertificate, "\(ProviderExtension.topics.name) \(error.problem)")
        }
    }

    private static func topics(in content: [UInt8]) throws(ASN1Reader.Fault) -> [CertificateIdentity.ListedTopic] {
        guard content.count <= ProviderExtension.bytesMax else {
            throw ASN1Reader.Fault(
                problem: "has \(content.count) bytes; at most \(ProviderExtension.bytesMax) are read")
        }
        var document = ASN1Reader(content[...])
        var list = ASN1Reader(try document.read(.sequence, "the list"))
        guard document.isAtEnd else { throw ASN1Reader.Fault(problem: "has further bytes after the list") }
        var topics: [CertificateIdentity.ListedTopic] = []
        while !list.isAtEnd {
            guard topics.count < topicsMax else {
                throw ASN1Reader.Fault(problem: "has more than \(topicsMax) topics")
            }
            topics.append(try topic(&list))
        }
        guard !topics.isEmpty else { throw ASN1Reader.Fault(problem: "has no topic") }
        return topics
    }

    private static func topic(_ list: inout ASN1Reader) throws(ASN1Reader.Fault) -> CertificateIdentity.ListedTopic {
        let bytes = Array(try list.read(.utf8String, "a topic"))
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw ASN1Reader.Fault(problem: "has a topic that is not UTF-8")
        }
        guard Topic.isWellFormed(bytes.span) else {
            throw ASN1Reader.Fault(problem: "has \"\(shown(name))\", which is not a well-formed topic")
        }
        guard !list.isAtEnd else { throw ASN1Reader.Fault(problem: "has the topic \(name) without a kind") }
        var kinds = ASN1Reader(try list.read(.sequence, "the kind of \(name)"))
        let kind = Array(try kinds.read(.utf8String, "the kind of \(name)"))
        guard let text = String(validating: kind, as: UTF8.self), (1...kindBytesMax).contains(kind.count) else {
            throw ASN1Reader.Fault(
                problem: "has a kind of \(name) that is not UTF-8 of 1 to \(kindBytesMax) bytes")
        }
        return CertificateIdentity.ListedTopic(name, kind: text)
    }

    // For logs: without control characters, and short.
    private static func shown(_ text: String) -> String {
        let printable = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : String($0) }
        return printable.prefix(64).joined() + (printable.count > 64 ? "…" : "")
    }

    /// A list in DER.
    package static func encode(_ topics: [CertificateIdentity.ListedTopic]) -> [UInt8] {
        element(
            0x30,
            topics.flatMap { element(0x0C, Array($0.name.utf8)) + element(0x30, element(0x0C, Array($0.kind.utf8))) })
    }

    // Tag, length in its shortest form, content (X.690 §8.1, §10.1).
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
