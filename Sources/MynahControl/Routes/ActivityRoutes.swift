internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices/{id}/activities` and `/v1/activities`: Live Activities of one device and of many, as apps and users
/// start, change and dismiss them (`DeviceBehaviour#Live-Activities`).
enum ActivityRoutes {
    static let routes: [Route] = [
        Route(
            .post, "/v1/activities", id: "startActivities",
            summary: "Start a Live Activity on the devices that match, as their apps do",
            details: """
                Without a filter on all devices. Those where it can't be started, such as those without the app, are \
                counted, and the first \(DeviceTable.ActivityChanges.refusalsMax) of them by ID listed with the reason.
                """,
            parameters: [.deviceFilters], body: .required(ActivitySpecification.document),
            answers: [.ok("What was started.", "StartedActivities")]
        ) { call in
            let filter = try call.deviceSelection()
            let specification = try ActivitySpecification(json: call.object())
            let changes = try await call.server.startActivities(where: filter, specification)
            return .json(DeviceTable.StartedActivities(changes).json)
        },
        Route(
            .delete, "/v1/activities", id: "dismissActivities",
            summary: "Dismiss the Live Activities that match, as the users do; all of them without a filter",
            details: "Those that are dismissed already are left as they are.",
            parameters: [filters], answers: [.removed()]
        ) { call in
            let isOfActivity = { (name: String) in
                ActivityFilterKey(rawValue: name.hasPrefix("!") ? String(name.dropFirst()) : name) != nil
            }
            let selection = try call.query.selection()
            let activities = try ActivityFilter(parameters: selection.filter { isOfActivity($0.name) })
            let devices = try call.deviceSelection(
                selection.filter { !isOfActivity($0.name) }, besides: ActivityFilter.names)
            let count = try await call.server.dismissActivities(where: activities, of: devices)
            return .removed(["activities": count])
        },
        Route(
            .get, allPath, id: "listActivities", summary: "List the Live Activities of a device",
            details: "With those that are dismissed.", parameters: [.device] + CallParameter.page(order: .descending),
            answers: [.page(of: "LiveActivity")], problems: [.notFound, .evicted]
        ) { call in
            let activities = try await call.server.activities(of: call.pathText("id"))
            return try ListPage(activities.reversed(), to: call, order: .descending, id: \.id, json: \.json)
                .response(to: call)
        },
        Route(
            .post, allPath, id: "startActivity", summary: "Start a Live Activity, as its app does",
            details:
                "The app is on the device, with the topic or with the plain bundle id. With the push type token the "
                + "activity gets a token of its own, at the latest when the device has a network.",
            parameters: [.device], body: .required(ActivitySpecification.document),
            answers: [.created("The activity.", "LiveActivity")], problems: [.notFound, .conflict]
        ) { call in
            let id = try call.pathText("id")
            let activity = try await call.server.startActivity(on: id, ActivitySpecification(json: call.object()))
            return .created(activity.json, at: "/v1/devices/\(PathText.encoded(id))/activities/\(activity.id)")
        },
        Route(
            .get, onePath, id: "getActivity", summary: "Get one Live Activity", parameters: parameters,
            answers: [.ok("The activity.", "LiveActivity")], problems: [.notFound]
        ) { call in
            let id = try call.pathText("id")
            let number = try number(of: call)
            let activity = try await call.server.activities(of: id).first { $0.number == number }
            let problem = Problem(.notFound, "\(id) has no activity \(number)", field: "activity")
            return .json(try activity.found(or: problem).json)
        },
        Route(
            .patch, onePath, id: "changeActivity", summary: "Update or end a Live Activity, as its app does",
            parameters: parameters, body: .required(ActivityPatch.document),
            answers: [.ok("The activity.", "LiveActivity")], problems: [.notFound, .conflict]
        ) { call in
            let id = try call.pathText("id")
            let number = try number(of: call)
            let patch = try ActivityPatch(json: call.object())
            return .json(try await call.server.changeActivity(number, of: id, patch).json)
        },
        Route(
            .delete, onePath, id: "dismissActivity", summary: "Dismiss a Live Activity, as the user does",
            details: "It takes no more updates, and its token is answered with 410 once APNs notices.",
            parameters: parameters, answers: [.removed()], problems: [.notFound, .conflict]
        ) { call in
            try await call.server.dismissActivity(number(of: call), of: call.pathText("id"))
            return .removed(["activities": 1])
        },
        Route(
            .get, subscriptionsPath, id: "listSubscriptions",
            summary: "List the running Live Activities of a device that follow channels",
            parameters: [.device] + CallParameter.page(order: .descending), answers: [.page(of: "LiveActivity")],
            problems: [.notFound, .evicted]
        ) { call in
            let activities = try await call.server.subscriptions(of: call.pathText("id"))
            return try ListPage(activities.reversed(), to: call, order: .descending, id: \.id, json: \.json)
                .response(to: call)
        },
        Route(
            .post, subscriptionsPath, id: "subscribe",
            summary: "Subscribe a device to a channel, by a Live Activity that its app starts",
            details: "The app is on the device, as for startActivity. It gets the message that the channel keeps.",
            parameters: [.device], body: .required(SubscriptionSpecification.document),
            answers: [.created("The activity.", "LiveActivity")], problems: [.notFound, .conflict]
        ) { call in
            let id = try call.pathText("id")
            let activity = try await call.server.subscribe(id, SubscriptionSpecification(json: call.object()))
            return .created(activity.json, at: "/v1/devices/\(PathText.encoded(id))/activities/\(activity.id)")
        },
        Route(
            .delete, subscriptionsPath + "/{channel}", id: "unsubscribe",
            summary: "Dismiss the Live Activities of a device that follow a channel, as the user does",
            parameters: [.device, .path("channel", "The channel's ID.", urlForm: ", percent-encoded.")],
            answers: [.removed()],
            problems: [.notFound]
        ) { call in
            let channel = try ChannelRoutes.channelID("channel", of: call)
            return .removed(["activities": try await call.server.unsubscribe(call.pathText("id"), from: channel)])
        },
    ]

    private static let allPath = "/v1/devices/{id}/activities"
    private static let subscriptionsPath = "/v1/devices/{id}/subscriptions"
    private static let onePath = "/v1/devices/{id}/activities/{activity}"
    private static let parameters: [CallParameter] = [
        .device, .path("activity", "The activity's id.", schema: ["type": "integer", "minimum": 1]),
    ]

    private static let filters = CallParameter.filters(
        "Of the devices those of GET /v1/devices; of the activities \(ActivityFilter.names.joined(separator: ", ")), an "
            + "empty channel being none",
        named: CallParameter.members(of: DeviceFilterKey.self) + CallParameter.members(of: ActivityFilterKey.self))

    private static func number(of call: Call) throws(Problem) -> Int32 {
        let number = try call.pathNumber("activity", "an activity's id", from: 1)
        // No activity has a number that is larger.
        return Int32(clamping: number)
    }
}
