/// Reads the entries of a strings file, also of a JSON one, because errors need a line, not the JSON parser's offset.
struct StringsScanner {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var isJSON = false
    private var strings: [String: String] = [:]
    private var warnings: [String] = []
    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func entries() throws(InputError) -> ([String: String], [String]) {
        if try consume("{") {
            isJSON = true
            try jsonEntries()
        } else {
            try propertyListEntries()
        }
        return (strings, warnings)
    }

    private mutating func propertyListEntries() throws(InputError) {
        while true {
            try skipBlank()
            guard position < scalars.count else { return }
            let start = position
            let key = try word("a key")
            var value = key
            if try consume("=") {
                value = try word("the value of \(key)")
            } else if next != ";" {
                throw error("expected = after the key \(key)")
            }
            guard try consume(";") else { throw error("expected a semicolon after the value of \(key)") }
            try add(key, value, at: start)
        }
    }

    private mutating func jsonEntries() throws(InputError) {
        var lastKey: String?
        while try !consume("}") {
            if let lastKey, try !consume(",") {
                throw error("expected a comma or a closing brace after \(lastKey)'s value")
            }
            try skipBlank()
            let start = position
            guard let key = try quoted() else { throw error("expected a key in quotes") }
            guard try consume(":") else { throw error("expected a colon after the key \(key)") }
            guard let value = try quoted() else { throw error("expected the value of \(key) in quotes") }
            try add(key, value, at: start)
            lastKey = key
        }
        try skipBlank()
        guard position == scalars.count else { throw error("expected the end after the closing brace") }
    }

    private mutating func add(_ key: String, _ value: String, at start: Int) throws(InputError) {
        if strings.updateValue(value, forKey: key) != nil {
            warn("the key \(key) is given twice, the last one counts", at: start)
        }
        guard strings.count <= StringsFile.entriesMax else {
            throw error("too many entries: expected at most \(StringsFile.entriesMax)")
        }
    }

    // MARK: - Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func consume(_ scalar: Unicode.Scalar) throws(InputError) -> Bool {
        try skipBlank()
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private func error(_ problem: String, at place: Int? = nil) -> InputError {
        let index = place ?? position
        return InputError(
            at: TextPlace(after: scalars[..<index]).description,
            index < scalars.count ? problem : problem + "; the file ends")
    }

    private mutating func warn(_ warning: String, at index: Int) {
        warnings.append("line \(TextPlace(after: scalars[..<index]).line): \(warning)")
    }

    // White space and, in a property list, comments of both kinds.
    private mutating func skipBlank() throws(InputError) {
        while let scalar = next {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                position += 1
            } else if !isJSON, isNext("/", "/") {
                while let scalar = next, scalar != "\n", scalar != "\r" { position += 1 }
            } else if !isJSON, isNext("/", "*") {
                let start = position
                position += 2
                while !isNext("*", "/") {
                    guard next != nil else {
                        throw error("the comment that begins here is not closed by */", at: start)
                    }
                    position += 1
                }
                position += 2
            } else {
                return
            }
        }
    }

    private func isNext(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        next == first && position + 1 < scalars.count && scalars[position + 1] == second
    }

    // A quoted string, or letters, digits and the few signs that need no quotes.
    private mutating func word(_ what: String) throws(InputError) -> String {
        if let text = try quoted() { return text }
        let start = position
        while let scalar = next, StringsScanner.needsNoQuotes(scalar), !isNext("/", "/"), !isNext("/", "*") {
            position += 1
        }
        guard position > start else { throw error("expected \(what), in quotes or of letters and digits") }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    private static func needsNoQuotes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "/", ":", ".", "-": true
        default: false
        }
    }

    private mutating func quoted() throws(InputError) -> String? {
        try skipBlank()
        guard let quote = next, quote == "\"" || (quote == "'" && !isJSON) else { return nil }
        let start = position
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = next {
            position += 1
            switch scalar {
            case quote: return String(text)
            case "\\": text.append(try escape())
            case "\u{0}"..<" " where isJSON:
                throw error("a control character in a JSON string must be escaped", at: position - 1)
            default: text.append(scalar)
            }
        }
        throw error("the string that begins here has no closing quote", at: start)
    }

    // MARK: - Escapes

    // JSON's; a property list has more.
    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    private mutating func escape() throws(InputError) -> Unicode.Scalar {
        let start = position - 1
        guard let scalar = next else { throw error("expected an escape after the backslash") }
        position += 1
        if let escaped = StringsScanner.escapes[scalar] { return escaped }
        switch scalar {
        case "u": return try unicode(at: start)
        case _ where isJSON: throw error("JSON knows no escape \\\(scalar)", at: start)
        case "U": return try unicode(at: start)
        case "a": return "\u{7}"
        case "v": return "\u{B}"
        case "0"..."7": return octal(scalar)
        // Any other character stands for itself, as Core Foundation reads it.
        default: return scalar
        }
    }

    private mutating func unicode(at start: Int) throws(InputError) -> Unicode.Scalar {
        let code = try fourDigits()
        if let scalar = Unicode.Scalar(code) { return scalar }
        // Four digits that are no scalar are half of a surrogate pair.
        if code < 0xDC00, isNext("\\", "u") || isNext("\\", "U") {
            position += 2
            let low = try fourDigits()
            let pair = 0x1_0000 + (code - 0xD800) << 10 + (low & 0x3FF)
            if low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(pair) { return scalar }
        }
        throw error("half of a surrogate pair is not a character", at: start)
    }

    private mutating func fourDigits() throws(InputError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    // Core Foundation takes octal codes for NEXTSTEP's character set; beyond ASCII they are Latin 1 here (inferred).
    private mutating func octal(_ first: Unicode.Scalar) -> Unicode.Scalar {
        var code = first.value - 0x30
        for _ in 0..<2 {
            guard let scalar = next, ("0"..."7").contains(scalar) else { break }
            code = code << 3 | (scalar.value - 0x30)
            position += 1
        }
        let byte = UInt8(truncatingIfNeeded: code)
        if byte > 0x7F || code > 0xFF {
            warn("octal escapes beyond \\177 are read as Latin 1, which a device may not do", at: position)
        }
        return Unicode.Scalar(byte)
    }
}
