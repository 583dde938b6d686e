internal import APNsRules
internal import Mynah
internal import MynahCore

/// The documents of the API, by the names under which the operations refer to them.
extension OpenAPIDocument {
    static var schemas: [JSONMember] {
        let answers = [pushes, devices, apps, screen, clock, trust, connections, server].joined()
        return (values.object ?? []) + (filters.object ?? []) + (faults.object ?? [])
            + forms.map { JSONMember($0, $1.openAPI(isAnswer: true)) } + requests.map { JSONMember($0, $1.openAPI()) }
            + namedForms(of: AppSettings.fields.making + ScreenSettings.fields.making)
            + answers.map { JSONMember($0, answer($1, optional: optionalMembers[$0] ?? [])) } + pages
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
    private static let optionalMembers = [
        "Notification": ["payloadBase64"], "AddedKey": ["privateKey"], "Fixtures": ["clock"],
        "Connection": ["server"], "ClosedConnection": ["server"],
    ]
    private static let environment = Form.choice(APNsEnvironment.self)
    private static let evictedPushes = "How many pushes were evicted since the start or a reset."

    private static let pages: [JSONMember] =
        [
            page(of: "Notification", evicted: evictedPushes),
            page(
                of: "Arrival", named: "InboxPage",
                evicted: "Arrivals that are gone from the inbox, or whose push is gone from the journal.",
                last: "The push that arrived last; with it as after, a call lists later arrivals."),
            page(of: "ClosedConnection", evicted: "Earlier ones, which are no longer listed."),
            page(of: "FailedHandshake", evicted: "Earlier failures, which are no longer listed."),
        ]
        + [
            "Device", "Registration", "LiveActivity", "Channel", "Connection", "Fault", "MagicToken", "Scenario", "Key",
            "Certificate", "ScopeUse", "Fleet",
        ].map { page(of: $0) }

    /// A page of a list; what is evicted and which number is last depends on the list.
    private static func page(
        of item: String, named name: String? = nil, evicted: String = "0: nothing is ever evicted from this list.",
        last: String = "The last sequence number of the journal."
    ) -> JSONMember {
        JSONMember(
            name ?? "\(item)Page",
            answer([
                "items": .list(item), "nextCursor": .nullableText.described("null on the last page."),
                "matched": .whole.described("On all pages."), "timedOut": .bool, "evicted": .whole.described(evicted),
                "lastSequence": .whole.described(last),
            ]))
    }

    private static let durationPattern = "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"

    private static let values: JSONValue = [
        "Duration": [
            "type": "string", "minLength": 1, "pattern": .string(durationPattern),
            "examples": ["250ms", "5s", "1h30m"],
        ],
        "KeyID": ["type": "string", "pattern": "^[0-9A-Za-z]{10}$"],
        "KeyTopics": [
            "type": "array", "minItems": 1, "maxItems": 400,
            "items": ["type": "string", "minLength": 1, "maxLength": 255],
        ],
        "Base64": ["type": "string", "contentEncoding": "base64"], "FaultDelay": FaultDelay.form.openAPI(),
    ]

    private static let forms: KeyValuePairs<String, Form> = [
        "Scope": ScopeName.form, "InboxKind": .choice(PushKind.self), "EventChange": .choice(Event.Change.self),
        "Environment": environment, "EnvironmentScope": environments, "Platform": .choice(Platform.self),
        "Power": .choice(Power.self), "ClockMode": .choice(ClockState.Mode.self),
        "ProviderKeyType": .choice(ProviderKeyType.self),
        "FaultEvent": .choice(FaultEvent.self), "RegistrationState": .choice(RegistrationState.self),
        "WakeResult": .choice(WakeResult.self), "Order": .choice(Cursor.Order.self),
        "DeviceSort": .choice(DeviceOrder.Key.self),
        "Credential": .object([
            "kind": .choice(["token", "certificate"]).described("Of a rejected token only this is known."),
            "team": .nullableText, "keyId": .nullableText, "subject": .nullableText,
        ]),
        "AddedDevices": .either(.any(schema: "Device"), .any(schema: "DevicePage")),
        "ActionReport": .nullable(.any(schema: "AppResponse")),
        "NewFaults": .either(.any(schema: "NewFault"), .list("NewFault")),
        "AddedFaults": .either(.any(schema: "Fault"), .any(schema: "FaultPage")), "OpenAPI": .map(of: .any()),
    ]

    private static let requests: KeyValuePairs<String, Schema> = [
        "NewDevice": DeviceSpecification.schema, "DeviceChange": DevicePatch.schema, "AppSettings": AppPatch.schema,
        "NewRegistration": RegistrationSpecification.schema, "UserAction": RequestSchemas.userAction,
        "ScreenChange": ScreenPatch.schema, "NewLiveActivity": ActivitySpecification.schema,
        "LiveActivityChange": ActivityPatch.schema, "NewSubscription": SubscriptionSpecification.schema,
        "ClockChange": RequestSchemas.clockChange, "ClockAdvance": RequestSchemas.clockAdvance,
        "RecordedPlaceChange": RequestSchemas.recordedPlaceChange,
        "NewKey": NewKey.schema, "CertificateOrder": CertificateOrder.schema, "FaultAction": faultAction,
        "NewFault": FaultDraft.schema, "FaultChange": FaultDraft.schema, "NewChannel": ChannelSpecification.schema,
        "NewScenario": newScenario, "Reset": RequestSchemas.reset, "NewNotification": NewNotification.schema,
    ]

    private static let pushes: KeyValuePairs<String, Schema> = [
        "Notification": [
            "sequence": .whole.described(
                """
                Orders everything that happens on the server; never decreases. Pushes to one device are numbered \
                in the order in which they were accepted for it, except for a push whose answer a fault delays: it \
                has the number of its arrival, and is accepted when the delay is over. When one of two pushes \
                replaces the other, the one with the higher number stays.
                """),
            "apnsId": .anyText,
            "attempt": .whole.described("How many pushes have had this apns-id, if the sender gave it; otherwise 1."),
            "repeats": .nullable(.whole).described(
                "The latest push in the journal with the same token and body, at most 30 s earlier by the server's "
                    + "clock. It need not be a retry: an app may send the same text twice."),
            "uniqueId": .nullableText, "receivedAt": .time, "environment": environment, "connection": .whole,
            "stream": .whole, "credential": .nullable(.any(schema: "Credential")), "token": .nullableText,
            "device": .nullableText,
            "scope": .nullableText, "topic": .nullableText.described("The bundle ID of a broadcast's app."),
            "channel": .nullableText.described("The channel of a broadcast."),
            "devices": .nullable(.whole).described("How many devices a broadcast went to."),
            "pushType": .nullableText, "priority": .nullable(.whole),
            "expiration": .nullable(.either(.anyText, .whole)).described("A time, or 0 if that was sent."),
            "collapseId": .nullableText, "method": .nullableText, "path": .nullableText,
            "headers": .array(of: .array(of: .anyText)),
            "payload": .any().described("The body's own bytes if it is JSON, else null."),
            "payloadBase64": .anyText.described("The body if it is not JSON, up to the limit of its push type."),
            "payloadSize": .whole.described(
                "Bytes of the body. If it is too large: content-length, or without that field what had arrived."),
            "warnings": .array(of: .anyText), "status": .nullable(.whole), "reason": .nullableText,
            "timestamp": .nullable(.whole).described("Milliseconds since 1970, with 410."), "fault": .nullableText,
            "outcome": .choice(Outcome.self), "shown": .nullable(.bool),
            "sounded": .bool.described("Whether the user heard it, with an alert or without."),
            "timeline": .array(of: .object(["at": .time, "event": .anyText, "detail": .nullableText])),
        ],
        "SentNotification": [
            "status": .nullable(.whole).described("null if there was no answer."), "reason": .nullableText,
            "apnsId": .anyText.described("The push's apns-id, or apns-request-id."),
            "sequence": .nullable(.whole).described("The push in the journal; null if it did not get there."),
            "problem": .nullableText.described("Why there was no answer, as a clause."),
        ],
        "ExpectationResult": [
            "met": .bool, "matched": .whole.described("How many match; items has the first 100 of them."),
            "items": .array(of: .any(schema: "Notification"), 0...Expectation.itemsMax),
            "failedAt": .nullable(.whole).described(
                "The index from 0 of the first filter of inOrder that no push matches."),
            "nearest": .array(of: .object(nearMiss), 0...3).described(
                "The pushes with the fewest differences, newest first among equals; none of other scopes."),
            "hints": .array(of: .anyText).described(
                """
                The usual causes, if found: matched before after, evicted, token of another scope, refused with a \
                reason, still pending, stored because its device is offline, delivered but not shown, too many.
                """),
            "evicted": .whole.described(evictedPushes), "lastSequence": .whole,
        ],
    ]

    private static let filters: JSONValue = [
        "Match": match(
            """
            Filter keys; each takes a value (equal), an array (any of), or an object with one of prefix, contains, \
            regex, not, exists, gte, lte. payload is keyed by JSON pointer, payloadIncludes is a JSON subset, headers \
            is keyed by lower-case name, screen is keyed by JSON pointer into what the user saw of the push. In an \
            expectation also q, a line of the query language.
            """, Filter.memberNames,
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
                        it. A push to a Live Activity has activities, with the activity as it became \
                        (/activities/0/contentState/score), and of its alert title, subtitle, body, sound, banner and \
                        lockScreen. A push that is not shown has badge, sound and reason; a push that has not arrived, or is \
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
            FaultEvent.request.memberNames,
            Schema([Member("event", .choice(FaultEvent.self), summary: "By default the event of the action.")])
                .requestProperties()),
        "Matcher": [
            "description": "A value is equal, an array is any of its matchers, an object is one operator.",
            "anyOf": .array(
                singleMatchers + [["type": "array", "minItems": 1, "items": .reference("SingleMatcher")]]),
        ],
        // An array of matchers again is more than some generators of clients understand.
        "SingleMatcher": [
            "description": "A value is equal, an object is one operator.", "anyOf": .array(singleMatchers),
        ],
        "MatcherOperator": [
            "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
            "properties": operators,
        ],
        "Expectation": .object(
            required: [],
            properties: Expectation.schema.requestProperties(withoutNull: ["match", "inOrder", "count"]),
            isClosed: true),
    ]

    private static let singleMatchers: [JSONValue] = [
        ["type": "string"], ["type": "number"], ["type": "boolean"], ["type": "null"], .reference("MatcherOperator"),
    ]

    private static func match(_ description: String, _ keys: [String], _ further: [JSONMember]) -> JSONValue {
        let matchers: JSONValue = ["type": "object", "additionalProperties": .reference("Matcher")]
        let special =
            [
                JSONMember("payload", matchers),
                JSONMember(
                    "payloadIncludes",
                    ["anyOf": [["type": "object"], ["type": "array", "items": .object([])]]]),
                JSONMember("headers", matchers),
            ].filter { keys.contains($0.name) } + further
        let plain = keys.filter { key in !special.contains { $0.name == key } }
        return [
            "type": "object", "description": .string(description), "additionalProperties": false,
            "properties": .object(plain.map { JSONMember($0, .reference("Matcher")) } + special),
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
        "sequence": .whole,
        "differences": .array(of: .object(difference)).described("Every field that differs from what was expected."),
        "push": .any(schema: "Notification"),
    ]

    private static let difference: Schema = [
        "field": .anyText.described(
            "A JSON pointer into the push; below /screen into what was shown of it, below /headers a name."),
        "expected": .any(schema: "Matcher"), "actual": .any(),
    ]

    private static let devices: KeyValuePairs<String, Schema> = [
        "Device": DeviceView.fields.showing,
        "Arrival": [
            "sequence": .whole, "apnsId": .nullableText, "topic": .nullableText, "pushType": .nullableText,
            "kind": .nullable(.any(schema: "InboxKind")),
            "payload": .any().described("The body's own bytes; null if it is not JSON or gone from the journal."),
            "deliveredAt": .time,
            "evicted": .bool.described("Whether the push is gone from the journal; its content is then null."),
        ],
    ]

    private static let apps: KeyValuePairs<String, Schema> = ["Registration": RegistrationView.fields.showing]

    private static let sound = Form.object(["name": .anyText, "critical": .bool, "volume": .nullable(.number)])

    // Without its history.
    private static let liveActivity: Schema = [
        "id": .anyText.described("Unique on its device."), "topic": .anyText, "environment": environment,
        "state": .choice(LiveActivity.State.self),
        "attributesType": .nullableText.described(
            "null, like attributes, if a push to an unknown token told of it."),
        "attributes": .nullable(.map(of: .any())), "contentState": .map(of: .any()), "startedAt": .time,
        "timestamp": .nullable(.time).described("That of the newest message applied."),
        "staleDate": .nullable(.time), "endedAt": .nullable(.time),
        "dismissalDate": .nullable(.time).described("When it leaves the lock screen, or left it."),
        "relevanceScore": .nullable(.number), "token": .nullableText.described("With which it is updated."),
        "channel": .nullableText.described("The broadcast channel that it follows."),
    ]

    private static let screen: KeyValuePairs<String, Schema> = [
        "Screen": [
            "at": .time, "badges": .map(of: .whole),
            "notifications": .list("ScreenNotification").described("The top of the screen first."),
            "groups": .list("NotificationGroup").described("The stacks of notifications, the top of the screen first."),
            "summary": .array(of: .whole).described(
                "The notifications that came in a scheduled summary, by sequence, the most relevant first."),
            "held": .array(of: .object(["sequence": .whole, "topic": .anyText, "until": .time])).described(
                "What waits for the scheduled summary."),
            "activities": .list("LiveActivity").described(
                "The Live Activities on the screen, the most relevant first, of equally relevant ones the newest."),
            "wakes": .list("Wake").described("What woke apps in the background, oldest first."),
            "responses": .list("AppResponse").described("The user's choices that apps were told of, oldest first."),
            "sounds": .list("PlayedSound").described("What was heard, oldest first."),
            "evicted": .whole.described(
                "Notifications, wakes, responses and sounds replaced by newer ones, or evicted before the first look."),
        ],
        "LiveActivity": liveActivity + [
            "history": .array(
                of: .object([
                    "event": .choice(ActivityMessage.Event.self), "at": .time, "sequence": .nullable(.whole),
                    "contentState": .map(of: .any()),
                ])
            ).described("Its newest content states, oldest first; sequence is null for what its app did.")
        ],
        "StartedActivities": [
            "started": .object(["activities": .whole]),
            "refused": .object(["devices": .whole]),
            "refusals": .array(of: .object(["device": .anyText, "reason": .anyText])).described(
                "The first devices by ID on which it can't be started, at most "
                    + "\(DeviceTable.ActivityChanges.refusalsMax)."),
        ],
        "NotificationGroup": [
            "topic": .anyText, "threadId": .nullableText, "count": .whole,
            "sequences": .array(of: .whole).described("The newest first."),
            "summary": .nullableText.described("The line below a group of several."),
        ],
        "ScreenNotification": [
            "sequence": .whole, "apnsId": .anyText,
            "identifier": .anyText.described("The collapse id, without one the apns-id."), "topic": .anyText,
            "title": .nullableText.described("null for an alert that is a string: its text is the body."),
            "subtitle": .nullableText, "body": .nullableText,
            "previewHidden": .bool.described("Whether title, subtitle, body, sender and attachments are hidden."),
            "sound": .nullable(sound).described("What was heard; null for silence."),
            "threadId": .nullableText, "category": .nullableText, "actions": .list("ShownAction"),
            "actionTitle": .nullableText.described("The button that opens the app, by action-loc-key."),
            "interruptionLevel": .choice(InterruptionLevel.self), "relevanceScore": .nullable(.number),
            "collapseId": .nullableText, "mutableContent": .choice(["none", "modified", "timedOut"]), "shownAt": .time,
            "updatedAt": .nullable(.time), "group": .anyText.described("The thread, or the app."),
            "banner": .nullable(.object(["actions": .list("ShownAction")])),
            "alertStyle": .nullable(.choice(["banner", "alert"])).described("null without a banner."),
            "lockScreen": .bool.described("Whether the device was locked, and showed it."),
            "notificationCenter": .bool.described("Whether it is in the list."),
            "onWatch": .bool.described("Whether the banner is on the paired watch instead."),
            "sender": .nullableText.described("Who sent it, in place of the app's name."),
            "attachments": .array(of: .anyText),
            "details": .map(of: .any()).described("Further content of its kind of push."),
            "warnings": .array(of: .anyText),
        ],
        "ShownAction": [
            "id": .anyText, "title": .anyText, "destructive": .bool, "foreground": .bool,
            "authenticationRequired": .bool, "textInput": .bool, "textInputButtonTitle": .nullableText,
            "textInputPlaceholder": .nullableText,
        ],
        "Wake": [
            "topic": .anyText, "sequence": .whole, "at": .time, "state": .choice(["running", "finished", "stopped"]),
            "result": .nullable(.choice(WakeResult.self)), "endedAt": .nullable(.time),
        ],
        "PlayedSound": ["sequence": .whole, "topic": .anyText, "at": .time, "sound": sound],
        "AppResponse": [
            "sequence": .whole, "topic": .anyText,
            "action": .anyText.described("Apple's name of it, or the ID of one of the category's actions."),
            "text": .nullableText, "at": .time,
        ],
    ]

    private static let clockMembers: Schema = ["mode": .choice(ClockState.Mode.self), "now": .time]

    private static let clock: KeyValuePairs<String, Schema> = [
        "Clock": clockMembers,
        "ClockReport": clockMembers + [
            "lastSequence": .whole, "delivered": .whole, "expired": .whole, "coalesced": .whole,
        ],
        "ClockEvent": clockMembers + [
            "scope": .nullableText.described("The scope of the clock; null for the server's clock.")
        ],
    ]

    private static let environments = Form.choice(EnvironmentScope.self)

    private static let key: Schema = [
        "keyId": .anyText, "team": .anyText, "publicKey": .anyText.described("PEM."), "environment": environments,
        "topics": .nullable(.array(of: .anyText)), "related": .nullableText, "revokedAt": .nullable(.time),
        "hasPrivateKey": .bool.described("Whether the server has the private key, which it never returns again."),
    ]

    private static let certificate: Schema = [
        "serialNumber": .anyText.described("Capital hexadecimal digits."), "subject": .anyText.described("RFC 4514."),
        "topics": .array(
            of: .object(["topic": .anyText, "kind": .anyText.described("Such as app, voip and complication.")])),
        "environment": environments, "notBefore": .time, "notAfter": .time, "issuedAt": .time,
        "revokedAt": .nullable(.time), "certificate": .anyText.described("PEM."),
    ]

    private static let trust: KeyValuePairs<String, Schema> = [
        "Key": key,
        "AddedKey": key + [
            "privateKey": .anyText.described("PKCS #8 in PEM, if the server generated the key; returned only here.")
        ],
        "Certificate": certificate,
        "IssuedCertificate": certificate + [
            "authority": .anyText.described("The CA's certificate, PEM."),
            "privateKey": .nullableText.described("PKCS #8 in PEM; returned only here. null with csr."),
            "pkcs12": .nullable(.any(schema: "Base64")).described("Certificate and key. null with csr."),
            "password": .nullableText,
        ],
        "Credentials": [
            "ca": .anyText.described("PEM."), "keyId": .nullableText, "teamId": .nullableText,
            "key": .nullableText.described("PKCS #8 in PEM; null if the keys are the user's own."),
        ],
    ]

    private static let faults: JSONValue = [
        "Fault": .object(
            required: FaultDraft.schema.names,
            properties: FaultDraft.schema.requestProperties()
                + (["timedOut": .bool.described("Only with wait.")] as Schema).answerProperties),
        "MagicToken": answer([
            "token": .anyText, "channel": .anyText.described("The channel ID that does the same."),
            "does": .anyText, "status": .nullable(.whole), "reason": .nullableText,
        ]),
        "Scenario": .object(
            required: Scenario.schema.names,
            properties: Scenario.schema.requestProperties() + runningScenario.answerProperties),
    ]

    private static let runningScenario: Schema = [
        "startedAt": .time.described("This and the following members: only of a running scenario."),
        "stepsDone": .whole,
        "next": .nullable(
            .object(["step": .whole, "after": .any(), "at": .nullable(.time), "pushesLeft": .nullable(.whole)])
        ).described("The next step and what it waits for; null when all are done."),
        "rules": .array(of: .anyText).described("IDs of the rules that it has added and that still exist."),
        "problem": .nullableText.described("Why a step could not be done."),
    ]

    /// A scenario may be given by the name of a built-in one, without steps.
    private static let newScenario = Schema(
        Scenario.schema.members.map { Member($0.name, $0.form, summary: $0.summary, isRequired: $0.name == "name") })

    /// The members of all types of actions in one object; a description begins with the types that have the member.
    private static var faultAction: Schema {
        var members: [Member] = []
        for type in FaultActionType.allCases {
            for member in type.schema.members {
                let isCommon = ["delay", "clock", "deliver"].contains(member.name)
                let own = member.summary.isEmpty ? "." : ": \(member.summary)"
                let summary = isCommon ? member.summary : type.rawValue + own
                guard let index = members.firstIndex(where: { $0.name == member.name }) else {
                    members.append(Member(member.name, member.form, summary: summary, default: member.standard))
                    continue
                }
                guard !isCommon else { continue }
                let known = members[index]
                members[index] = Member(
                    known.name, known.form.united(with: member.form), summary: "\(known.summary) \(summary)")
            }
        }
        let type = Member(
            "type", .choice(FaultActionType.self), summary: "Decides which of the other members are allowed.",
            isRequired: true)
        return Schema([type] + members)
    }

    private static let recordedPlace = Form.object([
        "sequence": .whole.described("The last sequence number by then."),
        "time": .time.described("The system's clock, which stands there."),
    ])

    private static let server: KeyValuePairs<String, Schema> = [
        "Fixtures": [
            "devices": .list("NewDevice").described("The devices with their apps and tokens."),
            "channels": .list("NewChannel").described("The broadcast channels."),
            "faults": .list("NewFault").described("The rules, oldest first."),
            "keys": .list("NewKey").described("The added keys, without their private halves."),
            "clock": .any(schema: "ClockChange").described("Only a frozen clock."),
        ],
        "Index": [
            "version": .anyText, "openapi": .anyText.described("The path of the OpenAPI document."),
            "paths": .array(of: .anyText).described("Every path below /v1/ that has no parameter in it."),
        ],
        "Probe": ["status": .choice(Readiness.self), "problem": .nullableText],
        "Removed": ["removed": .map(of: .whole)],
        "Changed": ["changed": .map(of: .whole)],
        "ResetEvent": [
            "removed": .map(of: .whole), "only": .array(of: .anyText).described("The parts that were reset."),
            "scope": .nullableText.described("The scope that was reset; null for the whole server."),
        ],
        "ActivityEvent": [
            "at": .time.described("When the activity's state changed, by the device's clock."),
            "device": .anyText, "scope": .nullableText.described("The device's scope."),
            "activity": .object(liveActivity),
        ],
        "GapEvent": ["from": .whole, "to": .whole],
        "Fleet": [
            "id": .anyText.described("The ID that was given with count."), "devices": .whole,
            "lastPush": .nullable(.whole).described("The sequence number of the latest push on one of them."),
        ],
        "ScopeUse": ["name": .anyText, "devices": .whole, "faults": .whole],
        "Status": [
            "name": .choice(["mynah"]), "version": .anyText, "startedAt": .time,
            "now": .time.described("The server's clock."),
            "clock": .choice(ClockState.Mode.self).described("How it runs."), "seed": .whole,
            "ports": .object([
                "apns": .array(of: .whole), "channels": .array(of: .whole), "cleartext": .nullable(.whole),
                "proxy": .nullable(.whole),
                "control": .nullable(.whole),
            ]),
            "environment": environment, "counts": .object(counts), "journal": .map(of: .whole),
            "memory": .object(["resident": .nullable(.whole).described("Bytes.")]),
            "recorded": .nullable(.any(schema: "RecordedRun"))
                .described("The recorded run that mynah open shows, read-only; null for a server that runs."),
        ],
        "RecordedRun": [
            "file": .anyText.described("The path of the run's file."),
            "position": .whole.described("The number of the last batch of changes before the place that is shown."),
            "sequence": .whole.described("The last sequence number by then."),
            "time": .time.described("The system's clock, which stands there."),
            "first": recordedPlace.described("The first place that can be shown."),
            "last": recordedPlace.described("The end of the run."),
            "differs": .nullable(
                .object([
                    "position": .whole.described(
                        "The number of the first batch of changes that was recorded otherwise."),
                    "detail": .anyText.described("What differs, and what to do."),
                ])
            ).described(
                "Why what is shown may differ from what the server had shown: the run was recorded by other rules."),
        ],
        "Problem": [
            "type": .choice(Problem.Kind.allCases.map(\.type)), "title": .anyText, "status": .whole,
            "detail": .someText.described("What is wrong, and what was expected."),
            "field": .nullableText.described("The name of the parameter, or the JSON pointer of the field."),
            "allowed": .nullable(.array(of: .anyText)),
        ],
    ]

    private static let counts: Schema = [
        "received": .whole.described("Since the start or the last reset of notifications; likewise the next two."),
        "accepted": .whole.described("Pushes answered with 200."),
        "refused": .whole.described("Pushes answered otherwise."), "devices": .whole.described("Known device tokens."),
        "stored": .whole.described("Pushes stored for offline devices."),
        "deferred": .whole.described("Pushes deferred by low power or a budget."),
        "faults": .whole.described("Fault rules."),
        "faultsFired": .whole.described("Since the start or the last reset of faults, including removed rules."),
        "scopes": .whole.described("Scopes that have devices or rules."),
        "connections": .whole.described("Open connections."),
        "handshakesFailed": .whole.described(
            "TLS handshakes that failed since the start or the last reset of notifications; see /v1/failed-handshakes."),
        "connectionsRefused": .whole.described("Reset since the start because of --reconnect-limit."),
    ]
}
