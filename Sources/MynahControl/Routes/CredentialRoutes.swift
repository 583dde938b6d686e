internal import APNsRules
internal import Hummingbird
internal import Mynah

/// `GET /v1/credentials` and `GET /ca.pem`: what the code under test needs to authenticate, and to trust the server.
enum CredentialRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/credentials", "credentials", "Get the CA and the generated development key",
            details: "For the code under test. Never includes the CA's key or a key given by --auth-key.",
            answers: [.ok("The credentials.", "Credentials")]
        ) { call in
            let credentials = call.server.credentials
            return .json([
                "ca": .string(credentials.caPEM),
                "keyId": credentials.keyID.map { .string($0) } ?? .null,
                "teamId": credentials.teamID.map { .string($0) } ?? .null,
                "key": credentials.keyPEM.map { .string($0) } ?? .null,
            ])
        },
        // Without a token: a certificate is not secret, and clients need it before anything else.
        Route(
            .get, "/ca.pem", "certificateAuthority", "Get the certificate of the CA", isOpen: true,
            answers: [.text("PEM.", ["application/x-pem-file"])]
        ) { call in
            .bytes(Array(call.server.credentials.caPEM.utf8), "application/x-pem-file")
        },
    ]
}
