internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/keys`: the signing keys whose provider tokens are accepted (`Documents#Keys`).
///
/// A change holds when it is answered: every later push sees it, on open connections too.
struct KeyRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/keys") { [state] call in
                try call.checkNoQuery()
                let keys = try state.server.keys.map(KeyRoutes.json)
                guard call.wantsLines else { return .json(["items": .array(keys)]) }
                return .bytes(keys.flatMap { $0.encoded + [0x0A] }, "application/x-ndjson")
            },
            Route(.post, "/v1/keys") { [state] in try await KeyRoutes.add($0, state.server) },
            Route(.get, "/v1/keys/{keyId}") { [state] call in
                try call.checkNoQuery()
                guard let key = try state.server.key(KeyRoutes.keyID(call)) else { throw KeyRoutes.unknown(call) }
                return .json(KeyRoutes.json(key))
            },
            Route(.put, "/v1/keys/{keyId}") { [state] in try await KeyRoutes.replace($0, state.server) },
            Route(.delete, "/v1/keys/{keyId}") { [state] call in
                try call.checkNoQuery()
                guard let key = try await state.server.revokeKey(KeyRoutes.keyID(call)) else {
                    throw KeyRoutes.unknown(call)
                }
                return .json(KeyRoutes.json(key))
            },
        ]
    }

    private static func add(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let document = try RequestDocument(call.body, mayBeEmpty: true)
        do {
            return answer(try await server.addKey(try KeyReading(.object(document.members)).newKey()))
        } catch let error as InputError {
            throw Problem(error)
        }
    }

    private static func replace(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let keyID = keyID(call)
        let document = try RequestDocument(call.body, mayBeEmpty: true)
        do {
            let new = try KeyReading(.object(document.members)).newKey()
            if let given = new.keyID, given != keyID {
                throw InputError(
                    at: "/keyId", "keyId is \(given), and the path says \(keyID); leave it out", allowed: [keyID])
            }
            return answer(try await server.replaceKey(keyID, by: new))
        } catch let error as InputError {
            throw Problem(error)
        }
    }

    private static func answer(_ added: AddedKey) -> Response {
        guard added.isNew else { return .json(json(added.key)) }
        var members = json(added.key).object ?? []
        // The only time that it is told: it was made for whoever asks.
        if let privateKey = added.privateKey { members.append(JSONMember("privateKey", .string(privateKey))) }
        var response = Response.json(.object(members), status: .created)
        response.headers[.location] = "/v1/keys/\(added.key.keyID)"
        return response
    }

    private static func keyID(_ call: Call) -> String { call.parameters["keyId"] ?? "" }

    private static func unknown(_ call: Call) -> Problem {
        Problem(.notFound, "no key has the id \(keyID(call)); GET /v1/keys lists them")
    }

    /// A key, without its private half.
    private static func json(_ key: KnownKey) -> JSONValue {
        [
            "keyId": .string(key.keyID),
            "team": .string(key.team),
            "publicKey": .string(key.publicKey),
            "environment": .string(key.environment.rawValue),
            "topics": key.topics.map { .array($0.map { .string($0) }) } ?? .null,
            "related": key.related.map { .string($0) } ?? .null,
            "revokedAt": key.revokedAt.map { .string($0.rfc3339) } ?? .null,
            "hasPrivateKey": .bool(key.hasPrivateKey),
        ]
    }
}
