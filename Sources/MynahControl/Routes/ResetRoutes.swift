internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah

/// `POST /v1/reset`: back to the state after start; connections stay unless asked.
struct ResetRoutes {
    /// What can be named in `only`, in the order of the answer.
    enum Part: String, CaseIterable, Sendable {
        case notifications
        case devices
        case faults
        case clock
        case keys
        case connections

        /// Whether this version has such things.
        var isThere: Bool {
            switch self {
            case .notifications, .devices, .keys, .connections: true
            case .faults, .clock: false
            }
        }
    }

    let state: ControlState

    var routes: [Route] {
        [Route(.post, "/v1/reset") { [state] in try await ResetRoutes.reset($0, state) }]
    }

    private static func reset(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let document = try RequestDocument(call.body, mayBeEmpty: true)
        let parts = try parts(document)
        var removed: [JSONMember] = []
        for part in Part.allCases where part != .connections || parts.contains(part) {
            let count =
                switch part {
                case _ where !parts.contains(part): 0
                case .notifications: await removeNotifications(state.server)
                case .devices: state.server.removeDevices()
                case .keys: try await state.server.resetKeys()
                case .connections: await state.server.closeConnections()
                case .faults, .clock: 0
                }
            removed.append(JSONMember(part.rawValue, .number(JSONNumber(count))))
        }
        return .json(["removed": .object(removed)])
    }

    private static func removeNotifications(_ server: Server) async -> Int {
        // A push that has its number and not its place yet belongs to the time before.
        _ = await server.journal.settled()
        return server.journal.reset()
    }

    private static func parts(_ document: RequestDocument) throws(Problem) -> Set<Part> {
        try document.check(known: ["only", "scope"])
        if let scope = document["scope"] {
            guard scope.string != nil else {
                throw Problem(.invalidField, "scope is \(scope.kind); it is a string", field: "/scope")
            }
            throw Problem(.notInThisVersion, "this version has no scopes; reset without one", field: "/scope")
        }
        guard let only = document["only"] else { return Set(Part.allCases.filter { $0 != .connections }) }
        let names = Part.allCases.map(\.rawValue)
        guard let elements = only.array else {
            throw Problem(
                .invalidField, "only is \(only.kind); it is an array of names", field: "/only", allowed: names)
        }
        var parts: Set<Part> = []
        for (index, element) in elements.enumerated() {
            let field = RequestDocument.pointer("only", String(index))
            guard let name = element.string else {
                throw Problem(.invalidField, "only has \(element.kind); it has names", field: field, allowed: names)
            }
            guard let part = Part(rawValue: name) else {
                throw Problem(
                    .invalidField, "\(name) can't be reset" + NearestName.suggestion(for: name, among: names),
                    field: field, allowed: names)
            }
            guard part.isThere else {
                throw Problem(
                    .notInThisVersion, "this version has no \(name) to reset", field: field,
                    allowed: Part.allCases.filter(\.isThere).map(\.rawValue))
            }
            parts.insert(part)
        }
        return parts
    }
}
