internal import APNsRules

/// Reads the members of a JSON object, each with an error that names its place and what would be right.
struct FieldReader {
    /// Bytes of a name, a model, a version.
    static let textBytesMax = 256

    private let members: [JSONMember]
    private let place: String

    /// An object at a place, a JSON pointer; unknown names are errors.
    init(_ json: JSONValue, at place: String, known: [String]) throws(DeviceError) {
        guard let members = json.object else {
            throw DeviceError(.invalid, at: place, "\(json.kind) was given; an object was expected")
        }
        for member in members where !known.contains(member.name) {
            throw FieldReader.unknown(
                member.name, at: place + JSONPointer(steps: [member.name]).description, among: known, .unknownField)
        }
        self.members = members
        self.place = place
    }

    /// The place of the object.
    var placeItself: String { place }

    /// The members that were given among these names, `null` ones too.
    func members(among names: [String]) -> [JSONMember] { members.filter { names.contains($0.name) } }

    /// The place of a member.
    func place(_ name: String) -> String { place + JSONPointer(steps: [name]).description }

    /// Whether a member was given, be it `null`.
    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// A member; `null` is the same as absent.
    subscript(name: String) -> JSONValue? {
        guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    func text(_ name: String, bytesMax: Int = FieldReader.textBytesMax) throws(DeviceError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw mismatch(name, value, "a string") }
        guard (1...bytesMax).contains(text.utf8.count) else {
            throw DeviceError(
                .invalid, at: place(name), "\(name) has \(text.utf8.count) bytes; 1 to \(bytesMax) were expected")
        }
        return text
    }

    func truth(_ name: String) throws(DeviceError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let truth = value.bool else { throw mismatch(name, value, "a boolean", allowed: ["true", "false"]) }
        return truth
    }

    func whole(_ name: String, in range: ClosedRange<Int>) throws(DeviceError) -> Int? {
        guard let value = self[name] else { return nil }
        guard let whole = value.integer, let number = Int(exactly: whole), range.contains(number) else {
            throw mismatch(name, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of: Choice.Type = Choice.self
    ) throws(DeviceError) -> Choice? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else {
            throw mismatch(name, value, "a string", allowed: Choice.allCases.map(\.rawValue))
        }
        return try FieldReader.choice(text, at: place(name))
    }

    func array(_ name: String) throws(DeviceError) -> [JSONValue]? {
        guard let value = self[name] else { return nil }
        guard let array = value.array else { throw mismatch(name, value, "an array") }
        return array
    }

    private func mismatch(
        _ name: String, _ value: JSONValue, _ expected: String, allowed: [String] = []
    ) -> DeviceError {
        let given =
            switch value {
            case .number(let number): number.text
            default: value.kind
            }
        return DeviceError(.invalid, at: place(name), "\(given) was given; \(expected) was expected", allowed: allowed)
    }

    // MARK: - Values from anywhere

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, at place: String
    ) throws(DeviceError) -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        throw unknown(text, at: place, among: names, .invalid)
    }

    static func truth(_ text: String, at place: String) throws(DeviceError) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw unknown(text, at: place, among: ["true", "false"], .invalid)
        }
    }

    static func unknown(
        _ name: String, at place: String, among known: [String], _ kind: DeviceError.Kind
    ) -> DeviceError {
        let hint = Spelling.nearest(to: name, among: known).map { "; was \($0) meant?" } ?? ""
        let what = kind == .unknownField ? "\(name) is not known" : "\"\(name)\" is not possible here"
        return DeviceError(kind, at: place, what + hint, allowed: known)
    }
}
