internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices/{id}/screen`: what the user sees, and what the user does (`DeviceBehaviour#What-the-user-sees`).
struct ScreenRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/devices/{id}/screen") { [state] call in
                try call.checkNoQuery()
                let id = try call.pathText("id")
                return .json(try await call.aboutDevices { try await state.server.screen(of: id) })
            },
            Route(.post, "/v1/devices/{id}/screen/{sequence}/actions") { [state] in
                try await ScreenRoutes.act($0, state.server)
            },
            Route(.delete, "/v1/devices/{id}/screen/{sequence}") { [state] call in
                try call.checkNoQuery()
                let (id, sequence) = (try call.pathText("id"), try call.pathSequence())
                try await call.aboutDevices { try await state.server.removeFromScreen(of: id, sequence: sequence) }
                return .json(["removed": ["notifications": 1]])
            },
        ]
    }

    private static func act(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let (id, sequence) = (try call.pathText("id"), try call.pathSequence())
        let action = try RequestDocument.reader(call.body, actionSchema)
        return .json(
            try await call.aboutDevices {
                try await server.act(
                    on: id, sequence: sequence, action: action.text("action") ?? "", text: action.text("text"))
            })
    }

    static let actionSchema: Schema = [
        Member(
            "action", .someText, "default, dismiss, or the id of one of the category's actions.", isRequired: true),
        Member("text", .anyText, "What the user types, for an action that takes a text."),
    ]
}
