package import APNsRules

/// A member of a push as the control API prints it (`Documents#Pushes`), described once.
///
/// The list makes the answers, the schema of the OpenAPI document with its sentences, the types of the packages, and the
/// columns of `mynah dump --sqlite` with their table in the reference.
package struct PushField: Sendable {
    package let name: String
    package let form: Form
    package let sentence: String
    /// The member's value; `nil` leaves the member out.
    package let json: @Sendable (inout DecodedPush) -> JSONValue?
    /// Whether some pushes don't have the member.
    package let isOptional: Bool

    private init(
        _ name: String, _ form: Form, _ sentence: String, json: @escaping @Sendable (inout DecodedPush) -> JSONValue
    ) {
        self.name = name
        self.form = form
        self.sentence = sentence
        self.json = json
        isOptional = false
    }

    private init(
        optional name: String, _ form: Form, _ sentence: String,
        json: @escaping @Sendable (inout DecodedPush) -> JSONValue?
    ) {
        self.name = name
        self.form = form
        self.sentence = sentence
        self.json = json
        isOptional = true
    }

    /// A member that shows what the filter of its name compares.
    private init(_ key: FilterKey, _ form: Form, _ sentence: String? = nil) {
        self.init(key.rawValue, form, sentence ?? key.sentence) { $0.value(of: key) }
    }

    /// The members of the document.
    package static let schema = Schema(
        all.map { Member($0.name, $0.form, summary: $0.sentence, isOptional: $0.isOptional) })

    /// The fields of a push in the order in which they are printed.
    package static let all: [PushField] = [
        PushField("sequence", .whole, sequence) { .whole($0.view.entry.sequence) },
        PushField("apnsId", .anyText, FilterKey.apnsId.sentence) { .string($0.view.entry.notificationID.text) },
        PushField(.kind, .choice(JournalKind.self)),
        PushField("attempt", .whole, "How many pushes have had this apns-id, if the sender gave it; otherwise 1.") {
            .whole($0.view.entry.attempt)
        },
        PushField(
            "repeats", .nullable(.whole),
            "The latest push in the journal with the same token and body, at most 30 s earlier by the server's clock. "
                + "It need not be a retry: an app may send the same text twice."
        ) { .whole($0.view.entry.repeats) },
        PushField(.uniqueId, .nullableText),
        PushField("receivedAt", .time, "When the push arrived, by the server's clock.") {
            .string($0.view.entry.receivedAt.rfc3339)
        },
        PushField(.environment, APNsEnvironment.form),
        PushField(.connection, .whole),
        PushField("stream", .whole, "The number of the HTTP/2 stream.") { .whole($0.view.entry.stream) },
        PushField(
            "credential", .nullable(.any(schema: "Credential")),
            "What the provider proved its identity with; null if nothing was valid."
        ) { $0.view.credentialJSON },
        PushField(.token, .nullableText),
        PushField(.device, .nullableText),
        PushField(.scope, .nullableText, "The device's scope; null if it belongs to none."),
        PushField(.topic, .nullableText),
        PushField(.channel, .nullableText),
        PushField("devices", .nullable(.whole), "How many devices a broadcast went to.") {
            .whole($0.view.deviceCount)
        },
        PushField(.pushType, .nullableText),
        PushField(.priority, .nullable(.whole)),
        PushField(
            "expiration", .nullable(.either(.anyText, .whole)),
            "A time; 0 if that was sent, and the seconds beyond the year 9999."
        ) {
            $0.view.expirationJSON
        },
        PushField(.collapseId, .nullableText),
        PushField("method", .nullableText, "The HTTP method, if it is not POST.") { .text($0.view.method) },
        PushField("path", .nullableText, "The path of the request, if it names no device token.") {
            .text($0.view.path)
        },
        PushField(
            "headers", .array(of: .array(of: .anyText)),
            "The request's header fields in order, each a name and a value."
        ) { push in .array(push.view.headers.map { [.string($0.name), .string($0.value)] }) },
        PushField(
            "payload", .any(),
            "The body's own bytes if it is JSON, else null; of a web push, what its browser decrypts."
        ) {
            $0.payload == nil ? .null : .raw(Array($0.view.content))
        },
        PushField(
            optional: "payloadBase64", .anyText, "The body if it is not JSON, up to the limit of its push type."
        ) { $0.payload == nil ? .string(Base64.encode($0.view.content)) : nil },
        PushField(
            optional: "webPush", .object(WebPushView.fields.showing), "What only a web push has."
        ) { $0.webPush },
        PushField(
            "payloadSize", .whole,
            "Bytes of the body. If it is too large: content-length, or without that field what had arrived."
        ) { .whole($0.view.entry.bodyByteCount) },
        PushField(
            "warnings", .array(of: .anyText), "What is unusual without being refused, a sentence each."
        ) { .texts($0.warnings) },
        PushField(.status, .nullable(.whole)),
        PushField(.reason, .nullableText),
        PushField("timestamp", .nullable(.whole), "Milliseconds since 1970, with 410.") {
            .whole($0.view.entry.timestamp?.milliseconds)
        },
        PushField(.fault, .nullableText),
        PushField(.outcome, .choice(Outcome.self)),
        PushField("shown", .bool, FilterKey.shown.sentence) { .bool($0.isShown) },
        PushField(.sounded, .bool),
        PushField(
            "timeline", .array(of: .object(Entry.TimelineEvent.fields.showing)),
            "What happened to the push, oldest first."
        ) {
            .array($0.timeline.map(\.json))
        },
    ]

    private static let sequence = """
        Orders everything that happens on the server; never decreases. Pushes to one device are numbered \
        in the order in which they were accepted for it, except for a push whose answer a fault delays: it \
        has the number of its arrival, and is accepted when the delay is over. When one of two pushes \
        replaces the other, the one with the higher number stays.
        """
}

extension DecodedPush {
    /// The value of a key in the form in which filters compare it; `null` if the push does not have it.
    mutating func value(of key: FilterKey) -> JSONValue {
        let entry = view.entry
        return switch key {
        case .token: .text(entry.token?.hex)
        case .device: .text(view.device)
        case .scope: .text(view.scope)
        case .topic: .text(view.topic)
        case .channel: .text(view.channel)
        case .team: .text(view.identity?.team)
        case .keyId: .text(view.identity?.keyID)
        case .apnsId: .string(entry.notificationID.text.lowercased())
        case .uniqueId: .text(entry.uniqueID?.text)
        case .collapseId: .text(view.collapseID)
        case .pushType: .text(pushType)
        case .priority: .whole(view.priority?.rawValue)
        case .environment: .string(entry.environment.rawValue)
        case .connection: .whole(entry.connection)
        case .status: .whole(entry.status)
        case .reason: .text(entry.reasonText)
        case .outcome: .string(entry.outcome.rawValue)
        case .shown: .bool(entry.outcome == .delivered && isShown)
        case .sounded: .bool(entry.outcome == .delivered && sound != nil)
        case .fault: .text(view.fault)
        case .kind: .string(view.kind.rawValue)
        case .has: warnings.isEmpty ? .null : .string(FilterKey.warnings)
        case .since, .until: .whole(entry.receivedAt.milliseconds)
        case .text: .string(searchText)
        }
    }
}
