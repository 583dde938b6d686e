internal import APNsRules
internal import Mynah
internal import MynahCore

/// The documents of the API, by the names under which the operations refer to them.
extension OpenAPIDocument {
    static var schemas: [JSONMember] {
        (values.object ?? []) + (filters.object ?? []) + (faults.object ?? [])
            + forms.map { JSONMember($0.name, $0.form.openAPI(isAnswer: true)) }
            + requests.map { JSONMember($0.name, $0.schema.openAPI()) }
            + namedForms(of: AppSettings.fields.making + ScreenSettings.fields.making + FaultDraft.schema)
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
            "examples": .texts(DurationText.examples),
        ],
        "KeyID": ["type": "string", "pattern": "^[0-9A-Za-z]{10}$"],
        "KeyTopics": Form.array(of: .text(1...255), 1...400).openAPI(),
        "Base64": ["type": "string", "contentEncoding": "base64"], "FaultDelay": FaultDelay.form.openAPI(),
    ]

    private static let forms: [(name: String, form: Form)] =
        [
            ("Scope", ScopeName.form), ("InboxKind", .choice(PushKind.self)),
            ("EventChange", .choice(Event.Change.self)), ("Environment", .choice(APNsEnvironment.self)),
            ("EnvironmentScope", .choice(EnvironmentScope.self)), ("Platform", .choice(Platform.self)),
        ] + DeviceState.choices + [
            ("ClockMode", .choice(ClockState.Mode.self)), ("ProviderKeyType", .choice(ProviderKeyType.self)),
            ("FaultEvent", .choice(FaultEvent.self)), ("RegistrationState", .choice(RegistrationState.self)),
            ("WakeResult", .choice(WakeResult.self)), ("Order", .choice(Cursor.Order.self)),
            ("DeviceSort", .choice(DeviceOrder.Key.self)), ("Credential", .object(ConnectionView.Credential.schema)),
            ("AddedDevices", .either(.any(schema: "Device"), .any(schema: "DevicePage"))),
            ("ActionReport", .nullable(.any(schema: "AppResponse"))),
            ("FaultSpecificationList", .list("FaultSpecification")),
            ("AddedFaults", .either(.any(schema: "Fault"), .any(schema: "FaultPage"))), ("OpenAPI", .map(of: .any())),
        ]

    /// The schemas of the documents that calls take, except an expectation, and of the objects in these documents.
    static let requests = [
        DeviceSpecification.document, DevicePatch.document, AppPatch.document, RegistrationSpecification.document,
        RequestSchemas.userAction, ScreenPatch.document, ActivitySpecification.document, ActivityPatch.document,
        SubscriptionSpecification.document, RequestSchemas.clockChange, RequestSchemas.clockAdvance,
        RequestSchemas.recordedPlaceChange, NewKey.document, CertificateOrder.document, FaultActionType.document,
        FaultDraft.document, FaultDraft.changeDocument, ChannelSpecification.document, Scenario.document,
        RequestSchemas.reset, NewNotification.document,
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
        "Match": Expectation.matchSchema.openAPI(
            description: """
                Filter keys; each takes a value (equal), an array (any of), or an object with one of \
                \(MatcherOperator.names.joined(separator: ", ")). payload is keyed by JSON pointer, payloadIncludes is a \
                JSON subset, headers is keyed by lower-case name, screen is keyed by JSON pointer into what the user saw \
                of the push, webPush into what only a web push has. In an expectation also q, a line of the query language.
                """),
        "FaultMatch": FaultMatch.schema.openAPI(
            description:
                "As Match, with what is known of a request before it is answered; event says when the rule is asked."),
        "Matcher": [
            "description": "A value is equal, an array is any of its matchers, an object is one operator.",
            "oneOf": .array(
                singleMatchers + [["type": "array", "minItems": 1, "items": .reference("SingleMatcher")]]),
        ],
        // An array of matchers again is more than some generators of clients understand. Without the types, what
        // openapi-generator makes for TypeScript calls a check of the elements that it hasn't made.
        "SingleMatcher": [
            "description": "A value is equal, an object is one operator.",
            "type": ["string", "number", "boolean", "null", "object"], "oneOf": .array(singleMatchers),
        ],
        "MatcherOperator": [
            "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
            "properties": .object(MatcherOperator.schema.requestProperties()),
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

    private static let faults: JSONValue = [
        // Without the types, what openapi-generator makes for TypeScript imports a rule twice, and sends a list as a rule.
        "FaultSpecifications": [
            "type": ["array", "object"],
            "oneOf": [.reference("FaultSpecification"), .reference("FaultSpecificationList")],
        ],
        "Fault": .object(
            required: FaultDraft.schema.names,
            properties: FaultDraft.schema.requestProperties(withoutNull: FaultDraft.alwaysGiven)
                + Schema([Member("timedOut", .bool, summary: "Only with wait.")]).answerProperties),
        "MagicToken": MagicToken.fields.showing.openAPI(isAnswer: true),
        "Scenario": .object(
            required: Scenario.schema.names,
            properties: Scenario.schema.requestProperties() + ScenarioProgress.fields.showing.answerProperties),
    ]
}

extension DeviceState {
    /// The choices among its members, each called as its member.
    fileprivate static var choices: [(name: String, form: Form)] {
        fields.all.compactMap { field in
            guard case .choice = field.member.form else { return nil }
            return (field.name.prefix(1).uppercased() + field.name.dropFirst(), field.member.form)
        }
    }
}
