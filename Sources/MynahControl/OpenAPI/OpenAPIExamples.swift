internal import APNsRules

/// The examples of bodies and answers in the OpenAPI document.
///
/// Those of bodies are written here. Those of answers are made from their schemas, with values by the names of members, so
/// that they have all members and stay right when a schema changes.
struct OpenAPIExamples {
    private let components: [String: JSONValue]

    /// - Parameter components: The schemas of the document.
    init(_ components: [JSONMember]) {
        self.components = Dictionary(uniqueKeysWithValues: components.map { ($0.name, $0.value) })
    }

    /// A body of this schema, which the server accepts.
    func body(_ component: String) -> JSONValue {
        OpenAPIExamples.bodies[component] ?? value(of: .reference(component), called: "")
    }

    /// What an operation's answer of a media type looks like.
    func answer(of operation: String, _ type: String, _ schema: JSONValue) -> JSONValue {
        let text = OpenAPIExamples.texts[operation] ?? OpenAPIExamples.texts[type]
        return text.map { .string($0) } ?? value(of: schema, called: "")
    }

    private func value(of schema: JSONValue, called name: String) -> JSONValue {
        if let value = OpenAPIExamples.members[name] { return value }
        if let component = schema["$ref"]?.string?.split(separator: "/").last.map({ String($0) }) {
            return OpenAPIExamples.whole[component] ?? value(of: components[component] ?? [:], in: component)
        }
        return value(of: schema, in: name)
    }

