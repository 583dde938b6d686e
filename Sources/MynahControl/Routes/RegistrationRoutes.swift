internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices/{id}/registrations`: installing, launching, changing and uninstalling apps
/// (`DeviceBehaviour#Registration-and-tokens`).
enum RegistrationRoutes {
    static let routes: [Route] = [
        Route(
            .get, allPath, id: "listRegistrations", summary: "List the apps of a device",
            details: "Including those whose tokens are dead.", parameters: [.device] + CallParameter.page(),
            answers: [.page(of: "Registration")], problems: [.notFound, .evicted]
        ) { call in
            let device = try await call.server.device(call.pathText("id"))
            return try ListPage(Array(device.registrations.enumerated()), to: call, id: { String($0.offset) }) {
                $0.element.json
            }.response(to: call)
        },
        Route(
            .post, allPath, id: "registerApp", summary: "Install an app, launch it, or have it register again",
            details: "An existing app keeps its token unless rotate says what happened to it. On a device without "
                + "network the app gets its token when the network is back.",
            parameters: [.device], body: .required(RegistrationSpecification.document),
            answers: [
                .ok("The existing app.", "Registration"),
                .created("The app, new or with a new token.", "Registration"),
            ], problems: [.notFound, .conflict], handle: add),
        Route(
            .get, onePath, id: "getRegistration", summary: "Get one app of a device", parameters: parameters,
            answers: [.ok("The app.", "Registration")], problems: [.notFound], handle: show),
        Route(
            .patch, onePath, id: "changeRegistration", summary: "Change an app's state and permissions",
            parameters: parameters, body: .required(AppPatch.document), answers: [.ok("The app.", "Registration")],
            problems: [.notFound]
        ) { call in
            let app = try AppOfCall(call)
            let patch = try AppPatch(json: call.object())
            let changed = try await call.server.changeApp(
                on: app.device, topic: app.topic, environment: app.environment, patch)
            return .json(changed.json)
        },
        Route(
            .delete, onePath, id: "uninstallApp", summary: "Uninstall an app",
            details: "Its token is answered with 410 once APNs notices.", parameters: parameters,
            answers: [.ok("The app after it was uninstalled.", "Registration")], problems: [.notFound], handle: remove),
    ]

    private static let allPath = "/v1/devices/{id}/registrations"
    private static let onePath = "/v1/devices/{id}/registrations/{topic}"
    private static let parameters: [CallParameter] = [
        .device, .topic,
        .query(
            "environment", "The app's environment; by default the device's, of a web app always production.",
            schema: Form.choice(APNsEnvironment.self).openAPI()
        ),
    ]

    private static func add(_ call: Call) async throws -> Response {
        let id = try call.pathText("id")
        let app = try RegistrationSpecification(
            json: call.object(), tokenByteCounts: call.server.settings.rules.tokenByteCounts)
        let registered = try await call.server.registerApp(on: id, app)
        let registration = registered.registration
        guard registered.isNew else { return .json(registration.json) }
        return .created(
            registration.json,
            at: "/v1/devices/\(PathText.encoded(id))/registrations/\(PathText.encoded(registration.topic))"
                + "?environment=\(registration.environment.rawValue)")
    }

    private static func show(_ call: Call) async throws -> Response {
        let app = try AppOfCall(call)
        let device = try await call.server.device(app.device)
        let environment = app.environment(on: device)
        let found = device.registrations.filter { $0.topic == app.topic && $0.environment == environment }
        let topics = device.registrations.map(\.topic)
        let problem =
            "\(app.device) has no app \(app.topic) in \(environment.rawValue)\(topics.contains(app.topic) ? "" : Spelling.hint(app.topic, topics))"
        let registration = found.last { $0.state.isCurrent } ?? found.last
        return .json(try registration.found(or: Problem(.notFound, problem, field: "topic", allowed: topics)).json)
    }

    private static func remove(_ call: Call) async throws -> Response {
        let app = try AppOfCall(call)
        let before = try await call.server.device(app.device)
        try await call.server.uninstallApp(on: app.device, topic: app.topic, environment: app.environment)
        let after = try await call.server.device(app.device)
        let environment = app.environment(on: before)
        // An app that never had a token is in the list before only.
        let ended = [after, before].lazy.compactMap { device in
            device.registrations.last { $0.topic == app.topic && $0.environment == environment }
        }.first
        return .json(ended?.json ?? .null)
    }
}

/// The app that a call's path and `?environment=` name.
private struct AppOfCall {
    let device: String
    let topic: String
    /// `nil` for the device's.
    let environment: APNsEnvironment?

    func environment(on device: DeviceView) -> APNsEnvironment {
        APNsEnvironment.ofApp(topic, given: environment, usual: device.traits.environment)
    }

    init(_ call: Call) throws(Problem) {
        var query = call.query
        environment = try query.takeChoice("environment")
        device = try call.pathText("id")
        topic = try call.pathText("topic")
    }
}
