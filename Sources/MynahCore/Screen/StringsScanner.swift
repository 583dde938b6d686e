/// Reads the entries of a strings file, one character after the other.
///
/// Both forms are read here and not the JSON one by the JSON parser, because that one says a byte offset, and
/// somebody who looks for a missing comma in a file of a thousand lines needs a line.
struct StringsScanner {
    private enum Syntax {
        case propertyList
        case json
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var syntax = Syntax.propertyList
    private var strings: [String: String] = [:]
    private var warnings: [String] = []

    init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    mutating func entries() throws(StringsError) -> ([String: String], [String]) {
        try skipBlank()
        if take("{") {
            syntax = .json
            try jsonEntries()
        } else {
            try propertyListEntries()
        }
        return (strings, warnings)
    }

    private mutating func propertyListEntries() throws(StringsError) {
        while true {
            try skipBlank()
            guard position < scalars.count else { return }
            let start = position
            let key = try word("a key")
            try skipBlank()
            var value = key
            if take("=") {
                try skipBlank()
                value = try word("the value of \(key)")
                try skipBlank()
            } else if next != ";" {
                throw error("= was expected after the key \(key)")
            }
            guard take(";") else { throw error("a semicolon was expected after the value of \(key)") }
            try add(key, value, at: start)
        }
    }

    private mutating func jsonEntries() throws(StringsError) {
        try skipBlank()
        if !take("}") {
            while true {
                try skipBlank()
                let start = position
                guard let key = try quoted() else { throw error("a key in quotes was expected") }
                try skipBlank()
                guard take(":") else { throw error("a colon was expected after the key \(key)") }
                try skipBlank()
                guard let value = try quoted() else { throw error("the value of \(key) in quotes was expected") }
                try add(key, value, at: start)
                try skipBlank()
                if take("}") { break }
                guard take(",") else { throw error("a comma or a closing brace was expected after \(key)'s value") }
            }
        }
        try skipBlank()
        guard position == scalars.count else { throw error("the end was expected after the closing brace") }
    }

    private mutating func add(_ key: String, _ value: String, at start: Int) throws(StringsError) {
        if strings.updateValue(value, forKey: key) != nil {
            warnings.append("line \(place(start).line): the key \(key) is there twice, the last one counts")
        }
        guard strings.count <= StringsFile.entriesMax else {
            throw error("there are more than \(StringsFile.entriesMax) entries")
        }
    }

    // MARK: - Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private func place(_ index: Int) -> StringsError { StringsText.error(after: scalars[..<index], "") }

    private func error(_ problem: String) -> StringsError { error(problem, at: position) }

    private func error(_ problem: String, at index: Int) -> StringsError {
        StringsText.error(after: scalars[..<index], index < scalars.count ? problem : problem + "; the file ends")
    }

    // White space and, in a property list, comments of both kinds.
    private mutating func skipBlank() throws(StringsError) {
        while let scalar = next {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                position += 1
            } else if syntax == .propertyList, scalar == "/", isNext("/", at: 1) {
                while let scalar = next, scalar != "\n", scalar != "\r" { position += 1 }
            } else if syntax == .propertyList, scalar == "/", isNext("*", at: 1) {
                let start = position
                position += 2
                while !(next == "*" && isNext("/", at: 1)) {
                    guard position < scalars.count else {
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

    private func isNext(_ scalar: Unicode.Scalar, at distance: Int) -> Bool {
        position + distance < scalars.count && scalars[position + distance] == scalar
    }

    // A quoted string, or letters, digits and the few signs that need no quotes.
    private mutating func word(_ what: String) throws(StringsError) -> String {
        if let text = try quoted() { return text }
        var text = String.UnicodeScalarView()
        while let scalar = next, StringsScanner.needsNoQuotes(scalar),
            !(scalar == "/" && (isNext("/", at: 1) || isNext("*", at: 1)))
        {
            text.append(scalar)
            position += 1
        }
        guard !text.isEmpty else { throw error("\(what) was expected, in quotes or of letters and digits") }
        return String(text)
    }

    private static func needsNoQuotes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "/", ":", ".", "-": true
        default: false
        }
    }

    private mutating func quoted() throws(StringsError) -> String? {
        guard let quote = next, quote == "\"" || (quote == "'" && syntax == .propertyList) else { return nil }
        let start = position
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = next {
            position += 1
            switch scalar {
            case quote: return String(text)
            case "\\": text.append(try escape())
            case "\u{0}"..<" " where syntax == .json:
                throw error("a control character in a JSON string must be escaped", at: position - 1)
            default: text.append(scalar)
            }
        }
        throw error("the string that begins here has no closing quote", at: start)
    }

    // MARK: - Escapes

    private mutating func escape() throws(StringsError) -> Unicode.Scalar {
        let start = position - 1
        guard let scalar = next else { throw error("an escape was expected after the backslash") }
        position += 1
        switch scalar {
        case "\"", "\\", "/": return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try unicode(at: start)
        default: break
        }
        guard syntax == .propertyList else {
            throw error("JSON knows no escape \\\(scalar)", at: start)
        }
        switch scalar {
        case "U": return try unicode(at: start)
        case "a": return "\u{7}"
        case "v": return "\u{B}"
        case "0"..."7": return octal(scalar)
        // As Core Foundation reads it: any other character stands for itself.
        default: return scalar
        }
    }

    private mutating func unicode(at start: Int) throws(StringsError) -> Unicode.Scalar {
        let code = try fourDigits()
        guard (0xD800..<0xE000).contains(code) else {
            guard let scalar = Unicode.Scalar(code) else { throw error("that is no character", at: start) }
            return scalar
        }
        guard code < 0xDC00, next == "\\", isNext("u", at: 1) || isNext("U", at: 1) else {
            throw error("half of a surrogate pair is no character", at: start)
        }
        position += 2
        let low = try fourDigits()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00))
        else { throw error("half of a surrogate pair is no character", at: start) }
        return scalar
    }

    private mutating func fourDigits() throws(StringsError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw error("four hexadecimal digits were expected")
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
            warnings.append(
                "line \(place(position).line): octal escapes beyond \\177 are read as Latin 1, which a device may not do"
            )
        }
        return Unicode.Scalar(byte)
    }
}
