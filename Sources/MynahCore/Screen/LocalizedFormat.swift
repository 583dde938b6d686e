/// A format of a strings file with its arguments put in (`DeviceBehaviour#What-the-user-sees`).
///
/// `%@` takes the next argument, `%n$@` the n-th, `%%` is a percent sign. Arguments are strings, so that other
/// conversions (`%d`, `%1$s`, `%.2f`) print the argument as it is and a warning is due: a device would print what
/// the bytes of an object happen to say (inferred). A percent sign that begins no conversion stays (inferred).
struct LocalizedFormat {
    private(set) var text = ""
    /// What went wrong, a sentence each.
    private(set) var warnings: [String] = []

    private let scalars: [Unicode.Scalar]
    private let arguments: [String]
    // How the format is called in warnings: the key.
    private let name: String
    private var position = 0
    private var nextArgument = 0

    init(_ format: String, arguments: [String], name: String) {
        self.scalars = Array(format.unicodeScalars)
        self.arguments = arguments
        self.name = name
        while let scalar = scalar(at: position) {
            position += 1
            if scalar == "%" { text += conversion() } else { text.unicodeScalars.append(scalar) }
        }
    }

    // What stands for the conversion whose percent sign was just read.
    private mutating func conversion() -> String {
        guard let next = scalar(at: position) else {
            warnings.append("\(name) ends with a single percent sign")
            return "%"
        }
        if next == "%" {
            position += 1
            return "%"
        }
        let start = position
        var index: Int?
        if let number = digits(), number > 0, scalar(at: position) == "$" {
            position += 1
            index = number - 1
        } else {
            position = start
        }
        skipFlagsAndLength()
        guard let letter = scalar(at: position), LocalizedFormat.conversions.contains(letter) else {
            position = start
            warnings.append("\(name) has a percent sign that begins no conversion; it is shown as it is")
            return "%"
        }
        position += 1
        let spelling = "%" + String(String.UnicodeScalarView(scalars[start..<position]))
        if letter != "@" { warnings.append("\(spelling) in \(name) gets a string; %@ is what takes one") }
        if index == nil {
            index = nextArgument
            nextArgument += 1
        }
        guard let index, index < arguments.count else {
            let given = arguments.count == 1 ? "1 argument" : "\(arguments.count) arguments"
            warnings.append("\(spelling) in \(name) has no argument, the push has \(given); its place stays empty")
            return ""
        }
        return arguments[index]
    }

    private static let conversions = Set("@dDiuUxXoOfFeEgGaAcCsSp".unicodeScalars)

    private func scalar(at index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    // The number here, at most of nine digits so that it fits, or nil.
    private mutating func digits() -> Int? {
        let digits = scalars[position...].prefix(9).prefix { ("0"..."9").contains($0) }
        position += digits.count
        return Int(String(String.UnicodeScalarView(digits)))
    }

    // A space is a flag of printf as well, but not in "100 % sure", which is more often meant.
    private mutating func skipFlagsAndLength() {
        position += scalars[position...].prefix { "-+#'.0123456789".unicodeScalars.contains($0) }.count
        position += scalars[position...].prefix { "hlqLztj".unicodeScalars.contains($0) }.count
    }
}
