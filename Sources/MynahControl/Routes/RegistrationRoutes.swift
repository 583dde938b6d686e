internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices/{id}/registrations`: apps are installed, launched, changed and uninstalled
/// (`DeviceBehaviour#Registration-and-tokens`).
struct RegistrationRoutes {
    private static let all = "/v1/devices/{id}/registrations"
    private static let one = "/v1/devices/{id}/registrations/{topic}"

    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, RegistrationRoutes.all) { [state] call in
                try call.checkNoQuery()
                let id = try call.pathText("id")
                let device = try await call.aboutDevices { try await state.server.device(id) }
                return .json(["items": .array(device.registrations.map(\.json))])
            },
            Route(.post, RegistrationRoutes.all) { [state] in try await RegistrationRoutes.add($0, state.server) },
            Route(.get, RegistrationRoutes.one) { [state] in try await RegistrationRoutes.show($0, state.server) },
            Route(.patch, RegistrationRoutes.one) { [state] in
                try await RegistrationRoutes.change($0, state.server)
            },
            Route(.delete, RegistrationRoutes.one) { [state] in
                try await RegistrationRoutes.remove($0, state.server)
            },
        ]
    }

    private static func add(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let id = try call.pathText("id")
        let document = try RequestDocument(call.body)
        let app = try call.reading {
            try RegistrationSpecification(
                json: .object(document.members), tokenByteCounts: server.settings.rules.tokenByteCounts)
        }
        let registered = try await call.aboutDevices { try await server.registerApp(on: id, app) }
        let registration = registered.registration
        guard registered.isNew else { return .json(registration.json) }
        var response = Response.json(registration.json, status: .created)
        response.headers[.location] =
            "/v1/devices/\(PathText.encoded(id))/registrations/\(PathText.encoded(registration.topic))"
            + "?environment=\(registration.environment.rawValue)"
        return response
    }

    private static func show(_ call: Call, _ server: Server) async throws -> Response {
        let app = try AppOfCall(call)
        let device = try await call.aboutDevices { try await server.device(app.device) }
        let environment = app.environment ?? device.traits.environment
        let found = device.registrations.filter { $0.topic == app.topic && $0.environment == environment }
        // The one that is in force, or the last that was.
        guard let registration = found.last(where: { $0.state.isCurrent }) ?? found.last else {
            let topics = device.registrations.map(\.topic)
            throw Problem(
                .notFound,
                "\(app.device) has no app \(app.topic) in \(environment.rawValue)"
                    + NearestName.suggestion(for: app.topic, among: topics), allowed: topics)
        }
        return .json(registration.json)
    }

    private static func remove(_ call: Call, _ server: Server) async throws -> Response {
        let app = try AppOfCall(call)
        let before = try await call.aboutDevices {
            let device = try await server.device(app.device)
            try await server.uninstallApp(on: app.device, topic: app.topic, environment: app.environment)
            return device
        }
        let after = try await call.aboutDevices { try await server.device(app.device) }
        let environment = app.environment ?? before.traits.environment
        // One that never had a token leaves nothing behind.
        let ended = [after, before].lazy.compactMap { device in
            device.registrations.last { $0.topic == app.topic && $0.environment == environment }
        }.first
        return .json(ended?.json ?? .null)
    }

    private static func change(_ call: Call, _ server: Server) async throws -> Response {
        let app = try AppOfCall(call)
        let document = try RequestDocument(call.body)
        let patch = try call.reading { try AppPatch(json: .object(document.members)) }
        let changed = try await call.aboutDevices {
            try await server.changeApp(on: app.device, topic: app.topic, environment: app.environment, patch)
        }
        return .json(changed.json)
    }
}

/// The app that a call's path and `?environment=` name.
private struct AppOfCall {
    let device: String
    let topic: String
    /// `nil`: the device's.
    let environment: APNsEnvironment?

    init(_ call: Call) throws(Problem) {
        var query = try call.query()
        let word = try query.takeWord("environment", APNsEnvironment.allCases.map(\.rawValue))
        try query.finish(known: ["environment"])
        environment = word.flatMap { APNsEnvironment(rawValue: $0) }
        device = try call.pathText("id")
        topic = try call.pathText("topic")
    }
}
