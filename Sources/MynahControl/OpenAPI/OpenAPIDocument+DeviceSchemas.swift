extension OpenAPIDocument {
    static let deviceParameters = #"""
              "device": {"name": "id", "in": "path", "required": true, "description": "The device's id.", "schema": {"type": "string"}},
              "topic": {"name": "topic", "in": "path", "required": true, "description": "The app's topic.", "schema": {"type": "string"}},
              "sequence": {"name": "sequence", "in": "path", "required": true, "description": "The push's sequence number.", "schema": {"type": "integer", "minimum": 1}},
              "appEnvironment": {"name": "environment", "in": "query", "description": "The app's environment; without it, the device's.", "schema": {"enum": ["sandbox", "production"]}},
              "deviceFilters": {
                "name": "filters", "in": "query", "style": "form", "explode": true,
                "description": "device, scope (empty: none), topic, token, environment, platform, power, online, named.",
                "schema": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}
              }
        """#

    static let deviceSchemas = #"""
              "Scope": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
              "InboxKind": {"enum": ["alert", "background", "voip", "complication", "fileprovider", "location", "mdm", "liveactivity", "pushtotalk", "widgets", "controls"]},
              "Device": {
                "type": "object",
                "required": ["id", "scope", "name", "model", "platform", "osVersion", "environment", "locale", "online", "power", "focus", "registrations", "stored"],
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
                  "focus": {"type": ["string", "null"]},
                  "registrations": {"type": "array", "items": {"$ref": "#/components/schemas/Registration"}},
                  "stored": {"type": "integer", "description": "Pushes stored while it is offline."},
                  "deferred": {"type": "integer", "description": "Pushes that power or a budget holds back."},
                  "inbox": {"type": "object", "properties": {"count": {"type": "integer"}, "dropped": {"type": "integer"}}}
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
              "NewDevice": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "id": {"type": "string", "pattern": "^[A-Za-z0-9._:@-]{1,128}$"},
                  "count": {"type": "integer", "minimum": 1, "maximum": 1000000},
                  "scope": {"$ref": "#/components/schemas/Scope"},
                  "name": {"type": "string"},
                  "model": {"type": "string"},
                  "platform": {"enum": ["iOS", "iPadOS", "macOS", "watchOS", "tvOS", "visionOS"], "default": "iOS"},
                  "osVersion": {"type": "string"},
                  "environment": {"enum": ["sandbox", "production"], "default": "sandbox"},
                  "locale": {"type": "string", "default": "en"},
                  "online": {"type": "boolean", "default": true},
                  "power": {"enum": ["normal", "low", "asleep"], "default": "normal"},
                  "focus": {"type": ["string", "null"]},
                  "registrations": {"type": "array", "items": {"$ref": "#/components/schemas/NewRegistration"}}
                }
              },
              "DeviceChange": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "name": {"type": "string"},
                  "locale": {"type": "string"},
                  "online": {"type": "boolean"},
                  "power": {"enum": ["normal", "low", "asleep"]},
                  "focus": {"type": ["string", "null"]},
                  "osVersion": {"type": "string"}
                }
              },
              "Registration": {
                "type": "object",
                "required": ["topic", "token", "environment", "state", "since", "unregisteredAt", "appState"],
                "properties": {
                  "topic": {"type": "string"},
                  "token": {"type": ["string", "null"], "description": "null while the app has none."},
                  "environment": {"enum": ["sandbox", "production"]},
                  "state": {"enum": ["active", "unregistered", "expired", "notLaunched", "waitingForNetwork"]},
                  "since": {"type": "string", "format": "date-time"},
                  "endedAt": {"type": ["string", "null"], "description": "When the app was removed or needed another token."},
                  "unregisteredAt": {"type": ["string", "null"], "description": "When APNs notices that: the timestamp of its 410."},
                  "appState": {"enum": ["foreground", "background", "suspended", "forceQuit"]},
                  "permissions": {"type": "object"}
                }
              },
              "AppSettings": {
                "type": "object",
                "description": "What the user and the app have set up: appState, backgroundRefresh, permissions, presentInForeground, sounds, categories, strings, serviceExtension and more.",
                "properties": {
                  "appState": {"enum": ["foreground", "background", "suspended", "forceQuit"]},
                  "backgroundRefresh": {"type": "boolean"},
                  "permissions": {"type": "object"},
                  "presentInForeground": {"type": "array", "items": {"type": "string"}},
                  "sounds": {"type": "array"},
                  "categories": {"type": "array"},
                  "strings": {"type": "object"},
                  "serviceExtension": {"type": ["object", "null"]}
                }
              },
              "NewRegistration": {
                "allOf": [
                  {"$ref": "#/components/schemas/AppSettings"},
                  {
                    "type": "object",
                    "required": ["topic"],
                    "properties": {
                      "topic": {"type": "string"},
                      "environment": {"enum": ["sandbox", "production"], "description": "Without it, the device's."},
                      "token": {"type": "string", "description": "A token of your choice; without it one is issued."},
                      "launched": {"type": "boolean", "default": true, "description": "false: installed and never launched, so no token."},
                      "entitled": {"type": "boolean", "default": true, "description": "false: no push entitlement, so registering is refused with 403."},
                      "rotate": {"enum": ["reinstall", "restore", "osReinstall"]}
                    }
                  }
                ]
              },
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
                  "notifications": {"type": "array", "items": {"type": "object"}, "description": "The top of the screen first."},
                  "summary": {"type": "array", "items": {"type": "integer"}, "description": "The notifications that a scheduled summary has, by sequence, the most relevant first."},
                  "wakes": {"type": "array", "items": {"type": "object"}, "description": "What woke apps in the background, oldest first."},
                  "responses": {"type": "array", "items": {"type": "object"}, "description": "What apps were told of the user's choices, oldest first."},
                  "evicted": {"type": "integer", "description": "Notifications, wakes and responses that went for newer ones, or had left the journal before the screen was first asked for."}
                }
              },
              "UserAction": {
                "type": "object",
                "required": ["action"],
                "additionalProperties": false,
                "properties": {
                  "action": {"type": "string", "description": "default, dismiss, or the id of one of the category's actions."},
                  "text": {"type": "string", "description": "What the user types, for an action that takes a text."}
                }
              },
              "Clock": {
                "type": "object",
                "required": ["mode", "now"],
                "properties": {"mode": {"enum": ["real", "offset", "frozen"]}, "now": {"type": "string", "format": "date-time"}}
              },
              "ClockChange": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "mode": {"enum": ["real", "offset", "frozen"]},
                  "now": {"type": "string", "format": "date-time"},
                  "scope": {"$ref": "#/components/schemas/Scope"}
                }
              },
              "ClockAdvance": {
                "type": "object",
                "additionalProperties": false,
                "description": "by or to, not both.",
                "properties": {
                  "by": {"$ref": "#/components/schemas/Duration"},
                  "to": {"type": "string", "description": "A time, or next: the next thing that is due."},
                  "scope": {"$ref": "#/components/schemas/Scope"}
                }
              },
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
}
