internal import APNsRules
internal import Mynah
internal import MynahCore

/// The documents of the API, by the names under which the operations refer to them.
extension OpenAPIDocument {
    static var schemas: [JSONMember] {
        (values.object ?? []) + (filters.object ?? []) + (faults.object ?? [])
            + forms.map { JSONMember($0, $1.openAPI(isAnswer: true)) } + requests.map { JSONMember($0, $1.openAPI()) }
            + namedForms(of: AppSettings.fields.making + ScreenSettings.fields.making)
            + (answers.map { ($0, $1) } + pages).map { JSONMember($0, $1.openAPI(isAnswer: true)) }
    }

    private static func namedForms(of schema: Schema) -> [JSONMember] {
        schema.members.compactMap { member in
            switch member.form {
            case .named(let name, let form), .array(of: .named(let name, let form), _): JSONMember(name, form.openAPI())
            default: nil
            }
        }
    }

    private static let pages: [(name: String, schema: Schema)] =
        [
            ("NotificationPage", ListPage.schema(of: "Notification", evicted: JournalCounters.evictedSentence)),
            (
                "InboxPage",
                ListPage.schema(
                    of: "Arrival",
                    evicted: "Arrivals that are gone from the inbox, or whose push is gone from the journal.",
                    last: "The push that arrived last; with it as after, a call lists later arrivals.")
            ),
            (
                "ClosedConnectionPage",
                ListPage.schema(of: "ClosedConnection", evicted: "Earlier ones, which are no longer listed.")
            ),
            (
                "FailedHandshakePage",
                ListPage.schema(of: "FailedHandshake", evicted: "Earlier failures, which are no longer listed.")
            ),
        ]
        + [
            "Device", "Registration", "LiveActivity", "Channel", "Connection", "Fault", "MagicToken", "Scenario", "Key",
            "Certificate", "ScopeUse", "Fleet",
        ].map { ("\($0)Page", ListPage.schema(of: $0)) }

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
        "Environment": .choice(APNsEnvironment.self), "EnvironmentScope": .choice(EnvironmentScope.self),
        "Platform": .choice(Platform.self),
        "Power": .choice(Power.self), "ClockMode": .choice(ClockState.Mode.self),
        "ProviderKeyType": .choice(ProviderKeyType.self),
        "FaultEvent": .choice(FaultEvent.self), "RegistrationState": .choice(RegistrationState.self),
        "WakeResult": .choice(WakeResult.self), "Order": .choice(Cursor.Order.self),
        "DeviceSort": .choice(DeviceOrder.Key.self),
        "Credential": .object(ConnectionView.Credential.schema),
        "AddedDevices": .either(.any(schema: "Device"), .any(schema: "DevicePage")),
        "ActionReport": .nullable(.any(schema: "AppResponse")),
        "FaultSpecifications": .either(
            .any(schema: "FaultSpecification"), .any(schema: "FaultSpecificationList")),
        "FaultSpecificationList": .list("FaultSpecification"),
        "AddedFaults": .either(.any(schema: "Fault"), .any(schema: "FaultPage")), "OpenAPI": .map(of: .any()),
    ]

    private static let requests: KeyValuePairs<String, Schema> = [
        "DeviceSpecification": DeviceSpecification.schema, "DeviceChange": DevicePatch.schema,
        "AppSettings": AppPatch.schema,
        "RegistrationSpecification": RegistrationSpecification.schema, "UserAction": RequestSchemas.userAction,
        "ScreenChange": ScreenPatch.schema, "LiveActivitySpecification": ActivitySpecification.schema,
        "LiveActivityChange": ActivityPatch.schema, "SubscriptionSpecification": SubscriptionSpecification.schema,
        "ClockChange": RequestSchemas.clockChange, "ClockAdvance": RequestSchemas.clockAdvance,
        "RecordedPlaceChange": RequestSchemas.recordedPlaceChange,
        "KeySpecification": NewKey.schema, "CertificateOrder": CertificateOrder.schema,
        "FaultAction": FaultActionType.schemaOfAll,
        "FaultSpecification": FaultDraft.schema, "FaultChange": FaultDraft.schema,
        "ChannelSpecification": ChannelSpecification.schema,
        "ScenarioSpecification": newScenario, "Reset": RequestSchemas.reset,
        "NotificationSpecification": NewNotification.schema,
    ]

    private static let answers: KeyValuePairs<String, Schema> = [
        "Notification": PushField.schema, "SentNotification": SentNotification.fields.showing,
        "ExpectationResult": ExpectationAnswer.fields.showing,
        "Device": DeviceView.fields.showing, "Arrival": Arrival.fields.showing,
        "Registration": RegistrationView.fields.showing, "WebPushSubscription": PrintedSubscription.fields.showing,
        "Screen": ScreenView.fields.showing, "LiveActivity": LiveActivity.fields.showing,
        "StartedActivities": DeviceTable.StartedActivities.fields.showing,
        "NotificationGroup": NotificationGroup.fields.showing,
        "ScreenNotification": ReadNotification.fields.showing, "ShownAction": ReadNotification.actionSchema,
        "Wake": WakeView.fields.showing, "PlayedSound": PlayedSound.fields.showing,
        "AppResponse": AppResponse.fields.showing,
        "Clock": ClockReading.fields.showing, "ClockReport": ClockReport.fields.showing,
        "ClockEvent": ClockEvent.fields.showing,
        "Key": KnownKey.fields.showing, "AddedKey": AddedKey.fields.showing,
        "Certificate": CertificateRecord.fields.showing, "IssuedCertificate": IssuedCertificate.fields.showing,
        "Credentials": Credentials.fields.showing,
        "Channel": ChannelView.fields.showing, "Connection": ConnectionView.fields.showing,
        "ClosedConnection": ClosedConnection.fields.showing, "FailedHandshake": FailedHandshake.fields.showing,
        "Fixtures": RequestSchemas.exportedFixtures, "Index": PathIndex.fields.showing,
        "Probe": Probe.fields.showing, "Removed": RemovedCounts.fields.showing,
        "Changed": ChangedCounts.fields.showing, "ResetEvent": ResetEvent.fields.showing,
        "ActivityEvent": ActivityChange.fields.showing, "GapEvent": GapEvent.fields.showing,
        "Fleet": DeviceFleetView.fields.showing, "ScopeUse": ScopeUse.fields.showing,
        "Status": StatusView.fields.showing, "RecordedRun": RecordedView.fields.showing,
        "Problem": Problem.documentFields.showing,
    ]

    private static let filters: JSONValue = [
        "Match": match(
            """
            Filter keys; each takes a value (equal), an array (any of), or an object with one of prefix, contains, \
            regex, not, exists, gte, lte. payload is keyed by JSON pointer, payloadIncludes is a JSON subset, headers \
            is keyed by lower-case name, screen is keyed by JSON pointer into what the user saw of the push, \
            webPush into what only a web push has. In an expectation also q, a line of the query language.
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
                    "webPush",
                    [
                        "type": "object", "additionalProperties": .reference("Matcher"),
                        "description": "Keyed by JSON pointer into the webPush of a push; others have nothing there.",
                        "examples": [["/ttl": ["gte": 3600], "/claims/sub": ["prefix": "mailto:"]]],
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
            "oneOf": .array(
                singleMatchers + [["type": "array", "minItems": 1, "items": .reference("SingleMatcher")]]),
        ],
        // An array of matchers again is more than some generators of clients understand.
        "SingleMatcher": [
            "description": "A value is equal, an object is one operator.", "oneOf": .array(singleMatchers),
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
        ["type": "string"], Form.number.openAPI(), ["type": "boolean"], ["type": "null"],
        .reference("MatcherOperator"),
    ]

    private static func match(_ description: String, _ keys: [String], _ further: [JSONMember]) -> JSONValue {
        let matchers: JSONValue = ["type": "object", "additionalProperties": .reference("Matcher")]
        let special =
            [
                JSONMember("payload", described(matchers, "By JSON pointer, what a place in the payload must be.")),
                JSONMember(
                    "payloadIncludes",
                    [
                        "oneOf": [["type": "object"], ["type": "array", "items": .object([])]],
                        "description": "A JSON subset of the payload.",
                    ]),
                JSONMember("headers", described(matchers, "By lower-case name, what a header field must be.")),
            ].filter { keys.contains($0.name) } + further
        let plain = keys.filter { key in !special.contains { $0.name == key } }
        return [
            "type": "object", "description": .string(description), "additionalProperties": false,
            "properties": .object(plain.map { JSONMember($0, matcher(of: $0)) } + special),
        ]
    }

    /// What the value of a filter key must be.
    private static func matcher(of key: String) -> JSONValue {
        let matcher = JSONValue.reference("Matcher")
        return FilterKey(rawValue: key).map { described(matcher, $0.sentence) } ?? matcher
    }

    private static func described(_ schema: JSONValue, _ sentence: String) -> JSONValue {
        .object((schema.object ?? []) + [JSONMember("description", .string(sentence))])
    }

    private static let operators: JSONValue = [
        "prefix": ["type": "string", "description": "A string that begins with this."],
        "contains": [
            "type": "string", "description": "A string that contains this, or an array that has it as an element.",
        ],
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
        "not": described(.reference("Matcher"), "A matcher that does not hold."),
        "exists": ["type": "boolean", "description": "Whether the field is there."],
        "gte": ["type": ["number", "string"], "description": "A value that is not below this."],
        "lte": ["type": ["number", "string"], "description": "A value that is not above this."],
    ]

    private static let faults: JSONValue = [
        "Fault": .object(
            required: FaultDraft.schema.names,
            properties: FaultDraft.schema.requestProperties(withoutNull: FaultDraft.alwaysGiven)
                + Schema([Member("timedOut", .bool, summary: "Only with wait.")]).answerProperties),
        "MagicToken": MagicToken.fields.showing.openAPI(isAnswer: true),
        "Scenario": .object(
            required: Scenario.schema.names,
            properties: Scenario.schema.requestProperties() + ScenarioProgress.fields.showing.answerProperties),
    ]

    /// A scenario may be given by the name of a built-in one, without steps.
    private static let newScenario = Schema(
        Scenario.schema.members.map { Member($0.name, $0.form, summary: $0.summary, isRequired: $0.name == "name") })
}
