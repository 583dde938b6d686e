extension OpenAPIDocument {
    static let eventSchemas = #"""
              "EventChange": {"enum": ["created", "changed", "removed", "fired", "opened", "closed", "failed"]},
              "ClockEvent": {
                "type": "object",
                "properties": {
                  "mode": {"enum": ["real", "offset", "frozen"]},
                  "now": {"type": "string", "format": "date-time"},
                  "scope": {"type": ["string", "null"], "description": "The scope of the clock; null for the server's clock."}
                }
              },
              "ResetEvent": {
                "type": "object",
                "properties": {
                  "removed": {"type": "object", "additionalProperties": {"type": "integer"}},
                  "only": {"type": "array", "items": {"type": "string"}, "description": "The parts that were reset."},
                  "scope": {"type": ["string", "null"], "description": "The scope that was reset; null for the whole server."}
                }
              },
              "GapEvent": {
                "type": "object",
                "properties": {"from": {"type": "integer"}, "to": {"type": "integer"}}
              }
        """#
}
