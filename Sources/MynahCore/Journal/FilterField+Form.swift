package import APNsRules

extension FilterDocument {
    /// ``screen``: a notification as the user reads it, with what the push did besides.
    private static let screenSchema: Schema =
        [
            Member("badge", .nullable(.whole)), Member("reason", .nullableText),
            // Only a push to Live Activities has activities.
            Member("activities", .array(of: .object(LiveActivity.ownFields.showing))),
        ]
        + Schema(
            ReadNotification.fields.showing.members.filter { $0.name != "updatedAt" && $0.name != "warnings" })

    /// ``webPush``: ``WebPushView/fields``, with the words that a valid request has.
    private static let webPushSchema = Schema(
        WebPushView.fields.showing.members.map { member in
            switch member.name {
            case "urgency": Member(member.name, .nullable(.choice(WebPushUrgency.self)))
            case "encoding": Member(member.name, .nullable(.choice(WebPushEncoding.self)))
            case "refusals": Member(member.name, .array(of: .object(refusalSchema)))
            default: member
            }
        })

    private static let statuses: ClosedRange<Int> = {
        let statuses = Reason.allCases.map(\.status)
        return (statuses.min() ?? 0)...(statuses.max() ?? 0)
    }()

    private static let refusalSchema = Schema(
        WebPushRefusal.fields.showing.members.map { member in
            switch member.name {
            case "reason": Member(member.name, .choice(Reason.self))
            case "status": Member(member.name, .integer(statuses))
            default: member
            }
        })

    /// The members that the document can have; `nil` for the payload, which has any members.
    var schema: Schema? {
        switch self {
        case .payload: nil
        case .screen: FilterDocument.screenSchema
        case .webPush: FilterDocument.webPushSchema
        }
    }
}

/// What can stand at a place of the documents whose members are known, so that a condition on a place that is not there, or
/// on a value of another kind, is refused.
extension FilterField {
    /// The readings of a value written as text, as a text and perhaps a number or a boolean, that this place may have.
    ///
    /// Refuses a value without any; `place` is where it is given.
    func possible(_ readings: Matcher, at place: String) throws(InputError) -> Matcher {
        guard let form = try form(at: place) else { return readings }
        let possible = readings.alternatives.filter(form.mayMeet)
        guard let first = possible.first else {
            try check(readings, at: place)
            return readings
        }
        return possible.count == 1 ? first : .any(possible)
    }

    /// The values that a text may mean at a place in a document: a number or a boolean, and the text.
    package static func readings(of text: String, in document: String, at pointer: String) -> [JSONValue] {
        let readings = Matcher(text: text)
        // What can't be there is refused by whom it is sent to.
        let field = FilterDocument(rawValue: document).flatMap { try? FilterField($0, pointer: pointer, at: "") }
        return ((try? field?.possible(readings, at: "")) ?? readings).alternatives.reversed().map(\.json)
    }

    /// The form of what is at this place; `nil` for anything.
    private func form(at place: String) throws(InputError) -> Form? {
        guard case .place(let document, let pointer) = self, let schema = document.schema else { return nil }
        return try FilterField.form(of: pointer, in: schema, at: place)
    }

    /// Refuses a matcher in which something holds for no value at this place; `place` is where it is given.
    func check(_ matcher: Matcher, at place: String) throws(InputError) {
        guard let form = try form(at: place), let given = matcher.leaves.first(where: { !form.mayMeet($0) }) else {
            return
        }
        if case .equal(.string(let text)) = given, !form.choices.isEmpty {
            throw .unlisted(text, at: place, among: form.choices)
        }
        if case .equal(let value) = given {
            throw .mismatch(value, at: place, expected: form.expectedInFilter, allowed: form.choices)
        }
        throw InputError(
            at: place, "\(given.json.encodedText) holds for no \(name), so it could never match",
            hint: ": expected \(form.expectedInFilter)")
    }

    /// The form of what is at a pointer in a document; `nil` for anything, and for the document itself.
    private static func form(
        of pointer: JSONPointer, in document: Schema, at place: String
    ) throws(InputError) -> Form? {
        guard !pointer.steps.isEmpty else { return nil }
        var form = Form.object(document)
        for (index, step) in pointer.steps.enumerated() {
            switch form.unwrapped {
            case .object(let schema):
                guard let member = schema[step] else {
                    let parent = JSONPointer(steps: Array(pointer.steps[..<index])).description
                    throw .unknown("member of \(parent)", "/" + step, at: place, among: schema.names.map { "/" + $0 })
                }
                form = member.form
            case .array(let element, _):
                guard JSONPointer.index(step) != nil else {
                    let parent = JSONPointer(steps: Array(pointer.steps[..<index])).description
                    throw InputError(
                        at: place,
                        "\(pointer) is no place: \(parent) is an array: expected a number behind it, as in \(parent)/0")
                }
                form = element
            case .map(let value, _): form = value
            case .any: return nil
            default:
                throw InputError(at: place, "\(pointer) is no place: nothing is below \(form.expectedInFilter)")
            }
        }
        return form
    }
}

extension Form {
    /// The form without what is only said about it, or that it may be absent.
    fileprivate var unwrapped: Form {
        switch self {
        case .nullable(let form), .named(_, let form), .described(let form, _): form.unwrapped
        default: self
        }
    }

    /// Whether a value of this form may satisfy a matcher without others in it, or is absent.
    fileprivate func mayMeet(_ matcher: Matcher) -> Bool {
        switch (matcher, unwrapped) {
        case (_, .any), (.equal(.null), _), (.exists, _), (.includes, _), (.any, _), (.not, _): true
        case (.contains(let text), .array(let element, _)): element.unwrapped.mayContain(text)
        case (.prefix, .array), (.regex, .array), (.prefix, .object), (.regex, .object), (.contains, .object),
            (.prefix, .map), (.regex, .map), (.contains, .map):
            false
        case (.prefix(let text), .choice(let names)): names.contains { $0.hasPrefix(text) }
        case (.regex(let pattern), .choice(let names)): names.contains { pattern.matches($0) }
        case (.equal(let value), let form): form.isMet(by: value)
        case (.prefix, .bool), (.prefix, .integer), (.prefix, .number), (.regex, .bool), (.regex, .integer),
            (.regex, .number), (.contains, .bool), (.contains, .integer), (.contains, .number):
            false
        case (.contains(let text), .choice(let names)): names.contains { $0.contains(text) }
        case (.atLeast(.number), .integer), (.atLeast(.number), .number), (.atMost(.number), .integer),
            (.atMost(.number), .number):
            true
        case (.atLeast(.number), _), (.atMost(.number), _): false
        case (.atLeast, .integer), (.atLeast, .number), (.atLeast, .bool), (.atMost, .integer), (.atMost, .number),
            (.atMost, .bool):
            false
        default: true
        }
    }

    /// Whether a text may be an element of an array of this form.
    private func mayContain(_ element: String) -> Bool {
        switch self {
        case .any: true
        case .choice(let names): names.contains(element)
        case .text, .name, .time: true
        default: false
        }
    }

    private func isMet(by value: JSONValue) -> Bool {
        // A whole object or array is compared unchanged.
        guard value.object == nil, value.array == nil else { return true }
        do throws(InputError) { try check(value, at: "") } catch { return false }
        return true
    }

    fileprivate var choices: [String] { if case .choice(let names) = unwrapped { names } else { [] } }

    fileprivate var expectedInFilter: String {
        if case .integer(Int64.min...Int64.max) = unwrapped { return "a whole number" }
        return unwrapped.expected
    }
}
