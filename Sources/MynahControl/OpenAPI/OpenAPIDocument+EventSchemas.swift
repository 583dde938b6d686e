extension OpenAPIDocument {
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
