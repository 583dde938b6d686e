internal import APNsRules
internal import MynahCore

/// The examples of answers in the OpenAPI document.
///
/// They are made from the schemas, with values by the names of members, so that they have all members and stay right when a
/// schema changes.
struct OpenAPIExamples {
    private let components: [String: JSONValue]

    /// - Parameter components: The schemas of the document.
    init(_ components: [JSONMember]) {
        self.components = Dictionary(uniqueKeysWithValues: components.map { ($0.name, $0.value) })
    }

    /// What an operation's answer of a media type looks like.
    func exampleAnswer(of operation: String, _ type: String, _ schema: JSONValue) -> JSONValue {
        let text = OpenAPIExamples.texts[operation] ?? OpenAPIExamples.texts[type]
        return text.map { .string($0) } ?? value(of: schema, called: "")
    }

    private func value(of schema: JSONValue, called name: String) -> JSONValue {
        if let value = OpenAPIExamples.members[name] { return value }
        if let component = schema["$ref"]?.string?.split(separator: "/").last.map({ String($0) }) {
            return OpenAPIExamples.members[component] ?? value(of: components[component] ?? [:], in: component)
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
    private static let apnsID: JSONValue = .string(FilterKey.apnsId.example)
    private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIC…\n-----END CERTIFICATE-----\n"

    // By the operation or the media type.
    private static let texts = [
        "text/plain": "mynah_connections 2\n", "text/html": "<!doctype html>\n", "text/css": ":root {}\n",
        "text/javascript": "export {};\n", "image/svg+xml": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n",
        "certificateAuthority": certificate,
        "text/event-stream":
            "id: 4711\nevent: reset\ndata: {\"removed\":{\"notifications\":2},\"only\":[],\"scope\":null}\n\n",
    ]

    /// By the member's or the component's name, or by `Component.name` where a member means something else there.
    private static let members: [String: JSONValue] = [
        "actual": "News", "alpn": "h2", "apnsId": apnsID, "attachments": [], "attributesType": "GameAttributes",
        "attempt": 1, "authority": .string(certificate), "bundleId": "com.example.app", "ca": .string(certificate),
        "certificate": .string(certificate), "cipher": "TLS_AES_256_GCM_SHA384", "connection": 12,
        "contentState": ["score": 1], "detail": .null, "developmentLanguage": "en", "device": "kims-phone",
        "does": "answers 410 Unregistered", "expected": "Hello", "field": "/payload/aps/alert/title",
        "group": "com.example.app", "headers": [["apns-topic", "com.example.app"]], "hints": [], "identifier": apnsID,
        "keyId": "ABC123DEFG", "languages": [], "lastSequence": 4711, "locale": "en-GB",
        "match": ["topic": "com.example.app"], "matched": 1, "model": "iPhone 17", "openapi": "/openapi.json",
        "osVersion": "26.1", "outcome": "delivered", "password": "mynah",
        "paths": ["/v1/devices", "/v1/notifications", "/v1/status"], "payload": ["aps": ["alert": "hi"]],
        "payloadSize": 22, "peer": "127.0.0.1:50322",
        "privateKey": "-----BEGIN PRIVATE KEY-----\nMIGT…\n-----END PRIVATE KEY-----\n",
        "publicKey": "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n", "pushType": "alert",
        "sequence": 4711, "serialNumber": "5058D16B62C3D2EC5DED4EBBD294E6E4", "sni": "localhost", "status": 200,
        "stream": 1, "subject": "UID=com.example.app,CN=Apple Push Services: com.example.app,O=Mynah",
        "team": "TEAM123456", "teamId": "TEAM123456", "tls": "TLSv1.3", "title": "News",
        "token": .string(FilterKey.token.example), "topic": "com.example.app",
        "uniqueId": "4084a6e4-9ea8-6d2a-ca49-9a344a152da7", "version": "0.1.0", "warnings": [],
        "Arrival.kind": "alert", "Arrival.payloadBase64": .null, "CertificateTopics.kind": "app",
        "Channel.id": SubscriptionSpecification.document.example["channel"] ?? "", "Connection.id": 12,
        "Device.activities": [], "Device.id": "kims-phone", "Device.name": "Kim's iPhone", "Device.user": "kim",
        "FailedHandshake.id": 13,
        "FailedHandshake.reason": "the client does not trust the server's certificate: it must trust ca.pem",
        "Fault.action": FaultActionType.document.example, "Fault.id": "f-1",
        "FaultWords.does": ["answers 410 Unregistered"], "LiveActivity.id": "1",
        "LiveActivity.topic": "com.example.app.push-type.liveactivity",
        "MagicToken.channel": "utwP/uDd8A0KAAAAAAAAAQ==", "MagicToken.status": 410,
        "MagicToken.reason": "Unregistered",
        "MagicToken.token": "badc0ffee0ddf00dbadc0ffee0ddf00dbadc0ffee0ddf00d0a00000000000001",
        "Notification.credential": ["kind": "token", "team": "TEAM123456", "keyId": "ABC123DEFG", "subject": .null],
        "Notification.priority": 10, "Notification.shown": true,
        "Notification.timeline": .array(
            ["received", "delivered", "shown"].map { ["at": time, "event": $0, "detail": .null] }),
        "Probe.status": "ready", "Registration.categories": [],
        "Registration.sounds": [], "Scenario.name": "outage",
        "Scenario.steps": Scenario.document.example["steps"] ?? [], "Screen.activities": [], "Screen.held": [],
        "Screen.summary": [], "Screen.wakes": [], "Screen.responses": [], "Screen.sounds": [],
        "ScreenNotification.actions": [], "ScopeUse.name": "t42", "Fleet.id": "van", "StatusPorts.apns": [2197],
        "StatusPorts.channels": [2195, 2196], "StatusPorts.webPush": 2198,
        "OpenAPI": ["openapi": "3.1.0", "paths": [:]], "Removed": ["removed": ["devices": 1]],
        "Changed": ["changed": ["devices": 2]],
    ]
}
