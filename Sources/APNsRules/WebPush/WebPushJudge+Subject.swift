// `sub` says how to reach the sender: a `mailto:` or `https:` URL whose host can be on the Internet (`WebPush#Subject`).
// Nothing is looked up: no report shows that Apple does.
extension WebPushJudge {
    private static let expected = "expected `mailto:` with an address, or an `https:` URL"

    mutating func checkSubject(_ claim: JSONValue?) {
        guard let subject = claim?.string else {
            let evidence: Evidence = claim == nil ? .observed : .inferred
            return refuse(.badJwtToken, "sub is \(claim?.kind ?? "missing"): \(WebPushJudge.expected)", evidence)
        }
        let text = subject.lowercased()
        if text.hasPrefix("mailto:") {
            checkAddresses(text.dropFirst("mailto:".count), of: subject)
        } else if let url = URLParts(text), url.scheme == "https" {
            let host = url.authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            checkHost(WebPushOrigin.parts(of: host).host, of: subject, isMail: false)
        } else if text.hasPrefix("https:") {
            refuse(subject, ", without a host", .documented)
        } else if text.hasPrefix("http:") {
            refuse(subject, ", not https", .documented)
        } else if let colon = text.firstIndex(of: ":"), URLParts.isScheme(text[..<colon]) {
            refuse(subject, ", another scheme", .documented)
        } else {
            refuse(subject, ", no URL", .documented)
        }
    }

    /// Checks what a `mailto:` URL has: addresses with commas between them, and maybe a query (RFC 6068 §2).
    private mutating func checkAddresses(_ text: Substring, of subject: String) {
        if text.isEmpty { return refuse(subject, ", without an address", .observed) }
        let trimmed = text.trimmingBlanks
        if trimmed.hasPrefix("mailto:") { return refuse(subject, ", `mailto:` twice", .observed) }
        if trimmed.contains("<") { return refuse(subject, ", in angle brackets", .inferred) }
        if trimmed.count < text.count {
            let known = text.first == " " ? "one report says that Apple accepts it" : "nobody has seen Apple's answer"
            warn("sub is \(WebPushJudge.quoted(subject)), with a blank: \(known)")
        }
        let addresses = trimmed.prefix { $0 != "?" }.split(separator: ",", omittingEmptySubsequences: false)
        for address in addresses.map(\.trimmingBlanks) {
            guard let at = address.lastIndex(of: "@"), at != address.startIndex else {
                return refuse(subject, ", no mail address", .inferred)
            }
            checkHost(address[address.index(after: at)...], of: subject, isMail: true)
        }
    }

    /// A host that Apple refuses, with how that is known of a mail address; for a URL it is inferred.
    private static let refusedDomains: [(name: Substring, evidence: Evidence)] = [
        ("localhost", .observed), ("local", .observed), ("invalid", .observed), ("test", .inferred),
        ("example", .inferred),
    ]

    private mutating func checkHost(_ host: Substring, of subject: String, isMail: Bool) {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if let refused = WebPushJudge.refusedDomains.first(where: { $0.name == labels.last }) {
            let isLocal = refused.name == "localhost"
            let what = isLocal ? ", whose host is localhost" : ", whose domain .\(refused.name) is reserved"
            return refuse(subject, what, isMail ? refused.evidence : .inferred)
        }
        if host.hasPrefix("[") || labels.count == 4 && labels.allSatisfy({ UInt8($0) != nil }) {
            return refuse(subject, ", whose host is an IP address", .inferred)
        }
        if labels.count < 2 { return refuse(subject, ", whose host has no dot", .inferred) }
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0 >= 0x80 || $0.isOfBase64URL }
        }
        if !isName { return refuse(subject, ", whose host is no name", .inferred) }
        if labels.last == "internal" {
            warn(
                "sub is \(WebPushJudge.quoted(subject)): .internal is private, and nobody has seen what Apple answers")
        }
    }

    private mutating func refuse(_ subject: String, _ what: String, _ evidence: Evidence) {
        refuse(.badJwtToken, "sub is \(WebPushJudge.quoted(subject))\(what): \(WebPushJudge.expected)", evidence)
    }

    /// The most characters of a claim that a cause shows.
    private static let shownMax = 200

    /// A claim in a cause: in quotes, with escapes, if it is empty or has blanks or control characters.
    static func shown(_ claim: String) -> String {
        let cut = claim.count > shownMax ? claim.prefix(shownMax) + "…" : claim[...]
        let isPlain =
            !cut.isEmpty && !cut.contains { $0.isWhitespace || $0.asciiValue.map { $0 < 0x20 || $0 == 0x7F } == true }
        return isPlain ? String(cut) : JSONValue.string(String(cut)).encodedText
    }

    private static func quoted(_ subject: String) -> String { JSONValue.string(subject).encodedText }
}
