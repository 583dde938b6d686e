internal import APNsRules
internal import Mynah
internal import MynahCore

/// The documents of the API, by the names under which the operations refer to them.
extension OpenAPIDocument {
    static var schemas: JSONValue {
        let answers = [pushes, devices, apps, screen, clock, trust, connections, server].joined()
        return .object(
            (values.object ?? []) + (filters.object ?? []) + (faults.object ?? [])
                + forms.map { JSONMember($0, $1.openAPI(isAnswer: true)) }
                + requests.map { JSONMember($0, $1.openAPI) } + namedForms(of: AppPatch.schema)
                + answers.map { JSONMember($0, answer($1, optional: optionalMembers[$0] ?? [])) } + pages
                + ["Registration", "Key", "Certificate", "ScopeUse"].map { item in
                    JSONMember("\(item)List", answer([Member("items", .list(item))]))
                })
    }

    /// An object that is answered with all members of a schema except the optional ones.
    private static func answer(_ schema: Schema, optional: [String] = []) -> JSONValue {
        .object(required: schema.names.filter { !optional.contains($0) }, properties: schema.answerProperties)
    }

    private static func namedForms(of schema: Schema) -> [JSONMember] {
        schema.members.compactMap { member in
            switch member.form {
            case .named(let name, let form), .array(of: .named(let name, let form), _): JSONMember(name, form.openAPI())
            default: nil
            }
        }
    }

    /// The members that some answers don't have.
    private static let optionalMembers = ["Notification": ["payloadBase64"], "AddedKey": ["privateKey"]]
    private static let environment = Member("environment", .choice(APNsEnvironment.self))
    private static let evictedPushes = "How many pushes were evicted since the start or a reset."

    // MARK: Pages

    private static let pages: [JSONMember] = [
        page(of: "Notification", evicted: evictedPushes),
        page(of: "Device", isComplete: true, last: "Of the journal."),
        page(
            of: "Arrival", named: "InboxPage",
            evicted: "Arrivals that went from the inbox or whose push went from the journal.",
            last: "The push that arrived last; ask with after."),
        page(of: "Connection"), page(of: "FailedHandshake"), page(of: "Fault"), page(of: "MagicToken"),
        page(of: "Scenario"),
    ]

    /// A page of a list; what is evicted and which number is last depends on the list.
    ///
    /// - Parameter isComplete: Whether the call never waits, and nothing is ever evicted.
    private static func page(
        of item: String, named name: String? = nil, isComplete: Bool = false, evicted: String = "", last: String = ""
    ) -> JSONMember {
        JSONMember(
            name ?? "\(item)Page",
            answer([
                Member("items", .list(item)), Member("nextCursor", .nullableText, "null on the last page."),
                Member("matched", .whole, "On all pages."),
                Member("timedOut", isComplete ? .any(schema: "False") : .bool),
                Member("evicted", isComplete ? .any(schema: "Zero") : .whole, evicted),
                Member("lastSequence", .whole, last),
            ]))
    }

    // MARK: Values and requests

    private static let durationPattern = "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"

    private static let values: JSONValue = [
        "Duration": [
            "type": "string", "minLength": 1, "pattern": .string(durationPattern),
            "examples": ["250ms", "5s", "1h30m"],
        ],
        "NullableDuration": ["type": ["string", "null"], "minLength": 1, "pattern": .string(durationPattern)],
        "KeyID": ["type": "string", "pattern": "^[0-9A-Za-z]{10}$"],
        "KeyTopics": [
            "type": "array", "minItems": 1, "maxItems": 400,
            "items": ["type": "string", "minLength": 1, "maxLength": 255],
        ],
        "Base64": ["type": "string", "contentEncoding": "base64"], "False": ["const": false], "Zero": ["const": 0],
        "Focus": Form.nullable(Focus.form).openAPI(), "FaultDelay": FaultDelay.form.openAPI(),
    ]

    private static let forms: KeyValuePairs<String, Form> = [
        "Scope": ScopeName.form, "InboxKind": .choice(PushType.self), "EventChange": .choice(Event.Change.self),
        "Credential": .nullable(
            .object([
                Member("kind", .choice(["token", "certificate"]), "All that is known of a rejected token."),
                Member("team", .nullableText), Member("keyId", .nullableText), Member("subject", .nullableText),
            ])),
        "AddedDevices": .either(.any(schema: "Device"), .any(schema: "DevicePage")),
        "ActionReport": .nullable(.any(schema: "AppResponse")),
        "NewFaults": .either(.any(schema: "NewFault"), .list("NewFault")),
        "AddedFaults": .either(.any(schema: "Fault"), .any(schema: "FaultPage")), "OpenAPI": .map(of: .any()),
    ]

