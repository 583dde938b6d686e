internal import APNsRules
internal import MynahCore

/// The parameters of a URL, in order, read strictly, because a misspelt filter must never widen a DELETE; reading one
/// removes it.
struct QueryString: Sendable {
    /// The decoded parameters that have not been taken yet.
    private(set) var rest: [(name: String, value: String)] = []
    /// The names that the call takes, without filters.
    let declared: [String]

    /// Reads `name=value&…`; `+` is a space, as forms send it.
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken, or a name or value is missing.
    init(_ text: String, declared: [String] = []) throws(Problem) {
        self.declared = declared
        for part in text.split(separator: "&", omittingEmptySubsequences: true) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try QueryString.decoded(halves[0])
            guard !name.isEmpty else { throw .parameter("", "invalid parameter \(part): expected NAME=VALUE") }
            guard halves.count == 2 else { throw .parameter(name, "\(name) has no value: expected \(name)=VALUE") }
            rest.append((name, try QueryString.decoded(halves[1])))
        }
    }

    /// Takes a parameter that may be given once.
    mutating func take(_ name: String) throws(Problem) -> String? {
        let found = takeAll(name)
        guard found.count <= 1 else { throw .parameter(name, "\(name) is given \(found.count) times: expected once") }
        return found.first
    }

    /// Takes a parameter that may be given several times.
    mutating func takeAll(_ name: String) -> [String] {
        let found = rest.filter { $0.name == name }
        rest.removeAll { $0.name == name }
        return found.map(\.value)
    }

    mutating func takeInteger(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = try take(name) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            let least = range.lowerBound
            let most = range.upperBound
            let expected = most == .max ? "\(least) or more" : "from \(least) to \(most)"
            throw .parameter(name, "invalid \(name) \(text): expected a whole number, \(expected)")
        }
        return value
    }

    mutating func takeDuration(_ name: String, max: Duration) throws(Problem) -> Duration? {
        guard let text = try take(name) else { return nil }
        guard let value = DurationText.parse(text) else {
            throw .parameter(
                name, "invalid \(name) \(text): expected a duration with a unit, such as 250ms, 5s or 1m30s")
        }
        guard value <= max else {
            throw .parameter(name, "\(name) \(text) is too long: expected at most \(max.components.seconds)s")
        }
        return value
    }

    mutating func takeChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? {
        try takeWord(name, Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    /// Takes a choice that may be given several times, and excluded with an exclamation mark: those that are left.
    ///
    /// - Parameter noun: What is of a kind, for errors.
    mutating func takeKinds<Kind: RawRepresentable<String> & Hashable>(
        _ name: String, among all: [Kind], of noun: String
    ) throws -> Set<Kind> {
        let allowed = all.map(\.rawValue)
        func kinds(_ values: [String], at name: String) throws(InputError) -> Set<Kind> {
            for value in values where !allowed.contains(value) {
                throw InputError.unlisted(value, at: name, among: allowed)
            }
            return Set(values.compactMap { Kind(rawValue: $0) })
        }
        let wanted = try kinds(takeAll(name), at: name)
        let unwanted = try kinds(takeAll("!" + name), at: "!" + name)
        let left = (wanted.isEmpty ? Set(all) : wanted).subtracting(unwanted)
        guard !left.isEmpty else {
            throw Problem.parameter(
                "!" + name, "\(name) and !\(name) leave no kind of \(noun): expected at least one", allowed: allowed)
        }
        return left
    }

    private mutating func takeWord(_ name: String, _ allowed: [String]) throws(Problem) -> String? {
        guard let text = try take(name) else { return nil }
        guard allowed.contains(text) else {
            throw .parameter(
                name, "invalid \(name) \(text): expected \(allowed.joined(separator: " or "))", allowed: allowed)
        }
        return text
    }

    /// Takes `true` or `false`; `false` when it is absent.
    mutating func takeFlag(_ name: String) throws(Problem) -> Bool { try takeWord(name, ["true", "false"]) == "true" }

    /// Takes the cursor, which says where a page begins.
    mutating func takeCursor<Place>(_ read: (String) -> Place?) throws(Problem) -> Place? {
        guard let text = try take("cursor") else { return nil }
        guard let place = read(text) else {
            throw .parameter("cursor", "invalid cursor \(text): expected nextCursor of the previous page")
        }
        return place
    }

    /// The filters of a call that changes or removes what they select; without any it is all that there is.
    ///
    /// An empty value, as of a variable that is not set, selects what doesn't have one: more than anybody means.
    func selection() throws(Problem) -> [(name: String, value: String)] {
        for (name, value) in rest where value.allSatisfy(\.isWhitespace) {
            throw .parameter(name, "\(name) is empty: expected a value, or no \(name) where it isn't to select")
        }
        return rest
    }

    /// Refuses parameters that are not declared.
    func check() throws(Problem) {
        guard let unknown = rest.first(where: { !declared.contains($0.name) })?.name else { return }
        let hint = Spelling.hint(unknown, declared)
        let taken = declared.isEmpty ? "none" : declared.joined(separator: ", ")
        throw Problem(
            .unknownParameter,
            "unknown parameter \"\(unknown)\"" + (hint.isEmpty ? ": this call takes \(taken)" : hint),
            field: unknown, allowed: declared)
    }

    private static func decoded(_ text: Substring) throws(Problem) -> String {
        // In a query, unlike elsewhere, a plus is a space.
        try PathText.decoded(String(text.map { $0 == "+" ? " " : $0 }), field: nil)
    }
}

/// Percent-encoding of a part of a URL's path.
enum PathText {
    /// Decodes a part; `+` stands for itself.
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken.
    static func decoded(_ text: String, field: String?) throws(Problem) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            let digits = part.prefix(2)
            guard digits.count == 2, digits.first != UInt8(ascii: "+"),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                throw .parameter(field, "invalid percent-encoding in \(text): expected two hexadecimal digits after %")
            }
            bytes.append(byte)
            bytes += part.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw .parameter(field, "invalid percent-encoding in \(text): expected UTF-8")
        }
        return decoded
    }

    /// Encodes an ID or a topic for a `Location`.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case _ where byte.isASCIIAlphanumeric, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x40:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
