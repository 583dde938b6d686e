internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah

/// `GET /v1/credentials` and `GET /ca.pem`: what the code under test needs to be trusted and to trust.
struct CredentialRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/credentials") { [state] call in
                try call.checkNoQuery()
                let credentials = state.server.credentials
                // Never the CA's key and never a key that the user brought.
                return .json([
                    "ca": .string(credentials.caPEM),
                    "keyId": credentials.keyID.map { .string($0) } ?? .null,
                    "teamId": credentials.teamID.map { .string($0) } ?? .null,
                    "key": credentials.keyPEM.map { .string($0) } ?? .null,
                ])
            },
            // Open to everybody: a certificate is no secret, and a client needs it before it has anything else.
            Route(.get, "/ca.pem", isOpen: true) { [state] call in
                try call.checkNoQuery()
                return .bytes(Array(state.server.credentials.caPEM.utf8), "application/x-pem-file")
            },
        ]
    }
}