    private static let requests: KeyValuePairs<String, Schema> = [
        "NewDevice": DeviceSpecification.schema, "DeviceChange": DevicePatch.schema, "AppSettings": AppPatch.schema,
        "NewRegistration": RegistrationSpecification.schema, "UserAction": RequestSchemas.userAction,
        "ClockChange": RequestSchemas.clockChange, "ClockAdvance": RequestSchemas.clockAdvance,
        "NewKey": KeyReading.schema, "CertificateOrder": CertificateOrder.schema, "FaultAction": faultAction,
        "NewFault": FaultDraft.schema, "NewScenario": newScenario, "Reset": RequestSchemas.reset,
    ]

    // MARK: Pushes

    private static let pushes: KeyValuePairs<String, Schema> = [
        "Notification": [
            Member(
                "sequence", .whole,
                """
                Orders everything that happens on the server; never decreases. Pushes to one device are numbered \
                in the order in which they were accepted for it, except for a push whose answer a fault delays: it \
                has the number of its arrival, and is accepted when the delay is over. When one of two pushes \
                replaces the other, the one with the higher number stays.
                """),
            Member("apnsId", .anyText),
            Member("attempt", .whole, "How many pushes have had this apns-id, if the sender gave it; otherwise 1."),
            Member(
                "repeats", .nullable(.whole),
                "The latest push in the journal with the same token and body, at most 30 s earlier by the server's "
                    + "clock. It need not be a retry: an app may send the same text twice."),
            Member("uniqueId", .nullableText), Member("receivedAt", .time), environment, Member("connection", .whole),
            Member("stream", .whole), Member("credential", .any(schema: "Credential")), Member("token", .nullableText),
            Member("device", .nullableText), Member("scope", .nullableText), Member("topic", .nullableText),
            Member("pushType", .nullableText), Member("priority", .nullable(.whole)),
            Member("expiration", .nullable(.either(.anyText, .whole)), "A time, or 0 if that was sent."),
            Member("collapseId", .nullableText), Member("method", .nullableText), Member("path", .nullableText),
            Member("headers", .array(of: .array(of: .anyText))),
            Member("payload", .any(), "The body's own bytes if it is JSON, else null."),
            Member("payloadBase64", .anyText, "The body if it is not JSON, up to the limit of its push type."),
            Member(
                "payloadSize", .whole,
                "Bytes of the body. If it is too large: content-length, or without that field what had arrived."),
            Member("warnings", .array(of: .anyText)), Member("status", .nullable(.whole)),
            Member("reason", .nullableText),
            Member("timestamp", .nullable(.whole), "Milliseconds since 1970, with 410."),
            Member("fault", .nullableText), Member("outcome", .choice(Outcome.self)), Member("shown", .nullable(.bool)),
            Member(
                "timeline",
                .array(
                    of: .object([Member("at", .time), Member("event", .anyText), Member("detail", .nullableText)]))),
        ],
        "ExpectationResult": [
            Member("met", .bool), Member("matched", .whole, "How many match; items has the first 100 of them."),
            Member("items", .array(of: .any(schema: "Notification"), 0...Expectation.itemsMax)),
            Member(
                "failedAt", .nullable(.whole),
                "The index from 0 of the first filter of inOrder that no push matches."
            ),
            Member(
                "nearest", .array(of: .object(nearMiss), 0...3),
                "The pushes with the fewest differences, newest first among equals; none of other scopes."),
            Member(
                "hints", .array(of: .anyText),
                """
                The usual causes, if found: matched before after, evicted, token of another scope, refused with a \
                reason, still pending, stored because its device is offline, delivered but not shown, too many.
                """),
            Member("evicted", .whole, evictedPushes), Member("lastSequence", .whole),
        ],
    ]

    // MARK: Filters and expectations

