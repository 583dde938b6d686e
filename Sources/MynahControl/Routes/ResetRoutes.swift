internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `POST /v1/reset`: back to the state after start; connections stay unless asked.
///
/// Provider certificates stay as they are: they lie in the state folder, which servers and commands share and which
/// outlives them, and a revocation is final.
struct ResetRoutes {
    /// What can be named in `only`, in the order of the answer.
    enum Part: String, CaseIterable, Sendable {
        case notifications
        case devices
        case faults
        case clock
        case keys
        case connections

        /// Whether a scope has such things of its own.
        var hasScope: Bool {
            switch self {
            case .notifications, .devices, .faults, .clock: true
            case .keys, .connections: false
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
        let scope = try ScopeReading.scope(document)
        let parts = try parts(document, scope)
        var removed: [JSONMember] = []
        for part in Part.allCases where part != .connections || parts.contains(part) {
            guard scope == nil || part.hasScope else { continue }
            let count =
                switch part {
                case _ where !parts.contains(part): 0
                case .notifications: try await removeNotifications(scope, state.server)
                case .devices: try await removeDevices(scope, state)
                case .clock: try await resetClock(scope, state.server)
                case .keys: try await state.server.resetKeys()
                case .connections: await state.server.closeConnections()
                case .faults: try await state.fixtureFaults.remove(ofScope: scope, state.server)
                }
            removed.append(JSONMember(part.rawValue, .number(JSONNumber(count))))
        }
        // Made again at the end, on the clocks of the start.
        if parts.contains(.devices) { try await state.fixtureDevices.make(ofScope: scope, state.server) }
        if parts.contains(.faults) { try await state.fixtureFaults.restore(ofScope: scope, state.server) }
        state.server.events.note(
            .reset(
                removed: .object(removed), only: Part.allCases.filter(parts.contains).map(\.rawValue), scope: scope))
        return .json(["removed": .object(removed)])
    }

    private static func removeNotifications(_ scope: String?, _ server: Server) async throws -> Int {
        if let scope { return try await JournalRemoval.remove(ofScope: scope, server.journal) }
        // A push that has its number and not its place yet belongs to the time before.
        _ = await server.journal.settled()
        return server.journal.reset()
    }

    private static func removeDevices(_ scope: String?, _ state: ControlState) async throws -> Int {
        var filter = DeviceFilter()
        if let scope { filter.scopes = [scope] }
        return await state.server.removeDevices(where: filter, isTold: false)
    }

    private static func resetClock(_ scope: String?, _ server: Server) async throws -> Int {
        try await scope == nil ? server.resetClocks() : server.removeClock(ofScope: scope ?? "")
    }

    private static func parts(_ document: RequestDocument, _ scope: String?) throws(Problem) -> Set<Part> {
        try document.check(known: ["only", "scope"])
        guard let only = document["only"] else {
            return Set(Part.allCases.filter { $0 != .connections && (scope == nil || $0.hasScope) })
        }
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
            guard scope == nil || part.hasScope else {
                throw Problem(
                    .invalidField, "\(name) belong to the whole server, not to a scope; reset them without scope",
                    field: field, allowed: Part.allCases.filter(\.hasScope).map(\.rawValue))
            }
            parts.insert(part)
        }
        return parts
    }
}
