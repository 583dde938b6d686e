internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices/{id}/screen`: what the user sees and does (`DeviceBehaviour#What-the-user-sees`).
enum ScreenRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/devices/{id}/screen", id: "getScreen", summary: "Get what the device's user sees",
            parameters: [.device], answers: [.ok("The screen, from the top.", "Screen")], problems: [.notFound]
        ) { .json(try await $0.server.screen(of: $0.pathText("id"))) },
        Route(
            .patch, "/v1/devices/{id}/screen", id: "changeScreen", summary: "Set or clear badges, as their apps do",
            parameters: [.device], body: .required(ScreenPatch.document), answers: [.ok("The screen.", "Screen")],
            problems: [.notFound, .conflict]
        ) { call in
            let patch = try ScreenPatch(json: call.object())
            return .json(try await call.server.changeScreen(of: call.pathText("id"), patch))
        },
        Route(
            .delete, "/v1/devices/{id}/screen", id: "clearScreen",
            summary: "Remove the notifications that match, as their apps or the user does; all without a filter",
            details: "No app is told. A topic is that of an app on the device. An identifier is a collapse id, or the "
                + "apns-id of a push without one.",
            parameters: [.device, filters], answers: [.removed()], problems: [.notFound]
        ) { call in
            let filter = try ScreenFilter(parameters: call.query.selection())
            return .removed(["notifications": try await call.server.clearScreen(of: call.pathText("id"), where: filter)]
            )
        },
        Route(
            .delete, "/v1/devices/{id}/screen/{sequence}", id: "removeFromScreen",
            summary: "Remove a notification from the screen, as an app can do after a background push",
            parameters: [.device, .sequence], answers: [.removed()], problems: [.notFound]
        ) { call in
            try await call.server.removeFromScreen(of: call.pathText("id"), sequence: sequence(of: call))
            return .removed(["notifications": 1])
        },
        Route(
            .post, "/v1/devices/{id}/screen/{sequence}/actions", id: "actOnNotification",
            summary: "Open or dismiss a notification, or choose one of its actions, as the user",
            parameters: [.device, .sequence], body: .required(RequestSchemas.userAction),
            answers: [
                .ok("What the app was told; null for a dismissal that its category does not report.", "ActionReport")
            ],
            problems: [.notFound, .conflict]
        ) { call in
            let id = try call.pathText("id")
            let sequence = try sequence(of: call)
            let reader = try call.reader(RequestSchemas.userAction.schema)
            return .json(
                try await call.server.act(
                    on: id, sequence: sequence, action: reader.text("action") ?? "", text: reader.text("text")))
        },
    ]

    private static let filters = CallParameter.filters(
        ScreenFilter.names.joined(separator: ", "), for: ScreenFilterKey.self)

    private static func sequence(of call: Call) throws(Problem) -> UInt64 {
        try call.pathNumber("sequence", "a sequence number", from: 1)
    }
}
