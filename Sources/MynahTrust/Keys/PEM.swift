internal import APNsRules

/// The text form of keys and certificates (RFC 7468), read as the most lenient readers of providers do: without a byte
/// order mark, with any line ends or none, and with other text around the blocks, such as quotes.
enum PEM {
    struct Block {
        /// `PRIVATE KEY`, for example.
        let label: String
        /// The lines before the base64 of a key that OpenSSL encrypted in its own way (RFC 1421 §4.6).
        let headers: [String]
        /// `nil` when the text between the lines is not base64.
        let der: [UInt8]?
        /// Why the block's text is not base64, as the end of a clause.
        let fault: TrustError?

        /// Whether the block is a certificate, by its name or by one of OpenSSL's others.
        var isCertificate: Bool { PEM.certificateLabels.contains(label) }
        var isEncrypted: Bool {
            label == "ENCRYPTED PRIVATE KEY"
                || headers.contains { $0.hasPrefix("Proc-Type:") && $0.hasSuffix("ENCRYPTED") }
        }
        /// The bytes; an error is a clause about the file, which has `thing`.
        func bytes(of thing: String) throws(TrustError) -> [UInt8] {
            if let der, !der.isEmpty { return der }
            let fault = fault ?? .malformed("is missing")
            throw .malformed("has \(thing) whose text \(fault.problem)", remedy: fault.remedy)
        }
        var bytes: [UInt8] { get throws(TrustError) { try bytes(of: named) } }
        /// The label with its article.
        var named: String { PEM.named(label) }

        /// The block as RFC 7468 has it, for OpenSSL.
        var text: String {
            get throws(TrustError) {
                let body = try PEM.encode(bytes, label: label)
                guard !headers.isEmpty, let line = body.firstIndex(of: "\n") else { return body }
                return body[...line] + headers.joined(separator: "\n") + "\n\n" + body[body.index(after: line)...]
            }
        }
    }

    /// The private key of a block, decrypted by the password; throws before it is tried for one that asks for more rounds
    /// than ``KeyDerivation/roundsMax``.
    static func privateKey(_ block: Block, password: String) throws(TrustError) -> PKey {
        if block.isEncrypted, let der = block.der { try KeyDerivation.check(encryptedKey: der) }
        return try PKey.privateKey(pem: block.text, password: password)
    }

    static let certificateLabels = ["CERTIFICATE", "X509 CERTIFICATE", trustedLabel]
    /// The label of a certificate that is followed by OpenSSL's notes on what it is trusted for.
    static let trustedLabel = "TRUSTED CERTIFICATE"
    /// Characters of base64 in a line (RFC 7468 §2).
    private static let lineLength = 64
    /// The problem of a text that is DER.
    static let isBinary = "is binary (DER), not PEM"
    private static let hyphens = "-----"

    /// The complete blocks of a text.
    static func blocks(in text: String) -> [Block] { read(text).blocks }

    /// The blocks of a file that must have at least one, and none that is cut off; an error is a clause about the file.
    static func requiredBlocks(in text: String) throws(TrustError) -> [Block] {
        let (blocks, damage) = read(text)
        if let damage { throw damage }
        guard blocks.isEmpty else { return blocks }
        throw absence(text)
    }

