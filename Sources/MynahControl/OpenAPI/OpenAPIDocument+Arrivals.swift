extension OpenAPIDocument {
    static let arrivalPaths = #"""
            "/v1/devices/{id}/inbox": {
              "get": {
                "operationId": "listInbox",
                "summary": "What arrived on a device, in the order of arrival",
                "description": "Filters as in /v1/notifications, and kind. With wait and count the answer is held until so many match; when the time is over first, it is 200 with timedOut true. A push that waited arrives after younger ones, so after goes by the order of arrival.",
                "parameters": [
                  {"$ref": "#/components/parameters/device"},
                  {"$ref": "#/components/parameters/filters"},
                  {"$ref": "#/components/parameters/q"},
                  {"name": "kind", "in": "query", "description": "Where it arrived; again is any of.", "schema": {"type": "array", "items": {"$ref": "#/components/schemas/InboxKind"}}},
                  {"name": "limit", "in": "query", "description": "Items of a page.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
                  {"name": "order", "in": "query", "description": "Oldest arrival first, or newest first.", "schema": {"enum": ["asc", "desc"], "default": "asc"}},
                  {"name": "after", "in": "query", "description": "Only what arrived behind the push with this sequence number.", "schema": {"type": "integer", "minimum": 0}},
                  {"name": "cursor", "in": "query", "description": "nextCursor of the page before, with the same filters.", "schema": {"type": "string"}},
                  {"name": "wait", "in": "query", "description": "How long the answer is held, wall time, at most 60s.", "schema": {"$ref": "#/components/schemas/Duration"}},
                  {"name": "count", "in": "query", "description": "How many must match before the answer, with wait.", "schema": {"type": "integer", "minimum": 1, "default": 1}}
                ],
                "responses": {
                  "200": {"description": "A page. lastSequence is the push that arrived last.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/InboxPage"}}, "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Arrival"}}}},
                  "problems": [404, 410]
                }
              }
            },
            "/v1/devices/{id}/stream": {
              "get": {
                "operationId": "streamDevice",
                "summary": "What arrives on a device, as server-sent events",
                "description": "Events: notification, with an item of the inbox as data and its sequence number as id; gap {from, to, count}, where at most count arrivals between two numbers are lost. A comment at the beginning and every 15 s. Only watches, unless connect is true: then the device is online while somebody listens, and what was stored for it comes first. A reader that takes nothing for 10 s is cut off. Ends when the device is removed or the server shuts down.",
                "parameters": [
                  {"$ref": "#/components/parameters/device"},
                  {"name": "connect", "in": "query", "description": "Whether the device is online while somebody listens.", "schema": {"type": "boolean", "default": false}},
                  {"name": "lastEventId", "in": "query", "description": "As Last-Event-ID, for readers that cannot set it.", "schema": {"type": "integer", "minimum": 0}},
                  {"name": "Last-Event-ID", "in": "header", "description": "The id of the last event that the reader has; 0 for everything that is there.", "schema": {"type": "integer", "minimum": 0}}
                ],
                "responses": {
                  "200": {"description": "The events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/devices/{id}/screen": {
              "get": {
                "operationId": "getScreen",
                "summary": "What the device's user sees, the top of the screen first",
                "parameters": [{"$ref": "#/components/parameters/device"}],
                "responses": {
                  "200": {"description": "The screen.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Screen"}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/devices/{id}/screen/{sequence}": {
              "delete": {
                "operationId": "removeFromScreen",
                "summary": "Takes a notification off the screen, as the app does when a silent push tells it",
                "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/sequence"}],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/devices/{id}/screen/{sequence}/actions": {
              "post": {
                "operationId": "actOnNotification",
                "summary": "The user opens or dismisses a notification, or chooses one of its actions",
                "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/sequence"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/UserAction"}}}},
                "responses": {
                  "200": {"description": "What the app was told; null for a dismissal that its category does not ask for.", "content": {"application/json": {"schema": {"oneOf": [{"$ref": "#/components/schemas/AppResponse"}, {"type": "null"}]}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/scopes": {
              "get": {
                "operationId": "listScopes",
                "summary": "The scopes that have devices or fault rules",
                "responses": {
                  "200": {"description": "All scopes, by name.", "content": {"application/json": {"schema": {"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": {"type": "object", "required": ["name", "devices", "faults"], "properties": {"name": {"type": "string"}, "devices": {"type": "integer"}, "faults": {"type": "integer"}}}}}}}}}
                }
              }
            },
            "/v1/scopes/{name}": {
              "delete": {
                "operationId": "deleteScope",
                "summary": "Removes what is a scope's own: its devices, their pushes, its fault rules, its clock",
                "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/Scope"}}],
                "responses": {
                  "200": {"description": "What was removed; nothing for a scope that is not used.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}}
                }
              }
            },
            "/v1/clock": {
              "get": {
                "operationId": "getClock",
                "summary": "What time it is, and how the clock runs",
                "parameters": [{"name": "scope", "in": "query", "description": "The clock of this scope's devices.", "schema": {"$ref": "#/components/schemas/Scope"}}],
                "responses": {
                  "200": {"description": "The clock.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Clock"}}}}
                }
              },
              "put": {
                "operationId": "setClock",
                "summary": "Sets how the clock runs and what it says; only to real, the system's clock, does it go back",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClockChange"}}}},
                "responses": {
                  "200": {"description": "The clock, and what fell due.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClockReport"}}}},
                  "problems": [409]
                }
              }
            },
            "/v1/clock/advance": {
              "post": {
                "operationId": "advanceClock",
                "summary": "Moves the clock on; all that falls due has happened when the call answers",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClockAdvance"}}}},
                "responses": {
                  "200": {"description": "The clock, and what fell due.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClockReport"}}}},
                  "problems": [409]
                }
              }
            }
        """#
}
