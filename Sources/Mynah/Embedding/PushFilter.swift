public import APNsRules
internal import MynahCore

/// Which pushes somebody means; several filters are *all of*.
///
/// The keys of the control API's filter language (`ControlAPI`), so that what is found here `mynah expect` finds too.
public struct PushFilter: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        /// A member of a `match` object, by its path.
        case member([String], JSONValue)
        /// A line of the query language.
        case line(String)
        /// Anything but a member.
        case not([String], JSONValue)
        /// A filter that has no opposite.
        case noOpposite(String)
    }

    private let content: Content

    private init(_ path: String..., is value: JSONValue) { self.content = .member(path, value) }

    // One value stands for itself, which reads better in a near miss.
    private init(_ name: String, isAnyOf values: [JSONValue]) {
        self.content = .member([name], values.count == 1 ? values[0] : .array(values))
    }

    private init(_ content: Content) { self.content = content }

    // MARK: Whose it is

    /// To one of these device tokens.
    public static func token(_ tokens: DeviceToken...) -> PushFilter {
        PushFilter("token", isAnyOf: tokens.map { .string($0.hex) })
    }

    /// To a device.
    public static func device(_ device: SimulatedDevice) -> PushFilter { .device(device.id) }

    /// To a device, by its id.
    public static func device(_ id: String) -> PushFilter { PushFilter("device", is: .string(id)) }

    /// To a topic.
    public static func topic(_ topic: String) -> PushFilter { PushFilter("topic", is: .string(topic)) }

    /// To a topic that matches.
    public static func topic(_ matcher: PushMatcher) -> PushFilter { PushFilter("topic", is: matcher.document) }

    /// Of a scope; of no scope with `nil`.
    public static func scope(_ name: String?) -> PushFilter {
        PushFilter("scope", is: name.map { .string($0) } ?? ["exists": false])
    }

    /// In an environment.
    public static func environment(_ environment: APNsEnvironment) -> PushFilter {
        PushFilter("environment", is: .string(environment.rawValue))
    }

    /// Over a connection, by its number.
    public static func connection(_ number: UInt64) -> PushFilter {
        PushFilter("connection", is: .number(JSONNumber(number)))
    }

    /// Signed with a key, by a token with a good signature.
    public static func keyID(_ keyID: String) -> PushFilter { PushFilter("keyId", is: .string(keyID)) }

    /// Of a team, by a token with a good signature.
    public static func teamID(_ teamID: String) -> PushFilter { PushFilter("team", is: .string(teamID)) }

    // MARK: What was sent

    /// With this `apns-id`.
    public static func apnsID(_ id: NotificationID) -> PushFilter { PushFilter("apnsId", is: .string(id.text)) }

    /// With this `apns-collapse-id`.
    public static func collapseID(_ id: String) -> PushFilter { PushFilter("collapseId", is: .string(id)) }

    /// Of one of these types.
    public static func pushType(_ types: PushType...) -> PushFilter {
        PushFilter("pushType", isAnyOf: types.map { .string($0.rawValue) })
    }

    /// With this priority.
    public static func priority(_ priority: Priority) -> PushFilter {
        PushFilter("priority", is: .number(JSONNumber(priority.rawValue)))
    }

    /// With this value of a header, whose name's case does not matter.
    public static func header(_ name: String, _ value: String) -> PushFilter {
        PushFilter("headers", name, is: .string(value))
    }

    /// With a header that matches.
    public static func header(_ name: String, _ matcher: PushMatcher) -> PushFilter {
        PushFilter("headers", name, is: matcher.document)
    }

    /// With this value at a place of the payload, a JSON pointer: `.payload("/aps/badge", 3)`.
    ///
    /// An array is any of its elements, as everywhere in the filter language; for objects there is
    /// ``payload(including:)``.
    public static func payload(_ pointer: String, _ value: JSONValue) -> PushFilter {
        PushFilter("payload", pointer, is: value)
    }

    /// With a place of the payload that matches.
    public static func payload(_ pointer: String, _ matcher: PushMatcher) -> PushFilter {
        PushFilter("payload", pointer, is: matcher.document)
    }

    /// With at least these members in its payload, and at least these elements in its arrays.
    public static func payload(including part: JSONValue) -> PushFilter { PushFilter("payloadIncludes", is: part) }

    /// With this in the words of its payload.
    public static func text(_ part: String) -> PushFilter { PushFilter("text", is: .string(part)) }

    // MARK: What was answered, and what became of it

    /// Answered with this status.
    public static func status(_ status: Int) -> PushFilter { PushFilter("status", is: .number(JSONNumber(status))) }

    /// Refused for one of these reasons.
    public static func reason(_ reasons: Reason...) -> PushFilter {
        PushFilter("reason", isAnyOf: reasons.map { .string($0.rawValue) })
    }

    /// With one of these outcomes.
    public static func outcome(_ outcomes: PushOutcome...) -> PushFilter {
        PushFilter("outcome", isAnyOf: outcomes.map { .string($0.rawValue) })
    }

    /// Seen by the user, or not.
    public static func shown(_ isShown: Bool = true) -> PushFilter { PushFilter("shown", is: .bool(isShown)) }

    /// Of a fault's making.
    public static func fault(_ fault: ActiveFault) -> PushFilter { PushFilter("fault", is: .string(fault.id)) }

    /// With this on the device's screen when it came, by the names of `GET …/screen`: `.screen("/title", "Hello")`.
    public static func screen(_ pointer: String, _ value: JSONValue) -> PushFilter {
        PushFilter("screen", pointer, is: value)
    }

    /// With a place of the screen that matches.
    public static func screen(_ pointer: String, _ matcher: PushMatcher) -> PushFilter {
        PushFilter("screen", pointer, is: matcher.document)
    }

    // MARK: Others

    /// A line of the query language, as `mynah expect` takes it: `topic:com.example.app -reason:BadDeviceToken "hi"`.
    public static func query(_ line: String) -> PushFilter { PushFilter(.line(line)) }

    /// All pushes that a filter does not mean; of a line or a part of a payload there is no opposite.
    public static prefix func ! (filter: PushFilter) -> PushFilter {
        switch filter.content {
        case .member(["payloadIncludes"], _): PushFilter(.noOpposite("payload(including:)"))
        case .member(let path, let value): PushFilter(.not(path, value))
        case .not(let path, let value): PushFilter(.member(path, value))
        case .line: PushFilter(.noOpposite("query(_:), which has a hyphen for it,"))
        case .noOpposite: filter
        }
    }

    // MARK: Reading

    /// The filter as the journal understands it.
    ///
    /// - Throws: ``MynahError`` whose field is a JSON pointer into a `match` object.
    func filter() throws(MynahError) -> Filter {
        do throws(InputError) {
            switch content {
            case .member(let path, let value): return try Filter(json: PushFilter.object(path, value), at: "")
            case .not(let path, let value): return try Filter(json: PushFilter.object(path, ["not": value]), at: "")
            case .line(let line): return try Filter(line: line)
            case .noOpposite(let name): throw InputError(at: "", "\(name) has no opposite; name what is wanted instead")
            }
        } catch {
            throw MynahError(error)
        }
    }

    /// The members of a `match` object, those of one path's beginning together.
    ///
    /// - Throws: ``MynahError`` for a line, which only the journal's filters have, and for two of one path.
    static func match(_ filters: [PushFilter]) throws(MynahError) -> JSONValue {
        var members: [JSONMember] = []
        for filter in filters {
            let (path, value): ([String], JSONValue)
            switch filter.content {
            case .member(let place, let wanted): (path, value) = (place, wanted)
            case .not(let place, let unwanted): (path, value) = (place, ["not": unwanted])
            case .line: throw MynahError(.invalid, "a fault's match has no line of the query language; name its fields")
            case .noOpposite(let name):
                throw MynahError(.invalid, "\(name) has no opposite; name what is wanted instead")
            }
            let inner = path.count > 1 ? [JSONMember(path[1], value)] : []
            if let index = members.firstIndex(where: { $0.name == path[0] }) {
                let there = members[index].value.object ?? []
                guard !inner.isEmpty, !there.contains(where: { $0.name == path[1] }) else {
                    let name = path.joined(separator: " ")
                    throw MynahError(
                        .invalid, field: "/match/" + path[0], "\(name) is given twice; give all values at once")
                }
                members[index] = JSONMember(path[0], .object(there + inner))
            } else {
                members.append(JSONMember(path[0], path.count > 1 ? .object(inner) : value))
            }
        }
        return .object(members)
    }

    private static func object(_ path: [String], _ value: JSONValue) -> JSONValue {
        path.reversed().reduce(value) { .object([JSONMember($1, $0)]) }
    }
}

extension Sequence<PushFilter> {
    /// All of them as one.
    func filter() throws(MynahError) -> Filter {
        var conditions: [Filter.Condition] = []
        for one in self { conditions += try one.filter().conditions }
        return Filter(conditions)
    }
}
