extension OpenAPIDocument {
    static let eventPaths = #"""
            "/v1/events": {
              "get": {
                "operationId": "streamEvents",
                "summary": "Everything that happens, as server-sent events",
                "description": "The line event: says what kind of event it is, id: its number, of the same sequence as those of pushes, and data: is one JSON object. notification: a push, as /v1/notifications has it when it is written. outcome: a push whose outcome changed after its answer, as it was then. device, fault, connection: the thing as its own call answers it, with change; a connection that was closed also has reason, a sentence where the server closed it because something went wrong, else null; one whose TLS handshake failed is as /v1/failed-handshakes answers it, with change failed. clock, reset: ClockEvent and ResetEvent. gap: something between two numbers, both included, went to make room before this reader had it; it is told whatever was asked for, and what is there still comes after it. A device that a push to an unknown token makes is not told; of a fleet, and of the rules of one call, the first 1000 are. All rules or devices, and any number of pushes, that one call removes are one reset; a push that was removed is not told any more, nor what became of it. Further firings of a fault within 100 ms of one that was told are one event, with the counters of then. A comment comes at the beginning and every 15 s, with the id up to which everything was told: given back as Last-Event-ID, the stream goes on behind it without loss and without doubles. An id that the server has not given out yet is one of a server before it: then everything is told that is there. While thousands of pushes a second come, readers lag behind; one that takes nothing for 10 s is cut off. Filters: on notification and outcome as in /v1/notifications; of the others, device has scope, device, topic, token and environment, fault has scope and fault, connection has connection, environment, team and keyId, clock and reset have scope, and all have since and until; a condition on what an event does not have is not met, its negation is.",
                "parameters": [
                  {"$ref": "#/components/parameters/filters"},
                  {"$ref": "#/components/parameters/q"},
                  {"name": "event", "in": "query", "description": "The kind of event; again is any of, with ! in front is none of.", "schema": {"type": "array", "items": {"enum": ["notification", "outcome", "device", "fault", "connection", "clock", "reset"]}}},
                  {"name": "after", "in": "query", "description": "What comes behind this number; else what comes from now on. Last-Event-ID counts before it.", "schema": {"type": "integer", "minimum": 0}},
                  {"name": "Last-Event-ID", "in": "header", "description": "The id that came last.", "schema": {"type": "integer", "minimum": 0}}
                ],
                "responses": {
                  "200": {"description": "The events, until the reader goes or the server stops.", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                  "400": {"$ref": "#/components/responses/Problem"},
                  "401": {"$ref": "#/components/responses/Problem"},
                  "403": {"$ref": "#/components/responses/Problem"}
                }
              }
            }
        """#

    static let eventSchemas = #"""
              "EventChange": {"enum": ["created", "changed", "removed", "fired", "opened", "closed", "failed"]},
              "ClockEvent": {
                "type": "object",
                "properties": {
                  "mode": {"enum": ["real", "offset", "frozen"]},
                  "now": {"type": "string", "format": "date-time"},
                  "scope": {"type": ["string", "null"], "description": "Whose clock it is; null: the server's."}
                }
              },
              "ResetEvent": {
                "type": "object",
                "properties": {
                  "removed": {"type": "object", "additionalProperties": {"type": "integer"}},
                  "only": {"type": "array", "items": {"type": "string"}, "description": "What was reset."},
                  "scope": {"type": ["string", "null"], "description": "Whose things went; null: everybody's."}
                }
              },
              "GapEvent": {
                "type": "object",
                "properties": {"from": {"type": "integer"}, "to": {"type": "integer"}}
              }
        """#
}
