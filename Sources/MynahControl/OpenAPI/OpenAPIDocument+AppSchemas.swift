extension OpenAPIDocument {
    /// An app of a device: what it is asked to be, and what it is.
    static let appSchemas = #"""
              "Registration": {
                "type": "object",
                "required": ["topic", "token", "environment", "state", "since", "endedAt", "unregisteredAt", "backgroundRefresh", "appState", "permissions", "presentInForeground", "appName", "sounds", "categories", "strings", "developmentLanguage", "serviceExtension", "focusFilter", "reportsCalls", "backgroundFetch"],
                "properties": {
                  "topic": {"type": "string"},
                  "token": {"type": ["string", "null"], "description": "null while the app has none."},
                  "environment": {"enum": ["sandbox", "production"]},
                  "state": {"enum": ["active", "unregistered", "expired", "notLaunched", "waitingForNetwork"]},
                  "since": {"type": "string", "format": "date-time"},
                  "endedAt": {"type": ["string", "null"], "format": "date-time", "description": "When the app was removed or needed another token."},
                  "unregisteredAt": {"type": ["string", "null"], "format": "date-time", "description": "When APNs notices that: the timestamp of its 410."},
                  "backgroundRefresh": {"type": "boolean"},
                  "appState": {"$ref": "#/components/schemas/AppState"},
                  "permissions": {"$ref": "#/components/schemas/Permissions", "required": ["authorization", "alert", "badge", "sound", "critical", "timeSensitive", "location"]},
                  "presentInForeground": {"type": "array", "items": {"$ref": "#/components/schemas/ForegroundOption"}},
                  "appName": {"type": ["string", "null"]},
                  "sounds": {"type": "array", "items": {"$ref": "#/components/schemas/Sound"}},
                  "categories": {"type": "array", "items": {"$ref": "#/components/schemas/Category"}},
                  "strings": {"type": "object", "additionalProperties": {"type": "string"}},
                  "developmentLanguage": {"type": "string"},
                  "serviceExtension": {"oneOf": [{"$ref": "#/components/schemas/ServiceExtension"}, {"type": "null"}]},
                  "focusFilter": {"type": ["object", "null"], "additionalProperties": {"type": "array", "items": {"type": "string"}}},
                  "reportsCalls": {"type": "boolean"},
                  "backgroundFetch": {"$ref": "#/components/schemas/BackgroundFetch"}
                }
              },
              "AppState": {"enum": ["foreground", "background", "suspended", "forceQuit"]},
              "ForegroundOption": {"enum": ["banner", "list", "sound", "badge"]},
              "Permissions": {
                "type": "object",
                "properties": {
                  "authorization": {"enum": ["authorized", "denied", "notDetermined", "provisional", null], "default": "authorized"},
                  "alert": {"type": ["boolean", "null"], "default": true},
                  "badge": {"type": ["boolean", "null"], "default": true},
                  "sound": {"type": ["boolean", "null"], "default": true},
                  "critical": {"type": ["boolean", "null"], "default": false},
                  "timeSensitive": {"type": ["boolean", "null"], "default": true},
                  "location": {"type": ["boolean", "null"], "default": true}
                }
              },
              "Sound": {
                "description": "A file's name, or name and duration; what lasts longer than 30 s is not played.",
                "oneOf": [
                  {"type": "string", "minLength": 1},
                  {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}, "duration": {"$ref": "#/components/schemas/NullableDuration"}}}
                ]
              },
              "Category": {
                "type": "object",
                "required": ["id"],
                "properties": {
                  "id": {"type": "string", "minLength": 1, "description": "What a payload's category names."},
                  "actions": {
                    "type": ["array", "null"],
                    "items": {
                      "type": "object",
                      "required": ["id"],
                      "properties": {
                        "id": {"type": "string", "minLength": 1},
                        "title": {"type": ["string", "null"]},
                        "destructive": {"type": ["boolean", "null"], "default": false},
                        "foreground": {"type": ["boolean", "null"], "default": false},
                        "textInput": {"type": ["boolean", "null"], "default": false}
                      }
                    }
                  },
                  "customDismiss": {"type": ["boolean", "null"], "default": false, "description": "Whether the app is told when the user dismisses such a notification."}
                }
              },
              "ServiceExtension": {
                "type": "object",
                "description": "What the app's notification service extension makes of a payload with mutable-content.",
                "properties": {
                  "rewrite": {"type": ["object", "null"], "description": "A merge patch (RFC 7396) of the payload."},
                  "takes": {"$ref": "#/components/schemas/NullableDuration"},
                  "attachments": {"type": ["array", "null"], "maxItems": 32, "items": {"type": "string"}, "description": "Addresses, or JSON pointers to them in the payload."}
                }
              },
              "BackgroundFetch": {
                "type": "object",
                "description": "What the app does when a background push wakes it.",
                "properties": {
                  "result": {"enum": ["newData", "noData", "failed", null], "default": "newData"},
                  "takes": {"$ref": "#/components/schemas/NullableDuration"}
                }
              },
              "AppSettings": {
                "type": "object",
                "description": "What the user and the app have set up. Of permissions each member changes alone, all else is replaced; null is the default.",
                "properties": {
                  "backgroundRefresh": {"type": ["boolean", "null"], "default": true},
                  "appState": {"oneOf": [{"$ref": "#/components/schemas/AppState"}, {"type": "null"}]},
                  "permissions": {"oneOf": [{"$ref": "#/components/schemas/Permissions", "unevaluatedProperties": false}, {"type": "null"}]},
                  "presentInForeground": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/ForegroundOption"}},
                  "appName": {"type": ["string", "null"]},
                  "sounds": {"type": ["array", "null"], "maxItems": 1000, "items": {"$ref": "#/components/schemas/Sound"}},
                  "categories": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Category"}},
                  "strings": {"type": ["object", "null"], "additionalProperties": {"type": ["string", "object"]}, "description": "For each language the text of a strings file, or an object of strings."},
                  "developmentLanguage": {"type": ["string", "null"], "default": "en"},
                  "serviceExtension": {"oneOf": [{"$ref": "#/components/schemas/ServiceExtension"}, {"type": "null"}]},
                  "focusFilter": {"type": ["object", "null"], "additionalProperties": {"type": "array", "items": {"type": "string"}}, "description": "For each Focus the filter criteria whose notifications pass."},
                  "reportsCalls": {"type": ["boolean", "null"], "default": true, "description": "Whether the app reports a call for each VoIP push."},
                  "backgroundFetch": {"oneOf": [{"$ref": "#/components/schemas/BackgroundFetch"}, {"type": "null"}]}
                }
              },
              "NewRegistration": {
                "allOf": [
                  {"$ref": "#/components/schemas/AppSettings"},
                  {
                    "type": "object",
                    "required": ["topic"],
                    "properties": {
                      "topic": {"type": "string", "pattern": "^[A-Za-z0-9.-]{1,255}$"},
                      "environment": {"enum": ["sandbox", "production", null], "description": "Without it, the device's."},
                      "token": {"type": ["string", "null"], "pattern": "^([0-9A-Fa-f]{2})+$", "description": "A token of your choice; without it one is issued."},
                      "launched": {"type": ["boolean", "null"], "default": true, "description": "false: installed and never launched, so no token."},
                      "entitled": {"type": ["boolean", "null"], "default": true, "description": "false: no push entitlement, so registering is refused with 403."},
                      "rotate": {"enum": ["reinstall", "restore", "osReinstall", null]},
                      "state": {"enum": ["active", "unregistered", "expired", "notLaunched", "waitingForNetwork", null], "description": "With the next three as answered, so that an export makes the app again: dead where it was."},
                      "since": {"type": ["string", "null"], "format": "date-time"},
                      "endedAt": {"type": ["string", "null"], "format": "date-time"},
                      "unregisteredAt": {"type": ["string", "null"], "format": "date-time"}
                    }
                  }
                ],
                "unevaluatedProperties": false
              }
        """#
}
