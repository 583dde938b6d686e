internal import APNsRules
internal import MynahCore

extension OpenAPIDocument {
    static let deviceSchemas = #"""
              "Scope": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
              "NullableScope": {"type": ["string", "null"], "pattern": "^[A-Za-z0-9._-]{1,64}$"},
              "InboxKind": {"enum": ["alert", "background", "voip", "complication", "fileprovider", "location", "mdm", "liveactivity", "pushtotalk", "widgets", "controls"]},
              "Device": {
                "type": "object",
                "required": ["id", "scope", "name", "model", "platform", "osVersion", "environment", "locale", "online", "power", "focus", "registrations", "stored", "deferred", "inbox"],
                "properties": {
                  "id": {"type": "string"},
                  "scope": {"type": ["string", "null"]},
                  "name": {"type": "string"},
                  "model": {"type": "string"},
                  "platform": {"enum": ["iOS", "iPadOS", "macOS", "watchOS", "tvOS", "visionOS"]},
                  "osVersion": {"type": "string"},
                  "environment": {"enum": ["sandbox", "production"]},
                  "locale": {"type": "string"},
                  "online": {"type": "boolean"},
                  "power": {"enum": ["normal", "low", "asleep"]},
                  "focus": {"$ref": "#/components/schemas/Focus"},
                  "registrations": {"type": "array", "items": {"$ref": "#/components/schemas/Registration"}},
                  "stored": {"type": "integer", "description": "Pushes stored while it is offline."},
                  "deferred": {"type": "integer", "description": "Pushes that power or a budget holds back."},
                  "inbox": {"type": "object", "required": ["count", "dropped"], "properties": {"count": {"type": "integer"}, "dropped": {"type": "integer"}}}
                }
              },
              "DevicePage": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/Device"}},
                  "nextCursor": {"type": ["string", "null"], "description": "null on the last page."},
                  "matched": {"type": "integer", "description": "On all pages."},
                  "timedOut": {"const": false},
                  "evicted": {"const": 0},
                  "lastSequence": {"type": "integer", "description": "Of the journal."}
                }
              },
              "Focus": \#(focus),
              "NewDevice": \#(DeviceSpecification.schema.openAPI.encodedText),
              "DeviceChange": \#(DevicePatch.schema.openAPI.encodedText),
              "Arrival": {
                "type": "object",
                "required": ["sequence", "apnsId", "topic", "pushType", "kind", "payload", "deliveredAt", "evicted"],
                "properties": {
                  "sequence": {"type": "integer"},
                  "apnsId": {"type": ["string", "null"]},
                  "topic": {"type": ["string", "null"]},
                  "pushType": {"type": ["string", "null"]},
                  "kind": {"oneOf": [{"$ref": "#/components/schemas/InboxKind"}, {"type": "null"}]},
                  "payload": {"description": "The body's own bytes; null when it is no JSON or gone from the journal."},
                  "deliveredAt": {"type": "string", "format": "date-time"},
                  "evicted": {"type": "boolean", "description": "Whether the push is gone from the journal; what it said is null then."}
                }
              },
              "InboxPage": {
                "type": "object",
                "required": ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"],
                "properties": {
                  "items": {"type": "array", "items": {"$ref": "#/components/schemas/Arrival"}},
                  "nextCursor": {"type": ["string", "null"], "description": "null on the last page."},
                  "matched": {"type": "integer", "description": "On all pages."},
                  "timedOut": {"type": "boolean"},
                  "evicted": {"type": "integer", "description": "Arrivals that went from the inbox or whose push went from the journal."},
                  "lastSequence": {"type": "integer", "description": "The push that arrived last; ask with after."}
                }
              },
              "Screen": {
                "type": "object",
                "required": ["at", "badges", "notifications", "summary", "wakes", "responses", "evicted"],
                "properties": {
                  "at": {"type": "string", "format": "date-time"},
                  "badges": {"type": "object", "additionalProperties": {"type": "integer"}},
                  "notifications": {"type": "array", "items": {"$ref": "#/components/schemas/ScreenNotification"}, "description": "The top of the screen first."},
                  "summary": {"type": "array", "items": {"type": "integer"}, "description": "The notifications that a scheduled summary has, by sequence, the most relevant first."},
                  "wakes": {"type": "array", "items": {"$ref": "#/components/schemas/Wake"}, "description": "What woke apps in the background, oldest first."},
                  "responses": {"type": "array", "items": {"$ref": "#/components/schemas/AppResponse"}, "description": "What apps were told of the user's choices, oldest first."},
                  "evicted": {"type": "integer", "description": "Notifications, wakes and responses that went for newer ones, or had left the journal before the screen was first asked for."}
                }
              },
              "ScreenNotification": {
                "type": "object",
                "required": ["sequence", "apnsId", "topic", "title", "subtitle", "body", "sound", "threadId", "category", "actions", "interruptionLevel", "relevanceScore", "collapseId", "mutableContent", "shownAt", "updatedAt", "group", "banner", "attachments", "details", "warnings"],
                "properties": {
                  "sequence": {"type": "integer"},
                  "apnsId": {"type": "string"},
                  "topic": {"type": "string"},
                  "title": {"type": ["string", "null"]},
                  "subtitle": {"type": ["string", "null"]},
                  "body": {"type": ["string", "null"]},
                  "sound": {
                    "type": ["object", "null"],
                    "required": ["name", "critical", "volume"],
                    "properties": {"name": {"type": "string"}, "critical": {"type": "boolean"}, "volume": {"type": ["number", "null"]}}
                  },
                  "threadId": {"type": ["string", "null"]},
                  "category": {"type": ["string", "null"]},
                  "actions": {"$ref": "#/components/schemas/ShownActions"},
                  "interruptionLevel": {"enum": ["passive", "active", "time-sensitive", "critical"]},
                  "relevanceScore": {"type": ["number", "null"]},
                  "collapseId": {"type": ["string", "null"]},
                  "mutableContent": {"enum": ["none", "modified", "timedOut"]},
                  "shownAt": {"type": "string", "format": "date-time"},
                  "updatedAt": {"type": ["string", "null"], "format": "date-time"},
                  "group": {"type": "string", "description": "The thread, or the app."},
                  "banner": {"type": ["object", "null"], "required": ["actions"], "properties": {"actions": {"$ref": "#/components/schemas/ShownActions"}}},
                  "attachments": {"type": "array", "items": {"type": "string"}},
                  "details": {"type": "object", "description": "What else its kind of push shows."},
                  "warnings": {"type": "array", "items": {"type": "string"}}
                }
              },
              "ShownActions": {
                "type": "array",
                "items": {"type": "object", "required": ["id", "title"], "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}
              },
              "Wake": {
                "type": "object",
                "required": ["topic", "sequence", "at", "state", "result", "endedAt"],
                "properties": {
                  "topic": {"type": "string"},
                  "sequence": {"type": "integer"},
                  "at": {"type": "string", "format": "date-time"},
                  "state": {"enum": ["running", "finished", "stopped"]},
                  "result": {"enum": ["newData", "noData", "failed", null]},
                  "endedAt": {"type": ["string", "null"], "format": "date-time"}
                }
              },
              "AppResponse": {
                "type": "object",
                "required": ["sequence", "topic", "action", "text", "at"],
                "properties": {
                  "sequence": {"type": "integer"},
                  "topic": {"type": "string"},
                  "action": {"type": "string", "description": "As Apple calls it, or the id of one of the category's."},
                  "text": {"type": ["string", "null"]},
                  "at": {"type": "string", "format": "date-time"}
                }
              },
              "UserAction": \#(RequestSchemas.userAction.openAPI.encodedText),
              "Clock": {
                "type": "object",
                "required": ["mode", "now"],
                "properties": {"mode": {"enum": ["real", "offset", "frozen"]}, "now": {"type": "string", "format": "date-time"}}
              },
              "ClockChange": \#(RequestSchemas.clockChange.openAPI.encodedText),
              "ClockAdvance": \#(RequestSchemas.clockAdvance.openAPI.encodedText),
              "ClockReport": {
                "type": "object",
                "required": ["mode", "now", "lastSequence", "delivered", "expired", "coalesced"],
                "properties": {
                  "mode": {"enum": ["real", "offset", "frozen"]},
                  "now": {"type": "string", "format": "date-time"},
                  "lastSequence": {"type": "integer"},
                  "delivered": {"type": "integer"},
                  "expired": {"type": "integer"},
                  "coalesced": {"type": "integer"}
                }
              }
        """#

    private static var focus: String { Form.nullable(Focus.form).openAPIText }
}
