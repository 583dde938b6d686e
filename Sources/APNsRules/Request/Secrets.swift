/// What is kept of values that prove an identity: enough to see what is wrong with them, too little to send a push with
/// them (`Documents#Pushes`).
package enum Secrets {
    /// Schemes that are no secrets themselves (RFC 9110 §16.4.1).
    private static let schemes = ["bearer", "basic", "digest", "negotiate", "token", "jwt"].map { Array($0.utf8) }
    /// The least bytes of a signed token, and of the parts by which one is found among other text: each of its three
    /// parts is base64url, the first of a JSON object, the last of 32 bytes or more.
    private static let signedBytesMin = 100
    private static let signedHeaderBytesMin = 16
    private static let signatureBytesMin = 40
    private static let period: UInt8 = 0x2E

    /// How many of the first bytes of a credential are shown: the scheme, and of a signed token header and claims.
    package static func shownCount(ofCredential value: Span<UInt8>) -> Int {
        let scheme = schemes.first { isScheme($0, of: value) }?.count ?? 0
        var start = scheme
        if scheme > 0 { while start < value.count, !isOfToken(value[start]) { start += 1 } }
        return signatureStart(in: value, from: start) ?? scheme
    }

    /// How many of the first bytes of any field but `authorization` are kept: a cookie's value, a proxy's credential and
    /// the signature of a token in the wrong place are not.
    ///
    /// - Parameter field: What the name is recognised as.
    @inline(__always)
    package static func keptCount(of value: Span<UInt8>, in name: Span<UInt8>, _ field: FieldName) -> Int {
        // Nearly every field of a push is one that rules read, and none of these.
        if case .other = field {
            if name.equals("proxy-authorization") { return shownCount(ofCredential: value) }
            if name.equals("crypto-key") { return countWithoutPrivateNumber(value) }
            if name.equals("cookie") { return firstIndex(of: 0x3D, in: value, from: 0) ?? 0 }
        }
        return value.count < signedBytesMin ? value.count : countWithoutSignature(value)
    }

    /// The most characters of base64url that a private number of 32 bytes has, which some send in place of the public key.
    private static let privateNumberCharactersMax = 43

    /// How many of the first bytes of `Crypto-Key` are kept: what is too short for a public key may be a private one.
    private static func countWithoutPrivateNumber(_ value: Span<UInt8>) -> Int {
        let text = value.text
        for match in text.matches(of: /p256ecdsa="?([^;,"=]*)/.ignoresCase())
        where (1...privateNumberCharactersMax).contains(match.1.utf8.count) {
            return text.utf8.distance(from: text.startIndex, to: match.1.startIndex)
        }
        return value.count
    }

    private static func countWithoutSignature(_ value: Span<UInt8>) -> Int {
        var start = 0
        while let first = firstIndex(of: period, in: value, from: start) {
            var begin = first
            while begin > start, isOfToken(value[begin - 1]) { begin -= 1 }
            // The base64url of a brace and a quotation mark, a line break or a space.
            if first - begin >= signedHeaderBytesMin, value[begin] == 0x65, [0x77, 0x79].contains(value[begin + 1]),
                let end = signatureStart(in: value, from: begin),
                tokenEnd(in: value, from: end + 1) - end > signatureBytesMin
            {
                return end
            }
            start = first + 1
        }
        return value.count
    }

    /// Where the period before a signature is, if a signed token begins at a place.
    private static func signatureStart(in value: Span<UInt8>, from start: Int) -> Int? {
        let end = tokenEnd(in: value, from: start)
        guard let first = firstIndex(of: period, in: value, from: start), first < end,
            let second = firstIndex(of: period, in: value, from: first + 1), second < end
        else { return nil }
        return second
    }

    private static func tokenEnd(in value: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < value.count, isOfToken(value[end]) { end += 1 }
        return end
    }

    /// A text as it is quoted in a message: without the user and the password of an address that it has.
    package static func withoutUser(_ text: String) -> String {
        guard let end = text.lastIndex(of: "@") else { return text }
        let start = text.firstRange(of: "://")?.upperBound
        guard (start ?? text.startIndex) < end, start != nil || text[..<end].contains(":") else { return text }
        return text[..<(start ?? text.startIndex)] + "..." + text[end...]
    }

    /// Whether a word is a scheme and thus no secret, in upper or lower case.
    static func isScheme(_ word: some StringProtocol) -> Bool { schemes.contains(Array(word.lowercased().utf8)) }

    private static func isScheme(_ scheme: [UInt8], of value: Span<UInt8>) -> Bool {
        guard value.count >= scheme.count else { return false }
        for index in scheme.indices where value[index] | 0x20 != scheme[index] { return false }
        return true
    }

    /// Whether a byte is one of base64url or a period.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, period: true
        default: false
        }
    }

    private static func firstIndex(of byte: UInt8, in value: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < value.count {
            if value[index] == byte { return index }
            index += 1
        }
        return nil
    }
}
