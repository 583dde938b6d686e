internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `POST /v1/notifications`: sends a push as a provider does (`Documents#Sent-pushes`).
enum SendRoutes {
    static let routes: [Route] = [
        Route(
            .post, "/v1/notifications", id: "sendNotification", summary: "Send a push, as a provider does",
            details: """
                Over TLS and HTTP/2 to this server's own port, on a connection of its own, with a provider token of \
                the development key. Members become header fields as they are, also wrong ones, to see their \
                refusal. The answer is 200 whatever came of it: without an answer of APNs, as a fault can cause, \
                status is null and problem says why.
                """,
            body: .required(NewNotification.document), answers: [.ok("What came of it.", "SentNotification")],
            problems: [.conflict], handle: send)
    ]

    private static func send(_ call: Call) async throws -> Response {
        let order = try NewNotification(json: call.object())
        return try await call.whileCallerStays {
            let outcome = try await call.server.send(order.push)
            let journal = call.server.journal
            _ = await journal.settled()
            let id = outcome.headers.first { $0.name == order.idName }?.value ?? order.id
            let sequence = NotificationID(id).flatMap { id in journal.read { $0.newestEntry(id)?.sequence } }
            return .json(SentNotification(outcome: outcome, id: id, sequence: sequence).json)
        }
    }
}
