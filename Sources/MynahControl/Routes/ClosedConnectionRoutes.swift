internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/closed-connections`: the connections that have closed (`Documents#Connections`).
enum ClosedConnectionRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/closed-connections", id: "listClosedConnections",
            summary: "List the connections that have closed",
            details: """
                The latest 100 since the start or the last reset of notifications; evicted counts the earlier ones. \
                What they carried is as of their end.
                """, parameters: CallParameter.page(order: .descending), answers: [.page(of: "ClosedConnection")],
            problems: [.evicted]
        ) { call in
            let (items, total) = call.server.closedConnections
            var list = try ListPage(items, to: call, order: .descending, id: { String($0.id) }, json: \.json)
            list.evicted = total - UInt64(items.count)
            return list.response(to: call)
        }
    ]
}
