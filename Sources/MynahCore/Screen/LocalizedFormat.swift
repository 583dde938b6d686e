/// A format of a strings file with its arguments put in (`DeviceBehaviour#What-the-user-sees`).
///
/// `%@` takes the next argument, `%n$@` the n-th, `%%` is a percent sign. Arguments are strings: another conversion
/// (`%d`, `%1$s`, `%.2f`) puts the argument in as it is, with a warning, where a device would print some bytes of the
/// object (inferred). A percent sign that begins no conversion stays (inferred).
struct LocalizedFormat {
    private(set) var text = ""
    private(set) var warnings: [String] = []
    private let arguments: [String]
    // What warnings call the format: its key.
    private let name: String
    // The part that has not been read.
    private var rest: Substring.UnicodeScalarView
    private var nextArgument = 0

    init(_ format: String, arguments: [String], name: String) {
        self.arguments = arguments
        self.name = name
        rest = format.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "%" { text += conversion() } else { text.unicodeScalars.append(scalar) }
        }
    }

    // The replacement for the conversion whose percent sign was just read.
    private mutating func conversion() -> String {
        let start = rest
        guard let next = rest.first else {
            warnings.append("\(name) ends with a single percent sign")
            return "%"
        }
        if next == "%" {
            rest.removeFirst()
            return "%"
        }
        var number = argumentNumber()
        // Flags, width and precision, then length. A space is a flag of printf as well, but not in "100 % sure", which
        // is more often meant.
        rest = rest.drop { "-+#'.0123456789".unicodeScalars.contains($0) }
        rest = rest.drop { "hlqLztj".unicodeScalars.contains($0) }
        guard let letter = rest.popFirst(), "@dDiuUxXoOfFeEgGaAcCsSp".unicodeScalars.contains(letter) else {
            rest = start
            warnings.append("\(name) has a percent sign that begins no conversion; it is shown as it is")
            return "%"
        }
        let spelling = "%" + String(start[..<rest.startIndex])
        if letter != "@" { warnings.append("\(spelling) in \(name) gets a string: expected %@") }
        if number == nil {
            nextArgument += 1
            number = nextArgument
        }
        guard let number, number <= arguments.count else {
            let given = arguments.count == 1 ? "1 argument" : "\(arguments.count) arguments"
            warnings.append("\(spelling) in \(name) has no argument, the push has \(given); its place stays empty")
            return ""
        }
        return arguments[number - 1]
    }

    // The n of `n$`, at most of nine digits so that it fits; reads nothing if it is not there.
    private mutating func argumentNumber() -> Int? {
        let digits = rest.prefix(9).prefix { ("0"..."9").contains($0) }
        let after = rest[digits.endIndex...]
        guard let number = Int(String(digits)), number > 0, after.first == "$" else { return nil }
        rest = after.dropFirst()
        return number
    }
}
