extension OpenAPIDocument {
    static let connectionSchemas = #"""
              "Connection": {
                "type": "object",
                "required": ["id", "peer", "openedAt", "tls", "cipher", "sni", "alpn", "environment", "credential", "streams", "pushes", "pings", "bytesIn", "bytesOut"],
                "properties": {
                  "id": {"type": "integer", "description": "The number in a push's connection."},
                  "peer": {"type": "string"},
                  "openedAt": {"type": "string", "format": "date-time", "description": "By the server's clock."},
                  "tls": {"enum": ["TLSv1.2", "TLSv1.3", null]},
                  "cipher": {"type": ["string", "null"]},
                  "sni": {"type": ["string", "null"]},
                  "alpn": {"type": ["string", "null"]},
                  "environment": {"enum": ["sandbox", "production"]},
                  "credential": {"description": "The last valid credential; null before the first.", "$ref": "#/components/schemas/Credential"},
                  "streams": {"type": "object", "required": ["open", "limit", "total"], "properties": {"open": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}}},
                  "pushes": {"type": "integer", "description": "Answered requests, including refused ones."},
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
                  "sni": {"type": ["string", "null"], "description": "The host name that the client sent, if any."},
                  "environment": {"enum": ["sandbox", "production"]},
                  "cause": {"enum": ["serverNotTrusted", "notTLS", "noHTTP2", "tlsVersion", "clientCertificate", "hungUp", "timedOut", "fault", "other"], "description": "serverNotTrusted: the client refused the server's certificate; notTLS: the client sent something other than TLS; noHTTP2: its ALPN list has no h2; tlsVersion: it offers neither TLS 1.2 nor 1.3; clientCertificate: its certificate was refused; hungUp: it closed the connection without an alert; timedOut: it did not finish in time; fault: a fault rule acted on the handshake."},
                  "reason": {"type": "string", "description": "What happened and how to fix it, in a sentence."},
                  "count": {"type": "integer", "description": "How many handshakes had failed with this cause since the start, including this one."}
                }
              },
        \#(pageSchema(of: "FailedHandshake"))
        """#
}