    private static let filters: JSONValue = [
        "Match": match(
            """
            Filter keys; each takes a value (equal), an array (any of), or an object with one of prefix, contains, \
            regex, not, exists, gte, lte. payload is keyed by JSON pointer, payloadIncludes is a JSON subset, headers \
            is keyed by lower-case name, screen is keyed by JSON pointer into what the user saw of the push. In an \
            expectation also q, a line of the query language.
            """,
            [
                JSONMember(
                    "screen",
                    [
                        "type": "object", "additionalProperties": .reference("Matcher"),
                        "description": """
                        Keyed by JSON pointer into the notification as GET /v1/devices/{id}/screen shows it (title, \
                        subtitle, body, sound, threadId, category, actions, interruptionLevel, relevanceScore, \
                        collapseId, mutableContent, shownAt, group, banner, attachments, details), and badge, the \
                        number that the push put on the app's icon: 0 if it removed the number, null if it left it \
                        alone. This does not change when the user dismisses the notification or a newer push replaces \
                        it. A push that is not shown has badge, sound and reason; a push that has not arrived, or is \
                        not for the user, has nothing.
                        """,
                        "examples": [["/title": "Hello", "/badge": 3, "/sound/name": ["exists": true]]],
                    ]),
                JSONMember(
                    "q",
                    [
                        "type": "string", "description": "In an expectation: all of this must hold as well.",
                        "examples": ["-status:200 \"hi there\" payload:/aps/category:NEWS"],
                    ]),
            ]),
        "FaultMatch": match(
            "As Match, with what is known of a request before it is answered; event says when the rule is asked.",
            Schema([Member("event", .choice(FaultEvent.self), "Without it, where the action belongs.")])
                .requestProperties()),
        "Matcher": [
            "description": "A value is equal, an array is any of, an object is one operator.",
            "anyOf": [
                ["type": ["string", "number", "boolean", "null"]],
                ["type": "array", "minItems": 1, "items": .reference("Matcher")],
                [
                    "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                    "properties": operators,
                ],
            ],
        ],
        "Expectation": .object(
            required: [],
            properties: Expectation.schema.requestProperties(withoutNull: ["match", "inOrder", "count"]),
            isClosed: true),
    ]

    private static func match(_ description: String, _ further: [JSONMember]) -> JSONValue {
        let matchers: JSONValue = ["type": "object", "additionalProperties": .reference("Matcher")]
        let common = [
            JSONMember("payload", matchers), JSONMember("payloadIncludes", ["type": ["object", "array"]]),
            JSONMember("headers", matchers),
        ]
        return [
            "type": "object", "description": .string(description), "properties": .object(common + further),
            "additionalProperties": .reference("Matcher"),
        ]
    }

