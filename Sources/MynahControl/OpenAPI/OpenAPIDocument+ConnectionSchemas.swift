extension OpenAPIDocument {
    static let connectionSchemas = #"""
              "Connection": {
                "type": "object",
                "required": ["id", "peer", "openedAt", "tls", "cipher", "sni", "alpn", "environment", "credential", "streams", "pushes", "pings", "bytesIn", "bytesOut"],
                "properties": {
                  "id": {"type": "integer", "description": "The number that pushes name."},
                  "peer": {"type": "string"},
                  "openedAt": {"type": "string", "format": "date-time", "description": "By the server's clock."},
                  "tls": {"enum": ["TLSv1.2", "TLSv1.3", null]},
                  "cipher": {"type": ["string", "null"]},
                  "sni": {"type": ["string", "null"]},
                  "alpn": {"type": ["string", "null"]},
                  "environment": {"enum": ["sandbox", "production"]},
                  "credential": {"description": "What it has proved last; null before its first good credential.", "$ref": "#/components/schemas/Credential"},
                  "streams": {"type": "object", "required": ["open", "limit", "total"], "properties": {"open": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}}},
                  "pushes": {"type": "integer", "description": "Requests that were answered, refused ones too."},
                  "pings": {"type": "integer"},
                  "bytesIn": {"type": "integer", "description": "Read from the socket, TLS included."},
                  "bytesOut": {"type": "integer", "description": "Handed to the socket, TLS included."}
                }
              },
        \#(pageSchema(of: "Connection")),
              "FailedHandshake": {
                "type": "object",
                "required": ["id", "at", "peer", "sni", "environment", "cause", "reason", "count"],
                "properties": {
                  "id": {"type": "integer", "description": "The number of the connection."},
                  "at": {"type": "string", "format": "date-time", "description": "By the server's clock."},
                  "peer": {"type": "string"},
                  "sni": {"type": ["string", "null"], "description": "The host that the client named; null when it named none."},
                  "environment": {"enum": ["sandbox", "production"]},
                  "cause": {"enum": ["serverNotTrusted", "notTLS", "noHTTP2", "tlsVersion", "clientCertificate", "hungUp", "timedOut", "fault", "other"], "description": "serverNotTrusted: the client refused the server's certificate; notTLS: it sent something else than TLS; noHTTP2: its ALPN list has no h2; tlsVersion: it offers neither TLS 1.2 nor 1.3; clientCertificate: its certificate was refused; hungUp: it left without an alert; timedOut: it did not finish in time; fault: a fault rule acted on the handshake."},
                  "reason": {"type": "string", "description": "What happened and what helps, in a sentence."},
                  "count": {"type": "integer", "description": "How many have failed with this cause since the start, up to this one."}
                }
              },
        \#(pageSchema(of: "FailedHandshake"))
        """#
}
