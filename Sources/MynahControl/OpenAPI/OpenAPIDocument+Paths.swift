extension OpenAPIDocument {
    static let probePaths = ["livez", "healthz", "readyz"].map { name in
        """
            "/\(name)": {
              "get": {
                "operationId": "\(name)", "summary": "Whether the server takes pushes", "security": [{}],
                "responses": {
                  "200": {"description": "It does.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Probe"}}}},
                  "503": {"description": "It starts or shuts down; a problem where too many connections are open.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Probe"}}, "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
                }
              },
              "head": {
                "operationId": "\(name)Head", "summary": "The same without a body", "security": [{}],
                "responses": {"200": {"description": "It does."}, "503": {"description": "It starts or shuts down."}}
              }
            }
        """
    }.joined(separator: ",\n")

    static let notificationPaths = #"""
            "/v1/notifications": {
              "get": {
                "operationId": "listNotifications",
                "summary": "Every push, accepted or refused",
                "description": "Filters: key=value; the key again is any of; different keys are all of; !key=value is not. Take lastSequence, act, ask with after. With wait and count the answer is held until so many match in all; when the time is over first, it is 200 with timedOut true.",
                "parameters": [
                  {"$ref": "#/components/parameters/filters"},
                  {"$ref": "#/components/parameters/q"},
                  {"name": "limit", "in": "query", "description": "Items of a page.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
                  {"name": "order", "in": "query", "description": "Oldest first, or newest first.", "schema": {"enum": ["asc", "desc"], "default": "asc"}},
                  {"name": "after", "in": "query", "description": "Only pushes behind this sequence number.", "schema": {"type": "integer", "minimum": 0}},
                  {"name": "cursor", "in": "query", "description": "nextCursor of the page before, with the same filters.", "schema": {"type": "string"}},
                  {"name": "wait", "in": "query", "description": "How long the answer is held, wall time, at most 60s.", "schema": {"$ref": "#/components/schemas/Duration"}},
                  {"name": "count", "in": "query", "description": "How many must match before the answer, with wait.", "schema": {"type": "integer", "minimum": 1, "default": 1}}
                ],
                "responses": {
                  "200": {
                    "description": "A page. As JSON lines the members beside items are the header fields Mynah-Next-Cursor, Mynah-Matched, Mynah-Timed-Out, Mynah-Evicted and Mynah-Last-Sequence. A long page, here as of any list, is written as its reader takes it, without Content-Length; a reader that takes nothing for 10 s is cut off.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/NotificationPage"}},
                      "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Notification"}}
                    }
                  },
                  "problems": [410]
                }
              },
              "delete": {
                "operationId": "deleteNotifications",
                "summary": "Removes what matches, everything without a filter",
                "parameters": [{"$ref": "#/components/parameters/filters"}, {"$ref": "#/components/parameters/q"}],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}}
                }
              }
            },
            "/v1/notifications/{id}": {
              "get": {
                "operationId": "getNotification",
                "summary": "One push",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "description": "A sequence number, or an apns-id: then the newest push with it.", "schema": {"type": "string"}}
                ],
                "responses": {
                  "200": {"description": "The push.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Notification"}}}},
                  "problems": [404, 410]
                }
              }
            }
        """#

    static let otherPaths = #"""
            "/v1/expectations": {
              "post": {
                "operationId": "expect",
                "summary": "Waits for pushes and says whether they came",
                "description": "Checks, stubs nothing. Met when count.min is reached and settle has then passed without exceeding count.max; unmet when count.max is exceeded or within is over. All times are wall time.",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Expectation"}}}},
                "responses": {
                  "200": {"description": "Met or not.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ExpectationResult"}}}}
                }
              }
            },
            "/v1/reset": {
              "post": {
                "operationId": "reset",
                "summary": "Back to the state after start",
                "description": "Connections stay unless only names them. Sequence numbers go on. Events about pushes that were removed are removed from /v1/events too; the event reset says what went. With the devices, rules and scenarios of --fixtures and --scenario that belong to what is reset. After it the same seed makes the same choices again. What a fault rule draws depends on the seed, its id (of a rule without an id, its place among such rules of its scope), the connection's place among those that the rule has met, and the request's place among those of that connection that the rule matches: all of that counts from when the rule was made, so it holds for the rules of a scope after a reset of the scope, too. A generated apns-id or apns-unique-id depends on the seed, the connection's place among those that have sent requests since the start or the last reset of notifications, and the request's place on it. An issued device token depends on the seed, the device's id, the app and how many tokens it had before. Provider certificates are not part of the reset, as other files of the state folder are not: those that were issued stay good, and a revocation is final.",
                "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Reset"}}}},
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}}
                }
              }
            },
            "/v1/status": {
              "get": {
                "operationId": "status",
                "summary": "Counts, ports, seed",
                "responses": {
                  "200": {"description": "The status.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}}
                }
              }
            },
            "/v1/credentials": {
              "get": {
                "operationId": "credentials",
                "summary": "The CA and the generated development key for the code under test",
                "description": "Never the CA's key, never a key that was given by --auth-key.",
                "responses": {
                  "200": {"description": "The credentials.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Credentials"}}}}
                }
              }
            },
            "/ca.pem": {
              "get": {
                "operationId": "certificateAuthority",
                "summary": "The certificate of the CA",
                "security": [{}],
                "responses": {
                  "200": {"description": "PEM.", "content": {"application/x-pem-file": {"schema": {"type": "string"}}}}
                }
              }
            },
            "/metrics": {
              "get": {
                "operationId": "metrics",
                "summary": "What the server has counted, in Prometheus' text format",
                "description": "Pushes by status and reason, their outcomes, the time of replies, connections, streams, faults, journal, devices, readers of events, memory.",
                "responses": {
                  "200": {"description": "Version 0.0.4 of the format.", "content": {"text/plain": {"schema": {"type": "string"}}}}
                }
              }
            },
            "/openapi.json": {
              "get": {
                "operationId": "openAPI",
                "summary": "This document",
                "responses": {
                  "200": {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {"type": "object"}}}}
                }
              }
            }
        """#
}
