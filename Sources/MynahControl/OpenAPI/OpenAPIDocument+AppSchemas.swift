internal import APNsRules
internal import MynahCore

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
              "Permissions": \#(schema("permissions")),
              "Sound": \#(schema("sounds", element: true)),
              "Category": \#(schema("categories", element: true)),
              "ServiceExtension": \#(schema("serviceExtension")),
              "BackgroundFetch": \#(schema("backgroundFetch")),
              "AppSettings": \#(AppPatch.schema.openAPI.encodedText),
              "NewRegistration": \#(RegistrationSpecification.schema.openAPI.encodedText)
        """#

    /// The schema of an app's member, or of its elements.
    private static func schema(_ name: String, element: Bool = false) -> String {
        guard let form = AppPatch.schema.members.first(where: { $0.name == name })?.form else { return "{}" }
        if element, case .array(let form, _) = form { return form.openAPIText }
        return form.openAPIText
    }
}
