extension OpenAPIDocument {
    static let connectionPaths = #"""
            "/v1/connections": {
              "get": {
                "operationId": "listConnections",
                "summary": "The open connections",
                "description": "With wait and count the answer is held until so many match in all, or, with count=0, until none does; when the time is over first, it is 200 with timedOut true. A connection is listed from the end of its handshake on.",
                "parameters": [
                  {
                    "name": "filters", "in": "query", "style": "form", "explode": true,
                    "description": "environment, in which their pushes go; team and keyId of the provider token; connection, a number; each also with ! in front.",
                    "schema": {
                      "type": "object",
                      "patternProperties": {"^!?(environment|team|keyId|connection)$": {"type": "array", "items": {"type": "string"}}},
                      "additionalProperties": false
                    }
                  },
                  {"name": "limit", "in": "query", "description": "Items of a page.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
                  {"name": "order", "in": "query", "description": "Oldest first, or newest first.", "schema": {"enum": ["asc", "desc"], "default": "asc"}},
                  {"name": "cursor", "in": "query", "description": "nextCursor of the page before, with the same filters.", "schema": {"type": "string"}},
                  {"name": "wait", "in": "query", "description": "How long the answer is held, wall time, at most 60s.", "schema": {"$ref": "#/components/schemas/Duration"}},
                  {"name": "count", "in": "query", "description": "How many must match before the answer, with wait; 0: none.", "schema": {"type": "integer", "minimum": 0, "default": 1}}
                ],
                "responses": {
                  "200": {
                    "description": "A page. As JSON lines the members beside items are header fields, as of /v1/notifications.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/ConnectionPage"}},
                      "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Connection"}}
                    }
                  }
                }
              }
            },
            "/v1/connections/{id}": {
              "get": {
                "operationId": "getConnection",
                "summary": "One open connection",
                "parameters": [{"name": "id", "in": "path", "required": true, "description": "Its number.", "schema": {"type": "integer"}}],
                "responses": {
                  "200": {"description": "The connection.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Connection"}}}},
                  "problems": [404]
                }
              },
              "delete": {
                "operationId": "closeConnection",
                "summary": "Ends a connection",
                "description": "By GOAWAY with the reason Shutdown, its streams finished for at most --shutdown-grace, or with abort=true at once by a TCP reset. Answers when the connection has ended.",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "description": "Its number.", "schema": {"type": "integer"}},
                  {"name": "abort", "in": "query", "description": "Whether it is reset.", "schema": {"type": "boolean", "default": false}}
                ],
                "responses": {
                  "200": {"description": "It has ended.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/failed-handshakes": {
              "get": {
                "operationId": "listFailedHandshakes",
                "summary": "The newest connections whose TLS handshake failed",
                "description": "The newest 100 since the start or the last reset of notifications, newest first; evicted says how many there were before them. A connection on which the client sent nothing before it left counts for nothing. /v1/events tells each as a connection with change failed, further ones with the same cause within a second as one event with the count of then.",
                "responses": {
                  "200": {
                    "description": "A page. As JSON lines the members beside items are header fields, as of /v1/notifications.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/FailedHandshakePage"}},
                      "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/FailedHandshake"}}
                    }
                  }
                }
              }
            }
        """#

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
