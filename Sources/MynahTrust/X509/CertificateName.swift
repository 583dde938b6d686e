internal import APNsRules
internal import MynahSystem

/// A name that a server certificate can hold: a DNS name or an IP address (RFC 5280 §4.2.1.6).
enum CertificateName: Hashable, Sendable {
    /// In lower case; the first label may be `*`.
    case dns(String)
    /// 4 or 16 bytes in network order.
    case address([UInt8])

    /// Octets of a DNS name in text (RFC 1035 §3.1, less the root's).
    private static let dnsLengthMax = 253
    /// Octets of a label (RFC 1035 §2.3.4).
    private static let labelLengthMax = 63

    /// Reads an address or a name; `nil` when the text is neither.
    ///
    /// Letters, digits, hyphens and underscores only, which mean nothing else in OpenSSL's configuration language.
    init?(_ text: String) {
        if let address = CertificateName.address(in: text) {
            self = .address(address)
            return
        }
        let name = text.lowercased()
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= CertificateName.dnsLengthMax else { return nil }
        if labels.first == "*" { labels.removeFirst() }
        guard !labels.isEmpty, labels.allSatisfy(CertificateName.isLabel) else { return nil }
        // A last label of digits makes it an address that inet_pton refused, not a name (RFC 3696 §2).
        guard labels.last?.contains(where: \.isLetter) == true else { return nil }
        self = .dns(name)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...labelLengthMax).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy {
                $0.isASCIILowercase || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F
            }
    }

    private static func address(in text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    var isHost: Bool { if case .dns = self { true } else { false } }

    var text: String {
        switch self {
        case .dns(let name): name
        case .address(let bytes): CertificateName.text(of: bytes)
        }
    }

    static func text(of address: [UInt8]) -> String {
        let family = address.count == 4 ? AF_INET : AF_INET6
        return MynahTrust.text(capacity: Int(INET6_ADDRSTRLEN)) { inet_ntop(family, address, $0, socklen_t($1)) != nil }
            ?? ""
    }

    /// The name in OpenSSL's configuration language (x509v3_config(5), *Subject Alternative Name*).
    var configuration: String { (isHost ? "DNS:" : "IP:") + text }
}