    private static let operators: JSONValue = [
        "prefix": ["type": "string"], "contains": ["type": "string"],
        "regex": [
            "type": "string", "maxLength": 1000,
            "description": #"""
            Matches a string that contains a part which it describes, in one pass over the string. Supported: \#
            literal characters, . [a-f0-9] [^/] \d \w \s \D \W \S \b \B ^ $ (…) (?:…) a|b a* a+ a? a{2} a{2,} \#
            a{,3} a{2,3} and their lazy forms, a backslash before punctuation, \n \r \t \f \e \x41 \u00e9 \#
            \u{1F600}, and (?i) at the front. Refused with the position: back-references, look-around, possessive \#
            quantifiers, atomic and named groups, recursion, other options, Unicode properties, POSIX classes, \#
            and patterns whose automaton would be too large. A character is a Unicode scalar; ^ and $ are the \#
            ends of the whole string.
            """#,
            "examples": [#"^com\.example\."#],
        ],
        "not": .reference("Matcher"), "exists": ["type": "boolean"], "gte": ["type": ["number", "string"]],
        "lte": ["type": ["number", "string"]],
    ]

    private static let nearMiss: Schema = [
        Member("sequence", .whole),
        Member(
            "differences",
            .array(
                of: .object([
                    Member(
                        "field", .anyText,
                        "A JSON pointer into the push; below /screen into what was shown of it, below /headers a name."),
                    Member("expected", .any(schema: "Matcher")), Member("actual", .any()),
                ])), "Every field that differs from what was expected."),
        Member("push", .any(schema: "Notification")),
    ]

    // MARK: Devices

    private static let devices: KeyValuePairs<String, Schema> = [
        "Device": [
            Member("id", .anyText), Member("scope", .nullableText), Member("name", .anyText), Member("model", .anyText),
            Member("platform", .choice(Platform.self)), Member("osVersion", .anyText), environment,
            Member("locale", .anyText), Member("online", .bool), Member("power", .choice(Power.self)),
            Member("focus", .any(schema: "Focus")), Member("registrations", .list("Registration")),
            Member("stored", .whole, "Pushes stored while it is offline."),
            Member("deferred", .whole, "Pushes that power or a budget holds back."),
            Member("inbox", .object([Member("count", .whole), Member("dropped", .whole)])),
        ],
        "Arrival": [
            Member("sequence", .whole), Member("apnsId", .nullableText), Member("topic", .nullableText),
            Member("pushType", .nullableText), Member("kind", .nullable(.any(schema: "InboxKind"))),
            Member("payload", .any(), "The body's own bytes; null when it is no JSON or gone from the journal."),
            Member("deliveredAt", .time),
            Member("evicted", .bool, "Whether the push is gone from the journal; what it said is null then."),
        ],
    ]

    // MARK: Apps

    private static let apps: KeyValuePairs<String, Schema> = [
        "Registration": [
            Member("topic", .anyText), Member("token", .nullableText, "null while the app has none."), environment,
            Member("state", .choice(RegistrationState.self)), Member("since", .time),
            Member("endedAt", .nullable(.time), "When the app was removed or needed another token."),
            Member("unregisteredAt", .nullable(.time), "When APNs notices that: the timestamp of its 410."),
            Member("backgroundRefresh", .bool), Member("appState", .any(schema: "AppState")),
            Member("permissions", .object(NotificationPermissions.schema)),
            Member("presentInForeground", .list("ForegroundOption")), Member("appName", .nullableText),
            Member("sounds", .list("Sound")), Member("categories", .list("Category")),
            Member("strings", .map(of: .anyText)), Member("developmentLanguage", .anyText),
            Member("serviceExtension", .nullable(.any(schema: "ServiceExtension"))),
            Member("focusFilter", .nullable(.map(of: .array(of: .anyText)))), Member("reportsCalls", .bool),
            Member("backgroundFetch", .any(schema: "BackgroundFetch")),
        ]
    ]

    // MARK: What the user sees

    private static let screen: KeyValuePairs<String, Schema> = [
        "Screen": [
            Member("at", .time), Member("badges", .map(of: .whole)),
            Member("notifications", .list("ScreenNotification"), "The top of the screen first."),
            Member(
                "summary", .array(of: .whole),
                "The notifications that a scheduled summary has, by sequence, the most relevant first."),
            Member("wakes", .list("Wake"), "What woke apps in the background, oldest first."),
            Member("responses", .list("AppResponse"), "What apps were told of the user's choices, oldest first."),
            Member(
                "evicted", .whole,
                "Notifications, wakes and responses replaced by newer ones, or evicted before the first look."),
        ],
        "ScreenNotification": [
            Member("sequence", .whole), Member("apnsId", .anyText), Member("topic", .anyText),
            Member("title", .nullableText), Member("subtitle", .nullableText), Member("body", .nullableText),
            Member(
                "sound",
                .nullable(
                    .object([
                        Member("name", .anyText), Member("critical", .bool), Member("volume", .nullable(.number)),
                    ]))), Member("threadId", .nullableText), Member("category", .nullableText),
            Member("actions", .list("ShownAction")), Member("interruptionLevel", .choice(InterruptionLevel.self)),
            Member("relevanceScore", .nullable(.number)), Member("collapseId", .nullableText),
            Member("mutableContent", .choice(["none", "modified", "timedOut"])), Member("shownAt", .time),
            Member("updatedAt", .nullable(.time)), Member("group", .anyText, "The thread, or the app."),
            Member("banner", .nullable(.object([Member("actions", .list("ShownAction"))]))),
            Member("attachments", .array(of: .anyText)),
            Member("details", .map(of: .any()), "What else its kind of push shows."),
            Member("warnings", .array(of: .anyText)),
        ],
        "ShownAction": [Member("id", .anyText), Member("title", .anyText)],
        "Wake": [
            Member("topic", .anyText), Member("sequence", .whole), Member("at", .time),
            Member("state", .choice(["running", "finished", "stopped"])),
            Member("result", .nullable(.choice(WakeResult.self))), Member("endedAt", .nullable(.time)),
        ],
        "AppResponse": [
            Member("sequence", .whole), Member("topic", .anyText),
            Member("action", .anyText, "As Apple calls it, or the id of one of the category's."),
            Member("text", .nullableText), Member("at", .time),
        ],
    ]

    // MARK: Clock

    private static let clockMembers: Schema = [Member("mode", .choice(ClockState.Mode.self)), Member("now", .time)]

    private static let clock: KeyValuePairs<String, Schema> = [
        "Clock": clockMembers,
        "ClockReport": clockMembers + [
            Member("lastSequence", .whole), Member("delivered", .whole), Member("expired", .whole),
            Member("coalesced", .whole),
        ],
        "ClockEvent": clockMembers + [
            Member("scope", .nullableText, "The scope of the clock; null for the server's clock.")
        ],
    ]

    // MARK: Keys and certificates

    private static let environments = Form.choice(EnvironmentScope.self)

    private static let key: Schema = [
        Member("keyId", .anyText), Member("team", .anyText), Member("publicKey", .anyText, "PEM."),
        Member("environment", environments), Member("topics", .nullable(.array(of: .anyText))),
        Member("related", .nullableText), Member("revokedAt", .nullable(.time)),
        Member("hasPrivateKey", .bool, "Whether the server has the private key, which it never returns again."),
    ]

    private static let certificate: Schema = [
        Member("serialNumber", .anyText, "Capital hexadecimal digits."), Member("subject", .anyText, "RFC 4514."),
        Member(
            "topics",
            .array(
                of: .object([
                    Member("topic", .anyText), Member("kind", .anyText, "Such as app, voip and complication."),
                ]))), Member("environment", environments), Member("notBefore", .time), Member("notAfter", .time),
        Member("issuedAt", .time), Member("revokedAt", .nullable(.time)), Member("certificate", .anyText, "PEM."),
    ]

    private static let trust: KeyValuePairs<String, Schema> = [
        "Key": key,
        "AddedKey": key + [
            Member("privateKey", .anyText, "PKCS #8 in PEM, if the server generated the key; returned only here.")
        ],
        "Certificate": certificate,
        "IssuedCertificate": certificate + [
            Member("authority", .anyText, "The CA's certificate, PEM."),
            Member("privateKey", .anyText, "PKCS #8 in PEM; returned only here."),
            Member("pkcs12", .any(schema: "Base64"), "Certificate, key and CA."), Member("password", .anyText),
        ],
        "Credentials": [
            Member("ca", .anyText, "PEM."), Member("keyId", .nullableText), Member("teamId", .nullableText),
            Member("key", .nullableText, "PKCS #8 in PEM; null if the keys are the user's own."),
        ],
    ]

    // MARK: Connections

    private static let connections: KeyValuePairs<String, Schema> = [
        "Connection": [
            Member("id", .whole, "The number in a push's connection."), Member("peer", .anyText),
            Member("openedAt", .time, "By the server's clock."),
            Member("tls", .nullable(.choice(["TLSv1.2", "TLSv1.3"]))), Member("cipher", .nullableText),
            Member("sni", .nullableText), Member("alpn", .nullableText), environment,
            Member("credential", .any(schema: "Credential"), "The last valid credential; null before the first."),
            Member("streams", .object([Member("open", .whole), Member("limit", .whole), Member("total", .whole)])),
            Member("pushes", .whole, "Answered requests, including refused ones."), Member("pings", .whole),
            Member("bytesIn", .whole, "Read from the socket, TLS included."),
            Member("bytesOut", .whole, "Handed to the socket, TLS included."),
        ],
        "FailedHandshake": [
            Member("id", .whole, "The number of the connection."), Member("at", .time, "By the server's clock."),
            Member("peer", .anyText), Member("sni", .nullableText, "The host name that the client sent, if any."),
            environment,
            Member(
                "cause",
                .choice([
                    "serverNotTrusted", "notTLS", "noHTTP2", "tlsVersion", "clientCertificate", "hungUp",
                    "timedOut", "fault", "other",
                ]),
                """
                serverNotTrusted: the client refused the server's certificate; notTLS: the client sent something \
                other than TLS; noHTTP2: its ALPN list has no h2; tlsVersion: it offers neither TLS 1.2 nor 1.3; \
                clientCertificate: its certificate was refused; hungUp: it closed the connection without an alert; \
                timedOut: it did not finish in time; fault: a fault rule acted on the handshake.
                """),
            Member("reason", .anyText, "What happened and how to fix it, in a sentence."),
            Member("count", .whole, "Failures with this cause since the start, including this one."),
        ],
    ]

    // MARK: Faults

    private static let faults: JSONValue = [
        "Fault": .object(
            required: FaultDraft.schema.names,
            properties: FaultDraft.schema.requestProperties()
                + Schema([Member("timedOut", .bool, "With wait alone.")]).answerProperties),
        "MagicToken": answer([
            Member("token", .anyText), Member("does", .anyText), Member("status", .nullable(.whole)),
            Member("reason", .nullableText),
        ]),
        "Scenario": .object(
            required: Scenario.schema.names,
            properties: Scenario.schema.requestProperties() + runningScenario.answerProperties),
    ]

    private static let runningScenario: Schema = [
        Member("startedAt", .time, "This and what follows: of one that runs."), Member("stepsDone", .whole),
        Member(
            "next",
            .nullable(
                .object([
                    Member("step", .whole), Member("after", .any()), Member("at", .nullable(.time)),
                    Member("pushesLeft", .nullable(.whole)),
                ])), "The next step and what it waits for; null when all are done."),
        Member("rules", .array(of: .anyText), "IDs of the rules that it has added and that are there."),
        Member("problem", .nullableText, "Why a step could not be done."),
    ]

    /// A scenario may be given by the name of a built-in one, without steps.
    private static let newScenario = Schema(
        Scenario.schema.members.map { Member($0.name, $0.form, $0.summary, isRequired: $0.name == "name") })

    /// The members of all types of actions in one object; a description begins with the types that have the member.
    private static var faultAction: Schema {
        var members: [Member] = []
        for type in FaultActionType.allCases {
            for member in type.schema.members {
                let isCommon = ["delay", "clock", "deliver"].contains(member.name)
                let own = member.summary.isEmpty ? "." : ": \(member.summary)"
                let summary = isCommon ? member.summary : type.rawValue + own
                guard let index = members.firstIndex(where: { $0.name == member.name }) else {
                    members.append(Member(member.name, member.form, summary, default: member.standard))
                    continue
                }
                guard !isCommon else { continue }
                let known = members[index]
                members[index] = Member(
                    known.name, known.form.united(with: member.form), "\(known.summary) \(summary)", default: nil)
            }
        }
        let type = Member(
            "type", .choice(FaultActionType.self), "Each type takes its own of the other members.", isRequired: true)
        return Schema([type] + members)
    }

    // MARK: The server

    private static let server: KeyValuePairs<String, Schema> = [
        "Probe": [Member("status", .choice(Readiness.self))], "Removed": [Member("removed", .map(of: .whole))],
        "ResetEvent": [
            Member("removed", .map(of: .whole)), Member("only", .array(of: .anyText), "The parts that were reset."),
            Member("scope", .nullableText, "The scope that was reset; null for the whole server."),
        ],
        "GapEvent": [Member("from", .whole), Member("to", .whole)],
        "ScopeUse": [Member("name", .anyText), Member("devices", .whole), Member("faults", .whole)],
        "Status": [
            Member("name", .choice(["mynah"])), Member("version", .anyText), Member("startedAt", .time),
            Member("now", .time, "The server's clock."), Member("clock", .choice(ClockState.Mode.self), "How it runs."),
            Member("seed", .whole),
            Member(
                "ports",
                .object([
                    Member("apns", .array(of: .whole)), Member("cleartext", .nullable(.whole)),
                    Member("proxy", .nullable(.whole)), Member("control", .nullable(.whole)),
                ])), environment, Member("counts", .object(counts)), Member("journal", .map(of: .whole)),
            Member("memory", .object([Member("resident", .nullable(.whole), "Bytes.")])),
        ],
        "Problem": [
            Member("type", .choice(Problem.Kind.allCases.map(\.type))), Member("title", .anyText),
            Member("status", .whole), Member("detail", .someText, "What is wrong, and what was expected."),
            Member("field", .nullableText, "The name of the parameter, or the JSON pointer of the field."),
            Member("allowed", .nullable(.array(of: .anyText))),
        ],
    ]

    private static let counts: Schema = [
        Member("received", .whole, "Since the start or the last reset of notifications; likewise the next two."),
        Member("accepted", .whole, "Pushes answered with 200."),
        Member("refused", .whole, "Pushes answered otherwise."), Member("devices", .whole, "Known device tokens."),
        Member("stored", .whole, "Pushes stored for offline devices."),
        Member("deferred", .whole, "Pushes deferred by low power or a budget."),
        Member("faults", .whole, "Fault rules."),
        Member("faultsFired", .whole, "Since the start or the last reset of faults, including removed rules."),
        Member("scopes", .whole, "Scopes that have devices or rules."),
        Member("connections", .whole, "Open connections."),
        Member(
            "handshakesFailed", .whole,
            "TLS handshakes that failed since the start or the last reset of notifications; see /v1/failed-handshakes."
        ),
        Member("connectionsRefused", .whole, "Reset since the start because of --reconnect-limit."),
    ]
}
