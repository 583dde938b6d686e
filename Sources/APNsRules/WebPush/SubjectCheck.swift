/// `sub` says how to reach the sender: a `mailto:` or `https:` URL whose host can be on the Internet
/// (`WebPush#Subject`).
///
/// Nothing is looked up: no report shows that Apple does.
enum SubjectCheck {
    private static let expected = "expected `mailto:` with an address, or an `https:` URL"

    static func check(_ claim: JSONValue?, _ findings: inout WebPushFindings) {
        guard let claim else {
            findings.refuse(.badJwtToken, "sub is missing: \(expected)", .observed)
            return
        }
        guard let subject = claim.string else {
            findings.refuse(.badJwtToken, "sub is \(claim.kind): \(expected)", .inferred)
            return
        }
        func refuse(_ what: String, _ evidence: Evidence) {
            findings.refuse(.badJwtToken, "sub is \(quoted(subject))\(what): \(expected)", evidence)
        }
        let lowercase = subject.lowercased()
        if lowercase.hasPrefix("mailto:") {
            check(addresses: lowercase.dropFirst("mailto:".count), of: subject, &findings)
        } else if let url = URLParts(lowercase), url.scheme == "https" {
            let host = url.authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            check(host: WebPushOrigin.parts(of: host).host, of: subject, isMail: false, &findings)
        } else if lowercase.hasPrefix("http:") {
            refuse(", not https", .documented)
        } else if let colon = lowercase.firstIndex(of: ":"), URLParts.isScheme(lowercase[..<colon]) {
            refuse(", another scheme", .documented)
        } else {
            refuse(", no URL", .documented)
        }
    }

    /// Checks what a `mailto:` URL has: addresses with commas between them, and maybe a query (RFC 6068 §2).
    private static func check(addresses text: Substring, of subject: String, _ findings: inout WebPushFindings) {
        func refuse(_ what: String, _ evidence: Evidence) {
            findings.refuse(.badJwtToken, "sub is \(quoted(subject))\(what): \(expected)", evidence)
        }
        if text.isEmpty { return refuse(", without an address", .observed) }
        let trimmed = text.trimmingBlanks
        if trimmed.hasPrefix("mailto:") { return refuse(", `mailto:` twice", .observed) }
        if trimmed.contains("<") { return refuse(", in angle brackets", .inferred) }
        if trimmed.count < text.count {
            let known = text.first == " " ? "one report says that Apple accepts it" : "nobody has seen Apple's answer"
            findings.warn("sub is \(quoted(subject)), with a blank: \(known)")
        }
        let addresses = trimmed.prefix { $0 != "?" }.split(separator: ",", omittingEmptySubsequences: false)
        for address in addresses.map(\.trimmingBlanks) {
            guard let at = address.lastIndex(of: "@"), at != address.startIndex else {
                return refuse(", no mail address", .inferred)
            }
            check(host: address[address.index(after: at)...], of: subject, isMail: true, &findings)
        }
    }

    /// A host that Apple refuses, with how that is known in a mail address; in a URL nobody has tried.
    private static let refusedDomains: [(name: Substring, evidence: Evidence)] = [
        ("localhost", .observed), ("local", .observed), ("invalid", .observed), ("test", .inferred),
        ("example", .inferred),
    ]

    private static func check(
        host: Substring, of subject: String, isMail: Bool, _ findings: inout WebPushFindings
    ) {
        func refuse(_ what: String, _ evidence: Evidence) {
            findings.refuse(
                .badJwtToken, "sub is \(quoted(subject)), \(what): \(expected)", isMail ? evidence : .inferred)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if let refused = refusedDomains.first(where: { $0.name == labels.last }) {
            return refuse(
                refused.name == "localhost" ? "whose host is localhost" : "whose domain .\(refused.name) is reserved",
                refused.evidence)
        }
        let isAddress = host.hasPrefix("[") || labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
        if isAddress { return refuse("whose host is an IP address", .inferred) }
        if labels.count < 2 { return refuse("whose host has no dot", .inferred) }
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0 >= 0x80 || $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x5F }
        }
        if !isName { return refuse("whose host is no name", .inferred) }
        if labels.last == "internal" {
            findings.warn("sub is \(quoted(subject)): .internal is private, and nobody has seen what Apple answers")
        }
    }

    private static func quoted(_ subject: String) -> String { JSONValue.string(subject).encodedText }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
    }
}
