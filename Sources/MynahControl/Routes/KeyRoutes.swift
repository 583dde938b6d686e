internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/keys`: the signing keys whose provider tokens are accepted (`Documents#Keys`); once a change is answered, every
/// later push sees it, on open connections too.
enum KeyRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/keys", id: "listKeys", summary: "List the signing keys whose provider tokens are accepted",
            details: "Including revoked keys.", parameters: CallParameter.page("by ID"), answers: [.page(of: "Key")],
            problems: [.evicted]
        ) { try ListPage($0.server.keys, to: $0, id: \.keyID, json: \.json).response(to: $0) },
        Route(
            .post, "/v1/keys", id: "addKey", summary: "Add a key",
            details: "Without publicKey and privateKey a pair is generated, and its private half is returned once. "
                + "Without topics it is a key for the whole team. Either of two related keys may name the other.",
            body: .optional(NewKey.document), answers: [.created("The key.", "AddedKey")], problems: [.conflict]
        ) { response(for: try await $0.server.addKey(NewKey(json: $0.object()))) },
        Route(
            .get, "/v1/keys/{keyId}", id: "getKey", summary: "Get one key", parameters: [keyID],
            answers: [.ok("The key.", "Key")], problems: [.notFound]
        ) { call in
            let keyID = try id(of: call)
            return .json(try call.server.key(keyID).found(or: unknown(keyID)).json)
        },
        Route(
            .put, "/v1/keys/{keyId}", id: "putKey", summary: "Create a key, or replace what it may be used for",
            details: """
                Replaces environment, topics, related and revokedAt; an existing key keeps its team and key material \
                if none are given. An open connection keeps the topics that its first push saw, without the removed \
                ones.
                """,
            parameters: [keyID], body: .optional(NewKey.document),
            answers: [.ok("The replaced key.", "Key"), .created("The new key.", "AddedKey")], handle: replace),
        Route(
            .delete, "/v1/keys/{keyId}", id: "revokeKey", summary: "Revoke a key",
            details: "It stays in the list. Its tokens are refused with Forbidden on connections that have used it, "
                + "and with InvalidProviderToken on others.",
            parameters: [keyID], answers: [.ok("The key, with revokedAt.", "Key")], problems: [.notFound]
        ) { call in
            let keyID = try id(of: call)
            return .json(try await call.server.revokeKey(keyID).found(or: unknown(keyID)).json)
        },
    ]

    private static let keyID = CallParameter.path("keyId", "The key's ID, 10 letters or digits.")

    private static func replace(_ call: Call) async throws -> Response {
        let keyID = try id(of: call)
        let new = try NewKey(json: call.object(withID: keyID, as: "keyId"))
        return response(for: try await call.server.replaceKey(keyID, by: new))
    }

    private static func response(for added: AddedKey) -> Response {
        added.isNew
            ? .created(added.json, at: "/v1/keys/\(added.key.keyID)") : .json(added.key.json)
    }

    private static func id(of call: Call) throws(Problem) -> String { try call.pathText("keyId") }

    private static func unknown(_ keyID: String) -> Problem {
        Problem(.notFound, "unknown key \(keyID): GET /v1/keys lists them", field: "keyId")
    }
}
