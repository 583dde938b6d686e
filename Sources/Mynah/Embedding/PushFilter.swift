public import APNsRules
public import MynahCore

/// A condition on pushes, by the keys of the control API's filter language (`ControlAPI`), as `mynah expect` uses them;
/// several filters are *all of*.
public struct PushFilter: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        /// A member of a `match` object, by its path: one step, or two for `payload`, `headers`, `screen` and
        /// `webPush`.
        case member([String], JSONValue)
        /// A line of the query language.
        case line(String)
        /// The opposite of a filter that has none.
        case impossible(String)
    }

    private let content: Content
    private init(_ content: Content) { self.content = content }
    private init(_ path: String..., is value: JSONValue) { self.init(.member(path, value)) }
    private init(_ path: String..., is text: String) { self.init(.member(path, .string(text))) }
    private init(_ path: String..., is matcher: PushMatcher) { self.init(.member(path, matcher.document)) }
    private init(_ key: FilterKey, is value: JSONValue) { self.init(key.rawValue, is: value) }
    private init(_ key: FilterKey, is text: String) { self.init(key.rawValue, is: text) }
    private init(_ key: FilterKey, is matcher: PushMatcher) { self.init(key.rawValue, is: matcher) }
    private init(_ key: FilterKey, is number: some FixedWidthInteger) {
        self.init(key, is: .number(JSONNumber(number)))
    }

    // A single value stands for itself, which reads better in a near miss.
    private init(_ key: FilterKey, isAnyOf texts: [String]) {
        self.init(key, is: texts.count == 1 ? .string(texts[0]) : .array(texts.map { .string($0) }))
    }

    // MARK: Receiver and sender

    /// Matches pushes to one of these device tokens.
    public static func token(_ tokens: DeviceToken...) -> Self { Self(.token, isAnyOf: tokens.map(\.hex)) }
    /// Matches pushes to a device.
    public static func device(_ device: SimulatedDevice) -> Self { .device(device.id) }
    /// Matches pushes to the device with an id.
    public static func device(_ id: String) -> Self { Self(.device, is: id) }
    /// Matches pushes to a topic.
    public static func topic(_ topic: String) -> Self { Self(.topic, is: topic) }
    /// Matches pushes whose topic satisfies a matcher.
    public static func topic(_ matcher: PushMatcher) -> Self { Self(.topic, is: matcher) }
    /// Matches pushes to devices of a scope, or with `nil` of no scope.
    public static func scope(_ name: String?) -> Self {
        name.map { Self(.scope, is: $0) } ?? Self(.scope, is: .exists(false))
    }
    /// Matches pushes in an environment.
    public static func environment(_ environment: APNsEnvironment) -> Self {
        Self(.environment, is: environment.rawValue)
    }
    /// Matches pushes over the connection with a number.
    public static func connection(_ number: UInt64) -> Self { Self(.connection, is: number) }
    /// Matches pushes whose provider token a key has signed; the signature is good.
    public static func keyID(_ keyID: String) -> Self { Self(.keyId, is: keyID) }
    /// Matches pushes of a team, by a token with a good signature.
    public static func teamID(_ teamID: String) -> Self { Self(.team, is: teamID) }

    // MARK: Request

    /// Matches pushes with an `apns-id`.
    public static func apnsID(_ id: NotificationID) -> Self { Self(.apnsId, is: id.text) }
    /// Matches pushes with an `apns-unique-id`, which the sandbox gives each accepted push.
    public static func uniqueID(_ id: NotificationID) -> Self { Self(.uniqueId, is: id.text) }
    /// Matches pushes with an `apns-collapse-id`.
    public static func collapseID(_ id: String) -> Self { Self(.collapseId, is: id) }
    /// Matches broadcasts to the channel with an id; broadcasts are of no scope.
    public static func channel(_ id: ChannelID) -> Self { Self(.channel, is: id.text) }
    /// Matches broadcasts to a channel; broadcasts are of no scope.
    public static func channel(_ channel: ChannelView) -> Self { .channel(channel.id) }
    /// Matches broadcasts to a channel whose id satisfies a matcher: `.channel(.exists())` matches all broadcasts.
    public static func channel(_ matcher: PushMatcher) -> Self { Self(.channel, is: matcher) }
    /// Matches web pushes, which go to the subscription of a web app.
    public static var webPush: Self { Self(.kind, is: JournalKind.webPush.rawValue) }
    /// Matches pushes of one of these types.
    public static func pushType(_ types: PushType...) -> Self { Self(.pushType, isAnyOf: types.map(\.rawValue)) }
    /// Matches pushes with a priority.
    public static func priority(_ priority: Priority) -> Self { Self(.priority, is: priority.rawValue) }
    /// Matches pushes with a value of a header; the case of the header's name does not matter.
    public static func header(_ name: String, _ value: String) -> Self { Self("headers", name, is: value) }
    /// Matches pushes with a header whose value satisfies a matcher.
    public static func header(_ name: String, _ matcher: PushMatcher) -> Self { Self("headers", name, is: matcher) }
    /// Matches pushes with a value at a place of the payload, a JSON pointer: `.payload("/aps/badge", 3)`; an array is
    /// any of its elements, as everywhere in the filter language; for objects there is ``payload(including:)``.
    public static func payload(_ place: String, _ value: JSONValue) -> Self { Self("payload", place, is: value) }
    /// Matches pushes whose payload satisfies a matcher at a place, a JSON pointer.
    public static func payload(_ place: String, _ matcher: PushMatcher) -> Self { Self("payload", place, is: matcher) }
    /// Matches pushes whose payload has at least these members, and at least these elements in its arrays.
    public static func payload(including part: JSONValue) -> Self { Self("payloadIncludes", is: part) }
    /// Matches pushes with a text in their payload.
    public static func text(_ part: String) -> Self { Self(.text, is: part) }

    // MARK: Answer and outcome

    /// Matches pushes that were answered with a status.
    public static func status(_ status: Int) -> Self { Self(.status, is: status) }
    /// Matches pushes that were refused for one of these reasons.
    public static func reason(_ reasons: Reason...) -> Self { Self(.reason, isAnyOf: reasons.map(\.rawValue)) }
    /// Matches pushes with one of these outcomes.
    public static func outcome(_ outcomes: Outcome...) -> Self { Self(.outcome, isAnyOf: outcomes.map(\.rawValue)) }
    /// Matches pushes that the user saw, or with `false` those that the user did not see.
    public static func shown(_ isShown: Bool = true) -> Self { Self(.shown, is: .bool(isShown)) }
    /// Matches pushes that the user heard, also ones that show nothing, or with `false` those that the user did not
    /// hear.
    public static func sounded(_ isSounded: Bool = true) -> Self { Self(.sounded, is: .bool(isSounded)) }
    /// Matches pushes with at least one warning: what APNs accepts although it is wrong by Apple's documents.
    public static var hasWarnings: Self { Self(.has, is: FilterKey.warnings) }
    /// Matches pushes on which a fault acted.
    public static func fault(_ fault: ActiveFault) -> Self { Self(.fault, is: fault.id) }
    /// Matches pushes that showed a value on the device's screen when they arrived, by the names of `GET …/screen`:
    /// `.screen("/title", "Hello")`.
    public static func screen(_ place: String, _ value: JSONValue) -> Self { Self("screen", place, is: value) }
    /// Matches pushes that showed, at a place of the screen, a value that satisfies a matcher.
    public static func screen(_ place: String, _ matcher: PushMatcher) -> Self { Self("screen", place, is: matcher) }

    /// Matches web pushes with a value at a place of their `webPush`: `.webPush("/topic", "orders")`.
    public static func webPush(_ place: String, _ value: JSONValue) -> Self { Self("webPush", place, is: value) }
    /// Matches web pushes whose `webPush` satisfies a matcher at a place.
    public static func webPush(_ place: String, _ matcher: PushMatcher) -> Self { Self("webPush", place, is: matcher) }

    // MARK: Others

    /// Matches pushes with a value of a key of the filter language, whether there is a function for the key or not:
    /// `.key(.sounded, true)`.
    public static func key(_ key: FilterKey, _ value: JSONValue) -> Self { Self(key, is: value) }
    /// Matches pushes whose value of a key of the filter language satisfies a matcher.
    public static func key(_ key: FilterKey, _ matcher: PushMatcher) -> Self { Self(key, is: matcher) }
    /// Matches pushes by a line of the query language, as `mynah expect` takes it:
    /// `topic:com.example.app -reason:BadDeviceToken "hi"`.
    public static func query(_ line: String) -> Self { Self(.line(line)) }

    /// Matches all pushes that a filter doesn't match; a line or a part of a payload has no opposite.
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

    /// The conditions of filters that must all hold of a push, in a scope one of its own; throws ``InputError`` with a JSON
    /// pointer into a `match` object.
    static func conditions(_ filters: [PushFilter], ofScope scope: String? = nil) throws(InputError) -> Filter {
        var conditions: [Filter.Condition] = []
        for filter in filters {
            switch filter.content {
            case .member(let path, let value):
                let match = path.reversed().reduce(value) { .object([JSONMember($1, $0)]) }
                conditions += try Filter(json: match, at: "").conditions
            case .line(let line): conditions += try Filter(line: line).conditions
            case .impossible(let name): throw noOpposite(name)
            }
        }
        let filter = Filter(conditions)
        try Filter(scope: scope).and(filter).checkPossible(at: "")
        return filter
    }

    /// The members of a fault's `match` object, those with two steps of a path in objects.
    static func match(_ filters: [PushFilter]) throws(MynahError) -> [JSONMember] {
        var members: [JSONMember] = []
        for filter in filters {
            switch filter.content {
            case .line:
                throw MynahError(.invalid, "a fault's match takes no line of the query language: name its fields")
            case .impossible(let name): throw MynahError(noOpposite(name))
            case .member(let path, let value):
                let inner = path.dropFirst().map { JSONMember($0, value) }
                let index = members.firstIndex { $0.name == path[0] }
                let others = index.flatMap { members.remove(at: $0).value.object } ?? []
                guard index == nil || !inner.isEmpty && !others.contains(where: { $0.name == path[1] }) else {
                    throw MynahError(
                        .invalid, field: "/match/" + path[0],
                        "\(path.joined(separator: " ")) is given twice: give all values at once")
                }
                members.append(JSONMember(path[0], inner.isEmpty ? value : .object(others + inner)))
            }
        }
        return members
    }

    private static func noOpposite(_ name: String) -> InputError {
        InputError(.invalid, "\(name) has no opposite: name what is wanted instead")
    }
}