    /// A value of a schema that is no reference; `place` is the component's or the member's name.
    private func value(of schema: JSONValue, in place: String) -> JSONValue {
        if let choice = schema["enum"]?.array?.first { return choice }
        if let parts = (schema["anyOf"] ?? schema["oneOf"])?.array {
            return parts.contains(["type": "null"]) ? .null : parts.first.map { value(of: $0, called: "") } ?? .null
        }
        let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? ""]
        switch types.first {
        case _ where types.contains("null"): return .null
        case "object":
            let required = schema["required"]?.array ?? []
            let members = (schema["properties"]?.object ?? []).filter { required.contains(.string($0.name)) }
            return .object(
                members.map { member in
                    let own = OpenAPIExamples.members["\(place).\(member.name)"]
                    return JSONMember(member.name, own ?? value(of: member.value, called: member.name))
                })
        case "array": return .array(schema["items"].map { [value(of: $0, called: "")] } ?? [])
        case "integer", "number":
            // What has to be above its minimum may be its maximum.
            return schema["minimum"] ?? (schema["exclusiveMinimum"] == nil ? 0 : schema["maximum"] ?? 1)
        case "boolean": return false
        default: return schema["format"] == "date-time" ? OpenAPIExamples.time : ""
        }
    }

    // MARK: Values

    private static let time: JSONValue = "2030-01-01T09:30:00.000Z"
    private static let token: JSONValue = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    private static let apnsID: JSONValue = "27CFDC15-E305-27E0-E290-8FC98E115899"
    private static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let channel: JSONValue = "dHN0LXNyY2gtY2hubAAAAQ=="

    private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIC…\n-----END CERTIFICATE-----\n"

    // By the operation or the media type.
    private static let texts = [
        "text/plain": "mynah_connections 2\n", "text/html": "<!doctype html>\n", "text/css": ":root {}\n",
        "text/javascript": "export {};\n", "image/svg+xml": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n",
        "certificateAuthority": certificate,
        "text/event-stream":
            "id: 4711\nevent: reset\ndata: {\"removed\":{\"notifications\":2},\"only\":[],\"scope\":null}\n\n",
    ]

    /// Components whose form is described by a pattern.
    private static let whole: [String: JSONValue] = [
        "Duration": "5s", "Scope": "t42", "KeyID": "ABC123DEFG", "Base64": "bWluYWg=", "Sound": "chime.caf",
        "Focus": "Work", "Matcher": "com.example.app", "InboxKind": "alert",
        "OpenAPI": ["openapi": "3.1.0", "paths": [:]],
        "Removed": ["removed": ["devices": 1]], "Changed": ["changed": ["devices": 2]],
    ]

    /// By the member's name, or by `Component.name` where it means something else there.
    private static let members: [String: JSONValue] = [
        "action": "com.apple.UNNotificationDefaultActionIdentifier", "actual": "News", "alpn": "h2",
        "apnsId": apnsID, "at": time, "attachments": [], "attributesType": "GameAttributes", "attempt": 1,
        "authority": .string(certificate), "bundleId": "com.example.app",
        "ca": .string(certificate), "certificate": .string(certificate),
        "channel": .null, "cipher": "TLS_AES_256_GCM_SHA384", "collapseId": .null, "connection": 12,
        "contentState": ["score": 1], "detail": .null, "developmentLanguage": "en", "device": "kims-phone",
        "does": "answers 410 Unregistered", "expected": "Hello", "field": "/payload/aps/alert/title",
        "group": "com.example.app", "headers": [["apns-topic", "com.example.app"]], "hints": [],
        "identifier": apnsID, "key": .null, "keyId": "ABC123DEFG",
        "kind": "token", "languages": [], "lastSequence": 4711, "locale": "en-GB",
        "match": ["topic": "com.example.app"],
        "matched": 1, "model": "iPhone 17", "openapi": "/openapi.json", "osVersion": "26.1", "outcome": "delivered",
        "password": "mynah", "paths": ["/v1/devices", "/v1/notifications", "/v1/status"],
        "payload": ["aps": ["alert": "hi"]], "payloadSize": 22, "peer": "127.0.0.1:50322",
        "privateKey": "-----BEGIN PRIVATE KEY-----\nMIGT…\n-----END PRIVATE KEY-----\n",
        "publicKey": "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n", "pushType": "alert",
        "sequence": 4711, "serialNumber": "5058D16B62C3D2EC5DED4EBBD294E6E4", "sni": "localhost", "status": 200,
        "stream": 1, "subject": "UID=com.example.app,CN=Apple Push Services: com.example.app,O=Mynah",
        "team": "TEAM123456", "teamId": "TEAM123456", "tls": "TLSv1.3", "title": "News", "token": token,
        "topic": "com.example.app", "uniqueId": "4084a6e4-9ea8-6d2a-ca49-9a344a152da7", "version": "0.1.0",
        "warnings": [],
        "Arrival.kind": "alert", "Certificate.kind": "app", "CertificateTopics.kind": "app",
        "Channel.id": channel, "Connection.id": 12, "Device.activities": [], "Device.id": "kims-phone",
        "Device.name": "Kim's iPhone", "Device.user": "kim", "FailedHandshake.id": 13,
        "FailedHandshake.reason": "the client does not trust the server's certificate: it must trust ca.pem",
        "Fault.action": ["type": "respond", "status": 503, "reason": "ServiceUnavailable"], "Fault.id": "f-1",
        "IssuedCertificateTopics.kind": "app", "LiveActivity.id": "1",
        "LiveActivity.topic": "com.example.app.push-type.liveactivity",
        "MagicToken.channel": "utwP/uDd8A0KAAAAAAAAAQ==", "MagicToken.status": 410, "MagicToken.reason": "Unregistered",
        "MagicToken.token": "badc0ffee0ddf00dbadc0ffee0ddf00dbadc0ffee0ddf00d0a00000000000001",
        "Notification.kind": "push",
        "Notification.credential": ["kind": "token", "team": "TEAM123456", "keyId": "ABC123DEFG", "subject": .null],
        "NotificationTimeline.event": "received", "Probe.problem": .null, "Probe.status": "ready",
        "Registration.categories": [], "Registration.kind": "app", "Registration.applicationServerKey": .null,
        "Registration.webPush": .null, "AppResponse.navigate": .null,
        "WebPushSubscription.endpoint": "https://web.push.apple.com/QMynah",
        "WebPushSubscription.expirationTime": .null,
        "WebPushSubscriptionKeys.p256dh": .string(point), "WebPushSubscriptionKeys.auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "Registration.sounds": [], "Scenario.name": "outage", "Scenario.steps": outage,
        "Screen.activities": [], "Screen.held": [], "Screen.summary": [], "Screen.wakes": [], "Screen.responses": [],
        "Screen.sounds": [], "ScreenNotification.actions": [], "ScopeUse.name": "t42", "Fleet.id": "van",
        "Status.name": "mynah",
        "StatusPorts.apns": [2197], "StatusPorts.channels": [2195, 2196], "StatusPorts.webPush": 2198,
    ]

    private static let outage: JSONValue = [
        ["add": [["id": "outage", "action": ["type": "respond", "status": 503, "reason": "ServiceUnavailable"]]]],
        ["after": "30s", "remove": ["outage"]],
    ]

    private static let fault: JSONValue = [
        "name": "fails twice", "match": ["topic": "com.example.app"], "times": 2,
        "action": ["type": "respond", "status": 503, "reason": "ServiceUnavailable"],
    ]

    private static let bodies: [String: JSONValue] = [
        "AppSettings": ["appState": "foreground", "permissions": ["badge": false]],
        "CertificateOrder": ["topics": ["com.example.app"], "voip": true],
        "ClockAdvance": ["by": "1h"], "ClockChange": ["mode": "frozen", "now": time],
        "RecordedPlaceChange": ["sequence": 41],
        "DeviceChange": ["online": false],
        "Expectation": [
            "match": ["topic": "com.example.app", "payload": ["/aps/alert": ["prefix": "hi"]]], "count": ["exactly": 1],
            "within": "5s",
        ],
        "FaultChange": ["enabled": false],
        "LiveActivityChange": ["contentState": ["score": 2]],
        "ChannelSpecification": ["bundleId": "com.example.app", "messageStoragePolicy": 1],
        "DeviceSpecification": [
            "id": "kims-phone", "name": "Kim's iPhone", "registrations": [["topic": "com.example.app"]],
        ],
        "FaultSpecification": fault, "FaultSpecifications": fault,
        "KeySpecification": ["keyId": "ABC123DEFG", "team": "TEAM123456"],
        "LiveActivitySpecification": [
            "topic": "com.example.app.push-type.liveactivity", "attributesType": "GameAttributes",
            "attributes": ["home": "A"], "contentState": ["score": 0],
        ],
        "NotificationSpecification": ["token": token, "topic": "com.example.app", "payload": ["aps": ["alert": "hi"]]],
        "RegistrationSpecification": ["topic": "com.example.app"],
        "ScenarioSpecification": ["name": "outage", "steps": outage],
        "SubscriptionSpecification": ["channel": channel],
        "Reset": ["only": ["notifications", "faults"], "scope": "t42"],
        "ScreenChange": ["badges": ["com.example.app": 0]],
        "UserAction": ["action": "default"],
    ]
}
