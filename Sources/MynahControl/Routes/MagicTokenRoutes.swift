internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/magic-tokens`: the device tokens that provoke one answer each; none with `--magic-tokens off`
/// (`Documents`).
struct MagicTokenRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/magic-tokens") { [state] call in
                try call.checkNoQuery()
                let items = state.server.settings.hasMagicTokens ? MagicTokens.all.map(\.json) : []
                var list = ListPage(items: items, matched: items.count)
                list.lastSequence = state.server.journal.lastIssued
                return list.response(to: call)
            }
        ]
    }
}
