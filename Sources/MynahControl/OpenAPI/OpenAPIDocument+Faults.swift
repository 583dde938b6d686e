extension OpenAPIDocument {
    static let faultParameters = #"""
              "fault": {"name": "id", "in": "path", "required": true, "description": "The rule's id.", "schema": {"type": "string"}},
              "scenario": {"name": "name", "in": "path", "required": true, "description": "The scenario's name.", "schema": {"type": "string"}}
        """#

    private static let faultFilterParameters = #"""
                  {"name": "fault", "in": "query", "description": "The id; again: any of; with ! in front: none of. So with all filters here.", "schema": {"type": "array", "items": {"type": "string"}}},
                  {"name": "name", "in": "query", "description": "The name.", "schema": {"type": "array", "items": {"type": "string"}}},
                  {"name": "scope", "in": "query", "description": "The scope; empty: none.", "schema": {"type": "array", "items": {"type": "string"}}},
                  {"name": "enabled", "in": "query", "description": "Whether it is in force.", "schema": {"type": "array", "items": {"type": "boolean"}}},
                  {"name": "event", "in": "query", "description": "When it is asked.", "schema": {"type": "array", "items": {"enum": ["accept", "handshake", "request"]}}},
                  {"name": "action", "in": "query", "description": "The type of its action, or of one of its actions.", "schema": {"type": "array", "items": {"type": "string"}}}
        """#

    static let faultPaths = #"""
            "/v1/faults": {
              "get": {
                "operationId": "listFaults",
                "summary": "The fault rules, in the order in which they are asked",
                "description": "Higher priority first, then the newest. A cursor whose rule is gone is 410.",
                "parameters": [
        \#(faultFilterParameters),
                  {"name": "limit", "in": "query", "description": "Items of a page.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
                  {"name": "cursor", "in": "query", "description": "nextCursor of the page before, with the same filters.", "schema": {"type": "string"}}
                ],
                "responses": {
                  "200": {"description": "A page. As JSON lines the members beside items are header fields, as of /v1/notifications.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/FaultPage"}}, "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Fault"}}}},
                  "problems": [410]
                }
              },
              "post": {
                "operationId": "addFaults",
                "summary": "Adds a rule, or an array of them: all or none",
                "description": "Holds for every later request when it is answered, on open connections too. The last of an array is the newest.",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"oneOf": [{"$ref": "#/components/schemas/NewFault"}, {"type": "array", "items": {"$ref": "#/components/schemas/NewFault"}}]}}}},
                "responses": {
                  "201": {"description": "The rule with its Location, or of an array a page of all.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"oneOf": [{"$ref": "#/components/schemas/Fault"}, {"$ref": "#/components/schemas/FaultPage"}]}}}},
                  "problems": [409]
                }
              },
              "delete": {
                "operationId": "deleteFaults",
                "summary": "Removes the rules that the filters hold for, all without one",
                "parameters": [
        \#(faultFilterParameters)
                ],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}}
                }
              }
            },
            "/v1/faults/{id}": {
              "get": {
                "operationId": "getFault",
                "summary": "One rule, maybe once it has fired so often",
                "description": "With wait the answer is held until the rule has fired so often, or the time is over: then timedOut is true.",
                "parameters": [
                  {"$ref": "#/components/parameters/fault"},
                  {"name": "wait", "in": "query", "description": "How long the answer is held, wall time, at most 60s.", "schema": {"$ref": "#/components/schemas/Duration"}},
                  {"name": "hits", "in": "query", "description": "How often it must have fired in all, with wait.", "schema": {"type": "integer", "minimum": 1, "default": 1}}
                ],
                "responses": {
                  "200": {"description": "The rule; with wait also timedOut.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}},
                  "problems": [404]
                }
              },
              "put": {
                "operationId": "putFault",
                "summary": "Makes a rule, or puts another in its place",
                "parameters": [{"$ref": "#/components/parameters/fault"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewFault"}}}},
                "responses": {
                  "200": {"description": "The rule, replaced: the newest now, and counting from zero.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}},
                  "201": {"description": "The rule, made.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}},
                  "problems": [409]
                }
              },
              "patch": {
                "operationId": "changeFault",
                "summary": "Changes a part of a rule, whose counters go on",
                "description": "Of match the filters that are named, null taking one away; action takes the place of actions and the reverse.",
                "parameters": [{"$ref": "#/components/parameters/fault"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewFault"}}}},
                "responses": {
                  "200": {"description": "The rule.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}},
                  "problems": [404]
                }
              },
              "delete": {
                "operationId": "deleteFault",
                "summary": "Removes a rule",
                "parameters": [{"$ref": "#/components/parameters/fault"}],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}},
                  "problems": [404]
                }
              }
            },
            "/v1/magic-tokens": {
              "get": {
                "operationId": "listMagicTokens",
                "summary": "The device tokens that provoke one answer each",
                "description": "For tests that control nothing but the token. They are the same in every version. No device can have one.",
                "responses": {
                  "200": {"description": "All of them; none with --magic-tokens off.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/MagicTokenPage"}}, "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/MagicToken"}}}}
                }
              }
            },
            "/v1/scenarios": {
              "get": {
                "operationId": "listScenarios",
                "summary": "The scenarios that run, or those that are shipped",
                "parameters": [
                  {"name": "shipped", "in": "query", "description": "List those that are part of the program.", "schema": {"type": "boolean", "default": false}}
                ],
                "responses": {
                  "200": {"description": "All of them, the one that began first first.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ScenarioPage"}}, "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Scenario"}}}}
                }
              },
              "post": {
                "operationId": "startScenario",
                "summary": "Lets a scenario begin",
                "description": "A name without steps means a shipped one. Steps after a time count the server's clock; steps after pushes are exact.",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewScenario"}}}},
                "responses": {
                  "201": {"description": "The scenario; the rules of its first steps hold.", "headers": {"Location": {"schema": {"type": "string"}}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Scenario"}}}},
                  "problems": [409]
                }
              },
              "delete": {
                "operationId": "deleteScenarios",
                "summary": "Ends all scenarios and removes the rules that they have added",
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}}
                }
              }
            },
            "/v1/scenarios/{name}": {
              "get": {
                "operationId": "getScenario",
                "summary": "One scenario that runs",
                "parameters": [{"$ref": "#/components/parameters/scenario"}],
                "responses": {
                  "200": {"description": "The scenario.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Scenario"}}}},
                  "problems": [404]
                }
              },
              "delete": {
                "operationId": "deleteScenario",
                "summary": "Ends a scenario and removes the rules that it has added",
                "parameters": [{"$ref": "#/components/parameters/scenario"}],
                "responses": {
                  "200": {"description": "What was removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Removed"}}}},
                  "problems": [404]
                }
              }
            }
        """#
}
