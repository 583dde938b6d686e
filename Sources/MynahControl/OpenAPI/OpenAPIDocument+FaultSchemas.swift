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
              "FaultDelay": {
                "description": "A duration, or one drawn anew each time: between two, or about a mean with a deviation.",
                "anyOf": [
                  {"$ref": "#/components/schemas/Duration"},
                  {
                    "type": "object", "additionalProperties": false,
                    "properties": {
                      "uniform": {"type": ["array", "null"], "minItems": 2, "maxItems": 2, "items": {"$ref": "#/components/schemas/Duration"}},
                      "normal": {"type": ["array", "null"], "minItems": 2, "maxItems": 2, "items": {"$ref": "#/components/schemas/Duration"}},
                      "clock": {"enum": ["wall", "virtual", null]}
                    }
                  },
                  {"type": "null"}
                ]
              },
              "FaultAction": {
                "type": "object",
                "required": ["type"],
                "additionalProperties": false,
                "description": "What happens; each type takes its own of the other fields, and null is as if one were absent.",
                "properties": {
                  "type": {"enum": ["pass", "respond", "stall", "lose", "deliverLate", "duplicate", "resetStream", "goaway", "settings", "withholdWindow", "ignorePing", "truncate", "malformedFrame", "oversizedFrame", "tls", "close", "throttle", "refuse"]},
                  "delay": {"$ref": "#/components/schemas/FaultDelay"},
                  "clock": {"enum": ["wall", "virtual", null], "default": "wall", "description": "Whose time delay is."},
                  "deliver": {"type": ["boolean", "null"], "description": "Whether the device gets the push all the same, where APNs' own answer is not given."},
                  "status": {"type": ["integer", "null"], "minimum": 200, "maximum": 599, "description": "respond: by default the reason's."},
                  "reason": {"type": ["string", "null"], "description": "respond: of the body; goaway: of the debug data."},
                  "timestamp": {"type": ["integer", "null"], "minimum": 0, "description": "respond: beside the reason, milliseconds since 1970."},
                  "body": {"type": ["string", "null"], "maxLength": 16384, "description": "respond: in place of a reason's JSON."},
                  "headers": {"type": ["object", "null"], "maxProperties": 32, "additionalProperties": {"type": ["string", "null"]}, "description": "respond: fields to set; null removes one."},
                  "apnsId": {"type": ["string", "null"], "maxLength": 256, "description": "respond: in place of the push's own."},
                  "by": {"$ref": "#/components/schemas/NullableDuration", "description": "deliverLate: how much later, on the device's clock."},
                  "times": {"type": ["integer", "null"], "minimum": 2, "maximum": 100, "default": 2, "description": "duplicate: how often the device gets the push."},
                  "code": {"type": ["string", "integer", "null"], "description": "resetStream, goaway: an error code of HTTP/2, by name or number."},
                  "when": {"enum": ["beforeHeaders", "afterHeaders", "duringHandshake", "afterHandshake", null], "description": "resetStream: before or behind the answer's HEADERS; tls: when the alert comes."},
                  "debug": {"type": ["string", "null"], "description": "goaway: the debug data as it is."},
                  "lastStreamId": {"anyOf": [{"enum": ["processed", "lower", null]}, {"type": "integer", "minimum": 0, "maximum": 2147483647}], "default": "processed", "description": "goaway."},
                  "twoStep": {"type": ["boolean", "null"], "default": false, "description": "goaway: first with the highest number, then with the true one."},
                  "frames": {"type": ["integer", "null"], "minimum": 1, "default": 1, "description": "goaway: how often it is sent."},
                  "close": {"enum": ["afterStreams", "now", "never", null], "default": "afterStreams", "description": "goaway."},
                  "maxConcurrentStreams": {"type": ["integer", "null"], "minimum": 0, "maximum": 4294967295, "description": "settings."},
                  "initialWindowSize": {"type": ["integer", "null"], "minimum": 0, "maximum": 2147483647, "description": "settings."},
                  "headerTableSize": {"type": ["integer", "null"], "minimum": 0, "maximum": 4294967295, "description": "settings."},
                  "maxFrameSize": {"type": ["integer", "null"], "minimum": 16384, "maximum": 16777215, "description": "settings."},
                  "withhold": {"type": ["boolean", "null"], "default": false, "description": "settings: none are sent at all."},
                  "alert": {"type": ["string", "null"], "description": "tls: the name of an alert.", "examples": ["handshake_failure"]},
                  "certificate": {"enum": ["expired", "wrongHost", "untrusted", null], "description": "tls: what is wrong with the server's."},
                  "stall": {"enum": [true, null], "description": "tls: the handshake goes no further."},
                  "slow": {"$ref": "#/components/schemas/NullableDuration", "description": "tls: how long the handshake takes."},
                  "how": {"enum": ["fin", "rst", "halfOpen", null], "default": "rst", "description": "close."},
                  "afterBytes": {"type": ["integer", "null"], "minimum": 0, "description": "close: once so many bytes of the answer are out."},
                  "afterPushes": {"type": ["integer", "null"], "minimum": 1, "description": "goaway, close: at every n-th matching push of each connection, which is answered; until then the rule has not fired."},
                  "afterIdle": {"$ref": "#/components/schemas/NullableDuration", "description": "close: once nothing has come for so long; until then the rule has not fired."},
                  "bytesPerSecond": {"type": ["integer", "null"], "minimum": 1, "description": "throttle."},
                  "chunk": {"type": ["integer", "null"], "minimum": 1, "description": "throttle: how many bytes at a time."}
                }
              },
              "NewFault": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
        \#(faultMembers)
                }
              },
              "Fault": {
                "type": "object",
                "required": ["id", "name", "scope", "enabled", "priority", "match", "skip", "times", "every", "probability", "rateOver", "activeFrom", "activeUntil", "action", "actions", "then", "matched", "fired", "remaining", "createdAt"],
                "properties": {
        \#(faultMembers),
                  "timedOut": {"type": "boolean", "description": "With wait alone."}
                }
              },
        \#(pageSchema(of: "Fault")),
              "MagicToken": {
                "type": "object",
                "required": ["token", "does", "status", "reason"],
                "properties": {"token": {"type": "string"}, "does": {"type": "string"}, "status": {"type": ["integer", "null"]}, "reason": {"type": ["string", "null"]}}
              },
        \#(pageSchema(of: "MagicToken")),
              "NewScenario": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name"],
                "properties": {
        \#(scenarioMembers)
                }
              },
              "Scenario": {
                "type": "object",
                "required": ["name", "description", "seed", "steps"],
                "properties": {
        \#(scenarioMembers),
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
        \#(pageSchema(of: "Scenario"))
        """#

    /// What a rule is, as it is sent and as it is answered.
    private static let faultMembers = #"""
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
        """#

    /// What a scenario is, as it is sent and as it is answered.
    private static let scenarioMembers = #"""
                  "name": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
                  "description": {"type": ["string", "null"]},
                  "seed": {"type": ["integer", "null"], "minimum": 0, "description": "Of its rules' random choices; null: the server's."},
                  "steps": {"type": "array", "items": {"type": "object", "properties": {"after": {"description": "A duration of the server's clock, or {\"pushes\": 100}; both from the start.", "oneOf": [{"$ref": "#/components/schemas/Duration"}, {"type": "object", "properties": {"pushes": {"type": "integer"}}}, {"type": "null"}]}, "add": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/NewFault"}}, "remove": {"type": ["array", "null"], "items": {"type": "string"}}}}}
        """#
}
