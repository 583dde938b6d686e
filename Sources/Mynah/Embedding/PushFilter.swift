public import APNsRules
public import MynahCore

/// A condition on pushes; several filters are *all of*.
///
/// The keys of the control API's filter language (`ControlAPI`), as `mynah expect` uses them.
public struct PushFilter: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        /// A member of a `match` object, by its path: one step, or two for `payload`, `headers` and `screen`.
        case member([String], JSONValue)
        /// A line of the query language.
        case line(String)
        /// The opposite of a filter that has none.
        case impossible(String)
    }

    private let content: Content

    private init(_ content: Content) { self.content = content }

    private init(_ path: String..., is value: JSONValue) { self.content = .member(path, value) }

    // A single value stands for itself, which reads better in a near miss.
    private init(_ name: String, isAnyOf values: [JSONValue]) {
        self.init(.member([name], values.count == 1 ? values[0] : .array(values)))
    }

    // MARK: Receiver and sender

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

    // MARK: Request

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

    // MARK: Answer and outcome

    /// Answered with this status.
    public static func status(_ status: Int) -> PushFilter { PushFilter("status", is: .number(JSONNumber(status))) }

    /// Refused for one of these reasons.
    public static func reason(_ reasons: Reason...) -> PushFilter {
        PushFilter("reason", isAnyOf: reasons.map { .string($0.rawValue) })
    }

    /// With one of these outcomes.
    public static func outcome(_ outcomes: Outcome...) -> PushFilter {
        PushFilter("outcome", isAnyOf: outcomes.map { .string($0.rawValue) })
    }

    /// Seen by the user, or not.
    public static func shown(_ isShown: Bool = true) -> PushFilter { PushFilter("shown", is: .bool(isShown)) }

    /// On which a fault acted.
    public static func fault(_ fault: ActiveFault) -> PushFilter { PushFilter("fault", is: .string(fault.id)) }

    /// With this on the device's screen when it arrived, by the names of `GET …/screen`: `.screen("/title", "Hello")`.
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

    /// All other pushes; a line or a part of a payload has no opposite.
    public static prefix func ! (filter: PushFilter) -> PushFilter {
        switch filter.content {
        case .member(["payloadIncludes"], _): PushFilter(.impossible("payload(including:)"))
        case .member(let path, .object(let members)) where members.map(\.name) == ["not"]:
            PushFilter(.member(path, members[0].value))
        case .member(let path, let value): PushFilter(.member(path, ["not": value]))
        case .line: PushFilter(.impossible("query(_:), which has a hyphen for it,"))
        case .impossible: filter
        }
    }

    // MARK: Reading

    /// The conditions of filters that must all hold.
    ///
    /// - Throws: ``MynahError`` whose field is a JSON pointer into a `match` object.
    static func conditions(_ filters: [PushFilter]) throws(MynahError) -> Filter {
        var conditions: [Filter.Condition] = []
        for filter in filters {
            do throws(InputError) {
                switch filter.content {
                case .member(let path, let value):
                    let match = path.reversed().reduce(value) { .object([JSONMember($1, $0)]) }
                    conditions += try Filter(json: match, at: "").conditions
                case .line(let line): conditions += try Filter(line: line).conditions
                case .impossible(let name): throw PushFilter.noOpposite(name)
                }
            } catch {
                throw MynahError(error)
            }
        }
        return Filter(conditions)
    }

    /// The members of a fault's `match` object, those with two steps of a path in objects.
    static func match(_ filters: [PushFilter]) throws(MynahError) -> [JSONMember] {
        var members: [JSONMember] = []
        for filter in filters {
            switch filter.content {
            case .line:
                throw MynahError(.invalid, "a fault's match has no line of the query language; name its fields")
            case .impossible(let name): throw MynahError(noOpposite(name))
            case .member(let path, let value):
                let inner = path.dropFirst().map { JSONMember($0, value) }
                let index = members.firstIndex { $0.name == path[0] }
                let others = index.flatMap { members.remove(at: $0).value.object } ?? []
                guard index == nil || !inner.isEmpty && !others.contains(where: { $0.name == path[1] }) else {
                    throw MynahError(
                        .invalid, field: "/match/" + path[0],
                        "\(path.joined(separator: " ")) is given twice; give all values at once")
                }
                members.append(JSONMember(path[0], inner.isEmpty ? value : .object(others + inner)))
            }
        }
        return members
    }

    private static func noOpposite(_ name: String) -> InputError {
        InputError(.invalid, "\(name) has no opposite; name what is wanted instead")
    }
}
