internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/magic-tokens`: device tokens that always get the same answer; empty with `--magic-tokens off`.
enum MagicTokenRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/magic-tokens", "listMagicTokens", "List the device tokens that always get the same answer",
            details: """
                For tests that control nothing but the token. They are the same in every version, and no device can \
                have one.
                """,
            answers: [
                .ok("All of them; none with --magic-tokens off.", .reference("MagicTokenPage"), lines: "MagicToken")
            ]
        ) { call in
            ListPage.complete(call.server.settings.hasMagicTokens ? MagicTokens.all.map(\.json) : [], to: call)
        }
    ]
}