/// What a field of a push must be, where a plain value does not say it (`Documents#Matchers`).
public struct PushMatcher: Hashable, Sendable {
    fileprivate let document: JSONValue
    /// Matches a value; `null` means absent.
    public static func equal(_ value: JSONValue) -> Self { Self(document: value) }
    /// Matches any of these values.
    public static func any(of values: JSONValue...) -> Self { Self(document: .array(values)) }
    /// Matches a text with a prefix.
    public static func prefix(_ text: String) -> Self { Self(document: ["prefix": .string(text)]) }
    /// Matches a text that contains this one, and an array with this element.
    public static func contains(_ text: String) -> Self { Self(document: ["contains": .string(text)]) }
    /// Matches a text with a part that a regular expression matches.
    public static func regex(_ pattern: String) -> Self { Self(document: ["regex": .string(pattern)]) }
    /// Matches what a matcher doesn't match.
    public static func not(_ matcher: PushMatcher) -> Self { Self(document: ["not": matcher.document]) }
    /// Matches any value, or with `false` absence.
    public static func exists(_ isThere: Bool = true) -> Self { Self(document: ["exists": .bool(isThere)]) }
    /// Matches a number or text that is at least a value.
    public static func atLeast(_ value: JSONValue) -> Self { Self(document: ["gte": value]) }
    /// Matches a number or text that is at most a value.
    public static func atMost(_ value: JSONValue) -> Self { Self(document: ["lte": value]) }
}
