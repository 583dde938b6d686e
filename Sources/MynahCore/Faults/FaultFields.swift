internal import APNsRules

/// Reads the members of one JSON object of a fault or a scenario, and refuses those that nobody asked for.
///
/// Every error names its place as a JSON pointer and, where there is a list of right values, the list. A member
/// that is `null` is as good as absent (`Documents`).
struct FaultFields {
    /// Where the object is in the request's body; empty for the body itself.
    let pointer: String
    private let members: [JSONMember]

    /// The members of `json`, which must be an object with no other names than `known`.
    ///
    /// - Parameter what: What the object is, for errors: "a rule", "an action".
    init(_ json: JSONValue, at pointer: String, what: String, known: [String]) throws(QueryError) {
        guard let members = json.object else {
            throw QueryError(pointer, "\(json.kind) is no \(what); an object was expected", allowed: known)
        }
        self.members = members
        self.pointer = pointer
        var seen: Set<String> = []
        for member in members {
            guard known.contains(member.name) else {
                throw .unknown("field of a \(what)", member.name, at: place(member.name), among: known)
            }
            guard seen.insert(member.name).inserted else {
                throw QueryError(place(member.name), "\(member.name) is given twice")
            }
        }
    }

    /// The pointer of a member.
    func place(_ name: String) -> String { pointer + JSONPointer(steps: [name]).description }

    /// Whether a member is there and not `null`.
    func has(_ name: String) -> Bool { self[name] != nil }

    /// A member that is not `null`.
    subscript(name: String) -> JSONValue? {
        guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    /// An error of one member.
    func error(_ name: String, _ problem: String, allowed: [String] = []) -> QueryError {
        QueryError(place(name), problem, allowed: allowed)
    }

    /// Two members of which only one may be given.
    func refuse(_ name: String, with other: String, because why: String) throws(QueryError) {
        guard has(name), has(other) else { return }
        throw error(name, "\(name) and \(other) exclude each other: \(why)")
    }

    /// A string.
    func text(_ name: String) throws(QueryError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw error(name, "\(value.kind) was given; a string was expected") }
        return text
    }

    /// A truth value.
    func truth(_ name: String) throws(QueryError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let truth = value.bool else {
            throw error(name, "\(value.kind) was given; a boolean was expected", allowed: ["true", "false"])
        }
        return truth
    }

    /// A whole number within a range.
    func whole(_ name: String, in range: ClosedRange<Int64>) throws(QueryError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw error(
                name,
                "\(value.encodedText) was given; a whole number from \(range.lowerBound) to \(range.upperBound) "
                    + "was expected")
        }
        return number
    }

    /// A count that an `Int` holds.
    func count(_ name: String, in range: ClosedRange<Int>) throws(QueryError) -> Int? {
        try whole(name, in: Int64(range.lowerBound)...Int64(range.upperBound)).map { Int($0) }
    }

    /// A duration with a unit, within a range.
    func duration(_ name: String, in range: ClosedRange<Duration>) throws(QueryError) -> Duration? {
        try self[name].map { json throws(QueryError) in try FaultFields.duration(json, at: place(name), in: range) }
    }

    /// A time in RFC 3339.
    func instant(_ name: String) throws(QueryError) -> Instant? {
        guard let text = try text(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw error(name, "\(text) is no time; RFC 3339 was expected, as in 2026-11-21T09:30:00Z")
        }
        return instant
    }

    /// One of a few names.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ what: String, of type: Choice.Type = Choice.self
    ) throws(QueryError) -> Choice? where Choice.RawValue == String {
        guard let value = self[name] else { return nil }
        let names = Choice.allCases.map(\.rawValue)
        guard let text = value.string else {
            throw error(name, "\(value.kind) was given; a string was expected", allowed: names)
        }
        guard let choice = Choice(rawValue: text) else {
            throw .unknown(what, text, at: place(name), among: names)
        }
        return choice
    }

    /// A member that must be there.
    func required<Value>(_ name: String, _ value: Value?, of what: String) throws(QueryError) -> Value {
        guard let value else { throw error(name, "\(what) needs \(name), which is not given") }
        return value
    }

    /// A duration with a unit, within a range.
    static func duration(
        _ json: JSONValue, at place: String, in range: ClosedRange<Duration>
    ) throws(QueryError) -> Duration {
        guard let duration = json.string.flatMap({ DurationText.parse($0) }) else {
            throw QueryError(
                place, "\(json.encodedText) is no duration; a string with a unit was expected",
                allowed: DurationText.examples)
        }
        guard range.contains(duration) else {
            let (least, most) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
            throw QueryError(place, "\(json.encodedText) was given; \(least) to \(most) was expected")
        }
        return duration
    }
}