    /// A block as text, with the newline at its end.
    static func encode(_ der: [UInt8], label: String) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(lineLength) + "\n"
            rest = rest.dropFirst(lineLength)
        }
        return text + "-----END \(label)-----\n"
    }

    static func certificate(_ der: [UInt8]) -> String { encode(der, label: "CERTIFICATE") }

    // MARK: - Finding blocks

    private static func read(_ text: String) -> (blocks: [Block], damage: TrustError?) {
        var blocks: [Block] = []
        var damage: TrustError?
        var rest = Substring(text).utf8
        var open: (label: String, start: Substring.UTF8View.Index)?
        while let mark = nextMark(&rest) {
            switch (mark.isBegin, open) {
            case (true, let unfinished):
                if let unfinished { damage = damage ?? cutOff(unfinished.label) }
                open = (mark.label, mark.range.upperBound)
            case (false, let begun?) where begun.label == mark.label:
                let body = String(text.utf8[begun.start..<mark.range.lowerBound]) ?? ""
                blocks.append(block(begun.label, body, isRTF: isRTF(text)))
                open = nil
            case (false, let begun?):
                damage =
                    damage
                    ?? .malformed(
                        "has a BEGIN line for \(named(begun.label)) and an END line for \(named(mark.label)) after it")
                open = nil
            case (false, nil): damage = damage ?? .malformed("has an END line without a BEGIN line before it")
            }
        }
        if let open { damage = damage ?? cutOff(open.label) }
        return (blocks, damage)
    }

    private static func cutOff(_ label: String) -> TrustError {
        .malformed("is cut off: the BEGIN line of \(named(label)) has no END line")
    }

    private static func named(_ label: String) -> String {
        // Abbreviations whose first letter is spoken with a vowel at the beginning.
        let isVowel = "AEIO".contains(label.prefix(1)) || label.hasPrefix("RSA ") || label.hasPrefix("X509 ")
        return (isVowel ? "an " : "a ") + label
    }

    private typealias Mark = (isBegin: Bool, label: String, range: Range<Substring.UTF8View.Index>)

    /// The next `-----BEGIN LABEL-----` or `-----END LABEL-----`, anywhere in a line; removes all up to its end.
    private static func nextMark(_ rest: inout Substring.UTF8View) -> Mark? {
        while let start = rest.firstIndex(of: UInt8(ascii: "-")) {
            rest = rest[start...]
            for (word, isBegin) in [("-----BEGIN ", true), ("-----END ", false)] where rest.starts(with: word.utf8) {
                let label = rest.dropFirst(word.utf8.count).prefix { isLabel($0) }
                let ending = rest[label.endIndex...]
                guard !label.isEmpty, ending.starts(with: hyphens.utf8) else { continue }
                let end = ending.index(ending.startIndex, offsetBy: hyphens.utf8.count)
                rest = rest[end...]
                return (isBegin, String(Substring(label)), start..<end)
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    // Capitals, digits and spaces, of which every label consists that OpenSSL writes.
    private static func isLabel(_ byte: UInt8) -> Bool { byte.isASCIIUppercase || byte.isASCIIDigit || byte == 0x20 }

    private static func block(_ label: String, _ body: String, isRTF: Bool) -> Block {
        let lines = body.split(whereSeparator: \.isNewline).map { trimmed($0) }.filter { !$0.isEmpty }
        // A header has a colon, which base64 has not.
        let headers = lines.prefix { $0.contains(":") }.map(String.init)
        let digits = lines.dropFirst(headers.count).flatMap { line in
            line.unicodeScalars.filter { !isBlank($0) }
        }
        let decoded = bytes(digits)
        return Block(
            label: label, headers: headers, der: decoded,
            fault: decoded == nil ? notBase64(body, digits, isRTF: isRTF) : nil)
    }

    // MARK: - Damage

    private static func notBase64(_ body: String, _ digits: [Unicode.Scalar], isRTF: Bool) -> TrustError {
        if isRTF { return richText }
        if body.contains("\\") {
            let isBroken = body.contains("\\n") || body.contains("\\r")
            return .malformed(
                isBroken
                    ? "has \\n, a backslash and a letter, in place of its line breaks"
                    : "has backslashes, as text of JSON has before a slash",
                remedy: "Undo the escapes: `\(unescaping)`")
        }
        guard let other = digits.first(where: { !isBase64($0) }) else {
            return .malformed("is not base64: a part of it is missing")
        }
        return .malformed("is not base64: it has the character \(shown(other))")
    }

    /// Why a text has no block.
    private static func absence(_ text: String) -> TrustError {
        let shown = trimmed(text[...])
        if shown.isEmpty { return .malformed("is empty, not PEM") }
        if isRTF(text) { return .malformed("is not PEM: its text \(richText.problem)", remedy: richText.remedy) }
        if text.utf8.first == 0x30, text.utf8.dropFirst().first.map({ $0 < 0x20 || $0 > 0x7E }) == true {
            return .malformed(isBinary)
        }
        let digits = shown.unicodeScalars.filter { !isBlank($0) }
        if let bytes = bytes(Array(digits)) {
            let isPEM = bytes.starts(with: hyphens.utf8)
            if isPEM { return .malformed("is PEM in base64", remedy: "Decode it: `base64 -d FILE > FILE.new`") }
            if bytes.first == 0x30 {
                return .malformed(
                    "is not PEM: it is base64 without a BEGIN and an END line",
                    remedy: "Copy the file with these lines, or decode it to DER: `base64 -d FILE > FILE.der`")
            }
        }
        if text.contains("BEGIN%20") || text.contains("BEGIN+") {
            return .malformed("is not PEM: it is percent-encoded, as in a URL", remedy: "Decode it")
        }
        if text.uppercased().contains("BEGIN ") {
            return .malformed(
                "is not PEM: its BEGIN line is not -----BEGIN, a name in capitals, and five hyphens",
                remedy: "Copy the file again, or correct the line; word processors make dashes of hyphens")
        }
        return .malformed("is not PEM: it has no BEGIN line")
    }

    /// Undoes escapes of texts in JSON or a program, however often they were escaped: of line breaks, slashes and quotes,
    /// and of the characters of base64 that .NET writes as numbers; with the marks that join the lines of a program's text.
    private static let unescaping =
        #"awk '{sub(/"[ +.,;\r]*$/, ""); gsub(/(\\+([nr]|u000[AaDd]))+/, "\n"); sub(/\n$/, ""); "#
        + #"gsub(/\\+u002[Bb]/, "+"); gsub(/\\+u002[Ff]/, "/"); gsub(/\\+u003[Dd]/, "="); gsub(/[\\"]/, ""); print}' "#
        + "FILE > FILE.new"

    private static let richText = TrustError.malformed(
        "is a word processor's (RTF), not plain text", remedy: "Save it as plain text, or copy the file again")

    private static func isRTF(_ text: String) -> Bool { text.utf8.starts(with: #"{\rtf"#.utf8) }

    // base64url, which the reader of base64 accepts as well, is not allowed in PEM.
    private static func bytes(_ digits: [Unicode.Scalar]) -> [UInt8]? {
        digits.allSatisfy(isBase64) ? Base64.decode(digits.map { UInt8(truncatingIfNeeded: $0.value) })?.bytes : nil
    }

    private static func isBase64(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "+", "/", "=": true
        default: false
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        let isPrintable = scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
        return isPrintable ? "\"\(scalar)\"" : "U+" + String(scalar.value, radix: 16, uppercase: true)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        // White space, and two characters of no width, the second of which is also the byte order mark.
        scalar.properties.isWhitespace || scalar == "\u{200B}" || scalar == "\u{FEFF}"
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let scalars = text.unicodeScalars.drop(while: isBlank)
        guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(scalars[...last])
    }
}
