package import APNsRules

extension ConnectionView {
    /// The connection as the control API prints it (`Documents#Connections`).
    package var json: JSONValue {
        [
            "id": .number(JSONNumber(id)),
            "peer": .string(peer),
            "openedAt": .string(openedAt.rfc3339),
            "tls": text(tlsVersion),
            "cipher": text(cipher),
            "sni": text(serverName),
            "alpn": text(applicationProtocol),
            "environment": .string(environment.rawValue),
            "credential": credential.map {
                [
                    "kind": .string($0.kind.rawValue), "team": text($0.team), "keyId": text($0.keyID),
                    "subject": text($0.subject),
                ]
            } ?? .null,
            "streams": [
                "open": .number(JSONNumber(streams.open)), "limit": .number(JSONNumber(streams.limit)),
                "total": .number(JSONNumber(streams.total)),
            ],
            "pushes": .number(JSONNumber(pushes)),
            "pings": .number(JSONNumber(pings)),
            "bytesIn": .number(JSONNumber(bytesIn)),
            "bytesOut": .number(JSONNumber(bytesOut)),
        ]
    }

    private func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
