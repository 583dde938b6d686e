internal import APNsRules
internal import Mynah
internal import MynahCore

extension OpenAPIDocument {
    static let pushSchemas = #"""
              "Duration": {"type": "string", "minLength": 1, "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$", "examples": ["250ms", "5s", "1h30m"]},
              "NullableDuration": {"type": ["string", "null"], "minLength": 1, "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"},
              "Notification": {
                "type": "object",
                "required": ["sequence", "apnsId", "attempt", "repeats", "uniqueId", "receivedAt", "environment", "connection", "stream", "credential", "token", "device", "scope", "topic", "pushType", "priority", "expiration", "collapseId", "method", "path", "headers", "payload", "payloadSize", "warnings", "status", "reason", "timestamp", "fault", "outcome", "shown", "timeline"],
                "properties": {
                  "sequence": {"type": "integer", "description": "Orders everything that happens on the server; never decreases. Pushes to one device are numbered in the order in which they were accepted for it, except for a push whose answer a fault delays: it has the number of its arrival, and is accepted when the delay is over. When one of two pushes replaces the other, the one with the higher number stays."},
                  "apnsId": {"type": "string"},
                  "attempt": {"type": "integer", "description": "The number of pushes with this apns-id so far, including this one, if the sender gave it; otherwise 1."},
                  "repeats": {"type": ["integer", "null"], "description": "The sequence number of the latest earlier push with the same token and body within 30 s, by the server's clock; null if there is none in the journal. It need not be a retry: an app may send the same text twice."},
                  "uniqueId": {"type": ["string", "null"]},
                  "receivedAt": {"type": "string", "format": "date-time"},
                  "environment": {"enum": ["sandbox", "production"]},
                  "connection": {"type": "integer"},
                  "stream": {"type": "integer"},
                  "credential": {"$ref": "#/components/schemas/Credential"},
                  "token": {"type": ["string", "null"]},
                  "device": {"type": ["string", "null"]},
                  "scope": {"type": ["string", "null"]},
                  "topic": {"type": ["string", "null"]},
                  "pushType": {"type": ["string", "null"]},
                  "priority": {"type": ["integer", "null"]},
                  "expiration": {"type": ["string", "integer", "null"], "description": "A time, or 0 if that was sent."},
                  "collapseId": {"type": ["string", "null"]},
                  "method": {"type": ["string", "null"]},
                  "path": {"type": ["string", "null"]},
                  "headers": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
                  "payload": {"description": "The body's own bytes if it is JSON, else null."},
                  "payloadBase64": {"type": "string", "description": "The body if it is not JSON. A body larger than the limit of its push type is kept only up to that limit."},
                  "payloadSize": {"type": "integer", "description": "The size of the body in bytes. For a body larger than the limit of its push type: the size in content-length, or, without that field, what had arrived when the push was refused."},
                  "warnings": {"type": "array", "items": {"type": "string"}},
                  "status": {"type": ["integer", "null"]},
                  "reason": {"type": ["string", "null"]},
                  "timestamp": {"type": ["integer", "null"], "description": "Milliseconds since 1970, with 410."},
                  "fault": {"type": ["string", "null"]},
                  "outcome": {"enum": ["pending", "stored", "deferred", "delivered", "coalesced", "discarded", "expired", "refused", "lost", "unanswered"]},
                  "shown": {"type": ["boolean", "null"]},
                  "timeline": {"type": "array", "items": {"type": "object", "required": ["at", "event", "detail"], "properties": {"at": {"type": "string", "format": "date-time"}, "event": {"type": "string"}, "detail": {"type": ["string", "null"]}}}}
                }
              },
              "NotificationPage": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/Notification"}},
                  "nextCursor": {"type": ["string", "null"], "description": "null on the last page."},
                  "matched": {"type": "integer", "description": "On all pages."},
                  "timedOut": {"type": "boolean"},
                  "evicted": {"type": "integer", "description": "How many pushes were evicted since the start or a reset."},
                  "lastSequence": {"type": "integer"}
                }
              },
              "Credential": {
                "type": ["object", "null"],
                "description": "The credential of the request; null if there was none. Of a rejected token only the kind is known.",
                "required": ["kind", "team", "keyId", "subject"],
                "properties": {"kind": {"enum": ["token", "certificate"]}, "team": {"type": ["string", "null"]}, "keyId": {"type": ["string", "null"]}, "subject": {"type": ["string", "null"]}}
              },
              "Removed": {
                "type": "object",
                "required": ["removed"],
                "properties": {"removed": {"type": "object", "additionalProperties": {"type": "integer"}}}
              }
        """#

    static let otherSchemas = #"""
              "Probe": {"type": "object", "required": ["status"], "properties": {"status": {"enum": ["starting", "ready", "stopping"]}}},
              "Match": {
                "type": "object",
                "description": "Filter keys; each takes a value (equal), an array (any of), or an object with one of prefix, contains, regex, not, exists, gte, lte. payload is keyed by JSON pointer, payloadIncludes is a JSON subset, headers is keyed by lower-case name, screen is keyed by JSON pointer into what the user saw of the push. In an expectation also q, a line of the query language.",
                "properties": {
                  "payload": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}},
                  "payloadIncludes": {"type": ["object", "array"]},
                  "headers": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}},
                  "screen": {
                    "type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"},
                    "description": "Keyed by JSON pointer into the notification as GET /v1/devices/{id}/screen shows it (title, subtitle, body, sound, threadId, category, actions, interruptionLevel, relevanceScore, collapseId, mutableContent, shownAt, group, banner, attachments, details), and badge, the number that the push put on the app's icon: 0 if it removed the number, null if it left it alone. This does not change when the user dismisses the notification or a newer push replaces it. A push that is not shown has badge, sound and reason; a push that has not arrived, or is not for the user, has nothing.",
                    "examples": [{"/title": "Hello", "/badge": 3, "/sound/name": {"exists": true}}]
                  },
                  "q": {"type": "string", "description": "In an expectation: all of this must hold as well.", "examples": ["-status:200 \"hi there\" payload:/aps/category:NEWS"]}
                },
                "additionalProperties": {"$ref": "#/components/schemas/Matcher"}
              },
              "Matcher": {
                "description": "A value is equal, an array is any of, an object is one operator.",
                "anyOf": [
                  {"type": ["string", "number", "boolean", "null"]},
                  {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Matcher"}},
                  {
                    "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                    "properties": {
                      "prefix": {"type": "string"}, "contains": {"type": "string"},
                      "regex": {"type": "string", "maxLength": 1000, "description": "Matches a string that contains a part which it describes, in one pass over the string. Supported: literal characters, . [a-f0-9] [^/] \\d \\w \\s \\D \\W \\S \\b \\B ^ $ (…) (?:…) a|b a* a+ a? a{2} a{2,} a{,3} a{2,3} and their lazy forms, a backslash before punctuation, \\n \\r \\t \\f \\e \\x41 \\u00e9 \\u{1F600}, and (?i) at the front. Refused with the position: back-references, look-around, possessive quantifiers, atomic and named groups, recursion, other options, Unicode properties, POSIX classes, and patterns whose automaton would be too large. A character is a Unicode scalar; ^ and $ are the ends of the whole string.", "examples": ["^com\\.example\\."]},
                      "not": {"$ref": "#/components/schemas/Matcher"}, "exists": {"type": "boolean"},
                      "gte": {"type": ["number", "string"]}, "lte": {"type": ["number", "string"]}
                    }
                  }
                ]
              },
              "Expectation": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "match": {"$ref": "#/components/schemas/Match"},
                  "inOrder": {"type": "array", "minItems": 1, "maxItems": 1000, "description": "One push for each of these, in this order, possibly with others in between; instead of match and count.", "items": {"$ref": "#/components/schemas/Match"}},
                  "count": {
                    "type": "object", "additionalProperties": false,
                    "description": "min and max, or exactly. With max alone, min is 0: max 0 with a settle expects no push.",
                    "properties": {"min": {"type": ["integer", "null"], "minimum": 0, "default": 1}, "max": {"type": ["integer", "null"], "minimum": 0}, "exactly": {"type": ["integer", "null"], "minimum": 0}}
                  },
                  "within": {"description": "How long count.min pushes may take to come, at most 1h; 5s by default.", "$ref": "#/components/schemas/NullableDuration"},
                  "settle": {"description": "For how long after that count.max must not be exceeded, at most 1h.", "$ref": "#/components/schemas/NullableDuration"},
                  "after": {"type": ["integer", "null"], "minimum": 0, "description": "Only pushes after this sequence number count."},
                  "scope": {"description": "Only pushes to devices of this scope count.", "$ref": "#/components/schemas/NullableScope"}
                }
              },
              "ExpectationResult": {
                "type": "object",
                "required": ["met", "matched", "items", "failedAt", "nearest", "hints", "evicted", "lastSequence"],
                "properties": {
                  "met": {"type": "boolean"},
                  "matched": {"type": "integer", "description": "How many match; items has the first 100 of them."},
                  "items": {"type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/Notification"}},
                  "failedAt": {"type": ["integer", "null"], "description": "The index from 0 of the first filter of inOrder that no push matches."},
                  "nearest": {
                    "type": "array", "maxItems": 3,
                    "description": "The pushes with the fewest differences, newest first among equals; without pushes of other scopes.",
                    "items": {
                      "type": "object",
                      "required": ["sequence", "differences", "push"],
                      "properties": {
                        "sequence": {"type": "integer"},
                        "differences": {
                          "type": "array",
                          "description": "Every field that differs from what was expected.",
                          "items": {
                            "type": "object",
                            "required": ["field", "expected", "actual"],
                            "properties": {
                              "field": {"type": "string", "description": "A JSON pointer into the push, or below /screen into what was shown of it, below /headers the name of one."},
                              "expected": {"$ref": "#/components/schemas/Matcher"},
                              "actual": {}
                            }
                          }
                        },
                        "push": {"$ref": "#/components/schemas/Notification"}
                      }
                    }
                  },
                  "hints": {"type": "array", "description": "The usual causes, if found: matched before after, evicted, token of another scope, refused with a reason, still pending, stored because its device is offline, delivered but not shown, too many.", "items": {"type": "string"}},
                  "evicted": {"type": "integer", "description": "How many pushes were evicted since the start or a reset."},
                  "lastSequence": {"type": "integer"}
                }
              },
              "Reset": \#(RequestSchemas.reset.openAPI.encodedText),
              "Status": {
                "type": "object",
                "required": ["name", "version", "startedAt", "now", "clock", "seed", "ports", "environment", "counts", "journal", "memory"],
                "properties": {
                  "name": {"const": "mynah"},
                  "version": {"type": "string"},
                  "startedAt": {"type": "string", "format": "date-time"},
                  "now": {"type": "string", "format": "date-time", "description": "The server's clock."},
                  "clock": {"enum": ["real", "offset", "frozen"], "description": "How it runs."},
                  "seed": {"type": "integer"},
                  "ports": {
                    "type": "object",
                    "required": ["apns", "cleartext", "proxy", "control"],
                    "properties": {"apns": {"type": "array", "items": {"type": "integer"}}, "cleartext": {"type": ["integer", "null"]}, "proxy": {"type": ["integer", "null"]}, "control": {"type": ["integer", "null"]}}
                  },
                  "environment": {"enum": ["sandbox", "production"]},
                  "counts": {
                    "type": "object", "additionalProperties": {"type": "integer"},
                    "required": ["received", "accepted", "refused", "devices", "stored", "deferred", "faults", "faultsFired", "scopes", "connections", "handshakesFailed", "connectionsRefused"],
                    "properties": {
                      "received": {"type": "integer", "description": "Pushes since the start or the last reset of notifications; likewise accepted and refused."},
                      "accepted": {"type": "integer", "description": "Pushes answered with 200."},
                      "refused": {"type": "integer", "description": "Pushes answered otherwise."},
                      "devices": {"type": "integer", "description": "Known device tokens."},
                      "stored": {"type": "integer", "description": "Pushes stored for offline devices."},
                      "deferred": {"type": "integer", "description": "Pushes deferred by low power or a budget."},
                      "faults": {"type": "integer", "description": "Fault rules."},
                      "faultsFired": {"type": "integer", "description": "How often fault rules have fired since the start or the last reset of faults, including removed rules."},
                      "scopes": {"type": "integer", "description": "Scopes that have devices or rules."},
                      "connections": {"type": "integer", "description": "Open connections."},
                      "handshakesFailed": {"type": "integer", "description": "TLS handshakes that failed since the start or the last reset of notifications; /v1/failed-handshakes says why."},
                      "connectionsRefused": {"type": "integer", "description": "Connections that were reset since the start because of --reconnect-limit."}
                    }
                  },
                  "journal": {"type": "object", "additionalProperties": {"type": "integer"}},
                  "memory": {"type": "object", "required": ["resident"], "properties": {"resident": {"type": ["integer", "null"], "description": "Bytes."}}}
                }
              },
              "Credentials": {
                "type": "object",
                "required": ["ca", "keyId", "teamId", "key"],
                "properties": {
                  "ca": {"type": "string", "description": "PEM."},
                  "keyId": {"type": ["string", "null"]},
                  "teamId": {"type": ["string", "null"]},
                  "key": {"type": ["string", "null"], "description": "PKCS #8 in PEM; null if the keys are the user's own."}
                }
              },
              "Problem": {
                "type": "object",
                "required": ["type", "title", "status", "detail", "field", "allowed"],
                "properties": {
                  "type": {"enum": \#(problemTypes)},
                  "title": {"type": "string"},
                  "status": {"type": "integer"},
                  "detail": {"type": "string", "minLength": 1, "description": "What is wrong, and what was expected."},
                  "field": {"type": ["string", "null"], "description": "The name of the parameter, or the JSON pointer of the field."},
                  "allowed": {"type": ["array", "null"], "items": {"type": "string"}}
                }
              }
        """#

    /// The schema of a page of a list.
    static func pageSchema(of item: String) -> String {
        #"""
              "\#(item)Page": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/\#(item)"}},
                  "nextCursor": {"type": ["string", "null"]},
                  "matched": {"type": "integer"},
                  "timedOut": {"type": "boolean"},
                  "evicted": {"type": "integer"},
                  "lastSequence": {"type": "integer"}
                }
              }
        """#
    }
}
