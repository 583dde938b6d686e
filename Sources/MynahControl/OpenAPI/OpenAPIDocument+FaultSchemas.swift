extension OpenAPIDocument {
    static let faultSchemas = #"""
              "FaultMatch": {
                "type": "object",
                "description": "As Match, with what is known of a request before it is answered; event says when the rule is asked.",
                "properties": {
                  "event": {"enum": ["accept", "handshake", "request", null], "description": "Without it, where the action belongs."},
                  "payload": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}},
                  "payloadIncludes": {"type": ["object", "array"]},
                  "headers": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}}
                },
                "additionalProperties": {"$ref": "#/components/schemas/Matcher"}
              },
              "FaultAction": {
                "type": "object",
                "required": ["type"],
                "description": "What happens; its other fields depend on the type.",
                "properties": {
                  "type": {"enum": ["pass", "respond", "stall", "lose", "deliverLate", "duplicate", "resetStream", "goaway", "settings", "withholdWindow", "ignorePing", "truncate", "malformedFrame", "oversizedFrame", "tls", "close", "throttle", "refuse"]},
                  "delay": {
                    "description": "Of actions that send something: how much later.",
                    "anyOf": [
                      {"$ref": "#/components/schemas/NullableDuration"},
                      {"type": "object", "properties": {"uniform": {"type": "array", "items": {"$ref": "#/components/schemas/Duration"}}, "normal": {"type": "array", "items": {"$ref": "#/components/schemas/Duration"}, "description": "Mean and deviation."}, "clock": {"enum": ["wall", "virtual"]}}}
                    ]
                  },
                  "clock": {"enum": ["wall", "virtual", null], "description": "By which delay counts."},
                  "deliver": {"type": ["boolean", "null"], "description": "Of actions that keep the answer from the provider or give another: whether the device gets the push all the same."},
                  "status": {"type": ["integer", "null"], "minimum": 200, "maximum": 599, "description": "respond: without it, the reason's own."},
                  "reason": {"type": ["string", "null"], "description": "respond, goaway."},
                  "timestamp": {"type": ["integer", "null"], "description": "respond: milliseconds since 1970."},
                  "body": {"type": ["string", "null"], "description": "respond: in place of reason."},
                  "headers": {"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]}, "description": "respond: added, or, with null, removed."},
                  "apnsId": {"type": ["string", "null"], "description": "respond: in place of the push's own."},
                  "by": {"$ref": "#/components/schemas/NullableDuration", "description": "deliverLate."},
                  "times": {"type": ["integer", "null"], "minimum": 2, "maximum": 100, "description": "duplicate."},
                  "code": {"type": ["string", "integer", "null"], "description": "resetStream, goaway: a name of RFC 9113 or a number."},
                  "when": {"enum": ["beforeHeaders", "afterHeaders", "duringHandshake", "afterHandshake", null], "description": "resetStream: of the reply's HEADERS; tls: when the alert comes."},
                  "debug": {"type": ["string", "null"], "description": "goaway: in place of reason."},
                  "lastStreamId": {"type": ["string", "integer", "null"], "description": "goaway: processed, lower or a number."},
                  "twoStep": {"type": ["boolean", "null"], "description": "goaway."},
                  "frames": {"type": ["integer", "null"], "minimum": 1, "maximum": 10, "description": "goaway: how often it is sent."},
                  "close": {"enum": ["afterStreams", "now", "never", null], "description": "goaway."},
                  "maxConcurrentStreams": {"type": ["integer", "null"], "minimum": 0, "description": "settings, as the next four."},
                  "initialWindowSize": {"type": ["integer", "null"], "minimum": 0},
                  "headerTableSize": {"type": ["integer", "null"], "minimum": 0},
                  "maxFrameSize": {"type": ["integer", "null"], "minimum": 16384},
                  "withhold": {"type": ["boolean", "null"]},
                  "alert": {"type": ["string", "null"], "description": "tls: a name of RFC 8446, such as certificate_expired."},
                  "certificate": {"enum": ["expired", "wrongHost", "untrusted", null], "description": "tls."},
                  "stall": {"type": ["boolean", "null"], "description": "tls."},
                  "slow": {"$ref": "#/components/schemas/NullableDuration", "description": "tls."},
                  "how": {"enum": ["fin", "rst", "halfOpen", null], "description": "close, as the next three."},
                  "afterBytes": {"type": ["integer", "null"], "minimum": 0},
                  "afterPushes": {"type": ["integer", "null"], "minimum": 1},
                  "afterIdle": {"$ref": "#/components/schemas/NullableDuration"},
                  "bytesPerSecond": {"type": ["integer", "null"], "minimum": 1, "description": "throttle."},
                  "chunk": {"type": ["integer", "null"], "minimum": 1, "maximum": 16384, "description": "throttle: bytes at once."}
                }
              },
              "NewFault": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "id": {"type": ["string", "null"], "pattern": "^[A-Za-z0-9._-]{1,64}$", "description": "Made, where none is given."},
                  "name": {"type": ["string", "null"], "maxLength": 200},
                  "scope": {"type": ["string", "null"], "description": "Touches only pushes to devices of this scope."},
                  "enabled": {"type": ["boolean", "null"], "default": true},
                  "priority": {"type": ["integer", "null"], "default": 0, "description": "Higher ones are asked first, then the newest."},
                  "match": {"oneOf": [{"$ref": "#/components/schemas/FaultMatch"}, {"type": "null"}]},
                  "skip": {"type": ["integer", "null"], "minimum": 0, "default": 0},
                  "times": {"type": ["integer", "null"], "description": "null: no limit."},
                  "every": {"type": ["integer", "null"], "minimum": 1, "default": 1},
                  "probability": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1, "default": 1},
                  "rateOver": {
                    "type": ["object", "null"],
                    "description": "Only above this rate.",
                    "properties": {"count": {"type": "integer"}, "per": {"$ref": "#/components/schemas/Duration"}, "by": {"enum": ["token", "topic", "connection", "all"]}}
                  },
                  "activeFrom": {"type": ["string", "null"], "format": "date-time"},
                  "activeUntil": {"type": ["string", "null"], "format": "date-time"},
                  "action": {"oneOf": [{"$ref": "#/components/schemas/FaultAction"}, {"type": "null"}]},
                  "actions": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/FaultAction"}, "description": "In place of action: one after the other, per firing."},
                  "then": {"enum": ["pass", "repeat", "last", null], "description": "When actions are through."},
                  "matched": {"type": ["integer", "null"], "description": "Requests that matched; ignored when it is sent, as the next three."},
                  "fired": {"type": ["integer", "null"], "description": "How often it acted."},
                  "remaining": {"type": ["integer", "null"], "description": "How often it still will; null: no limit."},
                  "createdAt": {"type": ["string", "null"], "format": "date-time"}
                }
              },
              "Fault": {
                "type": "object",
                "required": ["id", "name", "scope", "enabled", "priority", "match", "skip", "times", "every", "probability", "rateOver", "activeFrom", "activeUntil", "action", "actions", "then", "matched", "fired", "remaining", "createdAt"],
                "properties": {
                  "id": {"type": ["string", "null"], "pattern": "^[A-Za-z0-9._-]{1,64}$", "description": "Made, where none is given."},
                  "name": {"type": ["string", "null"], "maxLength": 200},
                  "scope": {"type": ["string", "null"], "description": "Touches only pushes to devices of this scope."},
                  "enabled": {"type": ["boolean", "null"], "default": true},
                  "priority": {"type": ["integer", "null"], "default": 0, "description": "Higher ones are asked first, then the newest."},
                  "match": {"oneOf": [{"$ref": "#/components/schemas/FaultMatch"}, {"type": "null"}]},
                  "skip": {"type": ["integer", "null"], "minimum": 0, "default": 0},
                  "times": {"type": ["integer", "null"], "description": "null: no limit."},
                  "every": {"type": ["integer", "null"], "minimum": 1, "default": 1},
                  "probability": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1, "default": 1},
                  "rateOver": {
                    "type": ["object", "null"],
                    "description": "Only above this rate.",
                    "properties": {"count": {"type": "integer"}, "per": {"$ref": "#/components/schemas/Duration"}, "by": {"enum": ["token", "topic", "connection", "all"]}}
                  },
                  "activeFrom": {"type": ["string", "null"], "format": "date-time"},
                  "activeUntil": {"type": ["string", "null"], "format": "date-time"},
                  "action": {"oneOf": [{"$ref": "#/components/schemas/FaultAction"}, {"type": "null"}]},
                  "actions": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/FaultAction"}, "description": "In place of action: one after the other, per firing."},
                  "then": {"enum": ["pass", "repeat", "last", null], "description": "When actions are through."},
                  "matched": {"type": ["integer", "null"], "description": "Requests that matched; ignored when it is sent, as the next three."},
                  "fired": {"type": ["integer", "null"], "description": "How often it acted."},
                  "remaining": {"type": ["integer", "null"], "description": "How often it still will; null: no limit."},
                  "createdAt": {"type": ["string", "null"], "format": "date-time"},
                  "timedOut": {"type": "boolean", "description": "With wait alone."}
                }
              },
              "FaultPage": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
                  "nextCursor": {"type": ["string", "null"]},
                  "matched": {"type": "integer"},
                  "timedOut": {"type": "boolean"},
                  "evicted": {"type": "integer"},
                  "lastSequence": {"type": "integer"}
                }
              },
              "MagicToken": {
                "type": "object",
                "required": ["token", "does", "status", "reason"],
                "properties": {"token": {"type": "string"}, "does": {"type": "string"}, "status": {"type": ["integer", "null"]}, "reason": {"type": ["string", "null"]}}
              },
              "MagicTokenPage": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/MagicToken"}},
                  "nextCursor": {"type": ["string", "null"]},
                  "matched": {"type": "integer"},
                  "timedOut": {"type": "boolean"},
                  "evicted": {"type": "integer"},
                  "lastSequence": {"type": "integer"}
                }
              },
              "NewScenario": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name"],
                "properties": {
                  "name": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
                  "description": {"type": ["string", "null"]},
                  "seed": {"type": ["integer", "null"], "minimum": 0, "description": "Of its rules' random choices; null: the server's."},
                  "steps": {"type": "array", "items": {"type": "object", "properties": {"after": {"description": "A duration of the server's clock, or {\"pushes\": 100}; both from the start.", "oneOf": [{"$ref": "#/components/schemas/Duration"}, {"type": "object", "properties": {"pushes": {"type": "integer"}}}, {"type": "null"}]}, "add": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/NewFault"}}, "remove": {"type": ["array", "null"], "items": {"type": "string"}}}}}
                }
              },
              "Scenario": {
                "type": "object",
                "required": ["name", "description", "seed", "steps"],
                "properties": {
                  "name": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
                  "description": {"type": ["string", "null"]},
                  "seed": {"type": ["integer", "null"], "minimum": 0, "description": "Of its rules' random choices; null: the server's."},
                  "steps": {"type": "array", "items": {"type": "object", "properties": {"after": {"description": "A duration of the server's clock, or {\"pushes\": 100}; both from the start.", "oneOf": [{"$ref": "#/components/schemas/Duration"}, {"type": "object", "properties": {"pushes": {"type": "integer"}}}, {"type": "null"}]}, "add": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/NewFault"}}, "remove": {"type": ["array", "null"], "items": {"type": "string"}}}}},
                  "startedAt": {"type": "string", "format": "date-time", "description": "This and what follows: of one that runs."},
                  "stepsDone": {"type": "integer"},
                  "next": {
                    "type": ["object", "null"],
                    "description": "The next step and what it waits for; null when all are done.",
                    "required": ["step", "after", "at", "pushesLeft"],
                    "properties": {"step": {"type": "integer"}, "after": {}, "at": {"type": ["string", "null"], "format": "date-time"}, "pushesLeft": {"type": ["integer", "null"]}}
                  },
                  "rules": {"type": "array", "items": {"type": "string"}, "description": "Ids of the rules that it has added and that are there."},
                  "problem": {"type": ["string", "null"], "description": "Why a step could not be done."}
                }
              },
              "ScenarioPage": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/Scenario"}},
                  "nextCursor": {"type": ["string", "null"]},
                  "matched": {"type": "integer"},
                  "timedOut": {"type": "boolean"},
                  "evicted": {"type": "integer"},
                  "lastSequence": {"type": "integer"}
                }
              }
        """#
}
