public import APNsRules
internal import MynahCore

/// A Live Activity to start, as its app does (`Documents#Live-Activities`).
public struct NewActivity: Sendable {
    /// The app's topic for Live Activities, which ends with `.push-type.liveactivity`.
    public var topic: String
    /// The name of the attributes' type.
    public var attributesType: String
    /// The attributes, which stay the same while the activity runs, an object.
    public var attributes: JSONValue
    /// The content that the activity shows, an object.
    public var contentState: JSONValue
    /// How the provider updates it; `nil` if its app alone does.
    public var pushType: DeviceActivity.PushType?
    /// The environment of the activity's token; `nil` for the device's.
    public var environment: APNsEnvironment?
    /// When the activity's content is out of date.
    public var staleDate: Instant?
    /// The activity with the highest comes first on the screen.
    public var relevanceScore: Double?

    /// An activity that is updated by a token of its own, unless another push type is given.
    public init(
        _ attributesType: String, of topic: String, attributes: JSONValue = [:], contentState: JSONValue = [:],
        pushType: DeviceActivity.PushType? = .token
    ) {
        self.attributesType = attributesType
        self.topic = topic
        self.pushType = pushType
        self.attributes = attributes
        self.contentState = contentState
    }

    /// The activity as the control API takes it.
    func specification() throws(MynahError) -> ActivitySpecification {
        if let relevanceScore, !relevanceScore.isFinite {
            throw MynahError(
                .invalid, field: "/relevanceScore", "relevanceScore is \(relevanceScore): expected a finite number")
        }
        let updatedBy: JSONValue =
            switch pushType {
            case .token: "token"
            case .channel(let id): ["channel": .string(id)]
            case nil: .null
            }
        let optional: [JSONMember] = [
            JSONMember("environment", .text(environment?.rawValue)),
            JSONMember("staleDate", .text(staleDate?.rfc3339)),
            JSONMember("relevanceScore", .fraction(relevanceScore)),
        ]
        let members = [
            JSONMember("topic", .string(topic)), JSONMember("attributesType", .string(attributesType)),
            JSONMember("attributes", attributes), JSONMember("contentState", contentState),
            JSONMember("pushType", updatedBy),
        ]
        let document = JSONValue.object(members + optional.filter { $0.value != .null })
        return try MynahError.reading { () throws(InputError) in try ActivitySpecification(json: document) }
    }
}

/// What a start of a Live Activity on many devices did.
public struct StartedActivities: Sendable, Hashable {
    /// A device on which the activity could not be started.
    public struct Refusal: Sendable, Hashable {
        /// The device's id.
        public let device: String
        /// Why, such as that the app is not on the device.
        public let reason: String
    }

    /// The number of devices on which it was started.
    public let count: Int
    /// The number of devices on which it could not be started.
    public let refusedCount: Int
    /// The refusals of the first ten of those devices by id.
    public let refusals: [Refusal]

    init(_ changes: DeviceTable.ActivityChanges) {
        count = changes.places.count
        refusedCount = changes.refusedCount
        refusals = changes.refusals.map { Refusal(device: $0.device, reason: $0.problem) }
    }
}

/// Live Activities of many devices.
extension MynahSimulation {
    /// Starts a Live Activity on each device that all filters match, as their apps do, in a scope only on its own; where
    /// that is not possible, such as without the app, it is left out and counted.
    @discardableResult
    public func startActivities(
        _ activity: NewActivity, on devices: SimulatedDevice.Filter...
    ) async throws(MynahError) -> StartedActivities {
        let specification = try activity.specification()
        let filter = try MynahError.reading { [scopeName] () throws(InputError) in
            try SimulatedDevice.Filter.all(devices, inScope: scopeName)
        }
        return StartedActivities(try await server.change { try await $0.startActivities(where: filter, specification) })
    }

    /// Dismisses the Live Activities that all filters match, of the devices that all their filters match, as their
    /// users do; returns how many, in a scope only of its own devices.
    ///
    /// Without filters these are all; activities that are dismissed already are left as they are.
    @discardableResult
    public func dismissActivities(
        _ filters: DeviceActivity.Filter..., on devices: SimulatedDevice.Filter...
    ) async throws(MynahError) -> Int {
        let activityFilter = try MynahError.reading { () throws(InputError) in try DeviceActivity.Filter.all(filters) }
        let deviceFilter = try MynahError.reading { [scopeName] () throws(InputError) in
            try SimulatedDevice.Filter.all(devices, inScope: scopeName)
        }
        return try await server.change { try await $0.dismissActivities(where: activityFilter, of: deviceFilter) }
    }
}
