internal import APNsRules

/// What the document says about members whose declarations say nothing: a name means the same wherever it is.
extension OpenAPIDocument {
    /// The component with a description of each member.
    ///
    /// A default that a client must not send, because the member's absence means something else, becomes a sentence.
    static func described(_ schema: JSONValue, in component: String) -> JSONValue {
        guard let members = schema["properties"]?.object else { return schema }
        let described = members.map { member in
            var keywords = member.value.object ?? []
            let own = member.value["description"]?.string
            var text = own ?? descriptions["\(component).\(member.name)"] ?? descriptions[member.name] ?? ""
            if let standard = member.value["default"], withoutDefaults.contains(component) {
                keywords.removeAll { $0.name == "default" }
                text += " By default \(standard.string ?? standard.encodedText)."
            }
            keywords.removeAll { $0.name == "description" }
            return JSONMember(member.name, .object(keywords + [JSONMember("description", .string(text))]))
        }
        return .object(
            (schema.object ?? []).map { keyword in
                keyword.name == "properties" ? JSONMember("properties", .object(described)) : keyword
            })
    }

    /// Bodies that change only what they name, and those whose members exclude each other.
    private static let withoutDefaults: Set<String> = [
        "DeviceChange", "AppSettings", "NewRegistration", "Permissions", "FaultChange", "FaultAction",
        "ExpectationCount",
    ]

    /// By the member's name, or by `Component.name` where it means something else there.
    static let descriptions: [String: String] = [
        // Pushes.
        "apnsId": "The push's apns-id.",
        "at": "When it happened, by the clock of the server or of the device's scope.",
        "collapseId": "The push's apns-collapse-id.",
        "connection": "The number of the connection.",
        "credential": "What the provider proved its identity with; null if nothing was valid.",
        "device": "The device's ID.",
        "environment": "The environment of APNs.",
        "fault": "The ID of the fault rule that acted.",
        "keyId": "The signing key's ID.",
        "kind": "The kind of push.",
        "method": "The HTTP method, if it is not POST.",
        "outcome": "What became of the push.",
        "path": "The path of the request, if it names no device token.",
        "priority": "The push's apns-priority.",
        "pushType": "The push's apns-push-type.",
        "push": "The push.",
        "reason": "APNs' reason of a refusal.",
        "receivedAt": "When the push arrived, by the server's clock.",
        "scope": "The scope; null if it belongs to none.",
        "sequence": "The push's sequence number.",
        "shown": "Whether the user saw it; null if the device has not got it.",
        "status": "The HTTP status of the answer.",
        "stream": "The number of the HTTP/2 stream.",
        "subject": "The certificate's subject.",
        "team": "The ID of the team.",
        "teamId": "The ID of the team.",
        "timeline": "What happened to the push, oldest first.",
        "token": "The device token, lower-case hexadecimal digits.",
        "topic": "The topic.",
        "uniqueId": "The answer's apns-unique-id.",
        "warnings": "What is unusual without being refused, a sentence each.",
        "Notification.headers": "The request's header fields in order, each a name and a value.",
        "NotificationTimeline.detail": "More about it, if there is more to say.",
        "NotificationTimeline.event": "What happened.",

        // Filters.
        "channel": "The ID of the broadcast channel.",
        "payloadIncludes": "A JSON subset of the payload.",
        "attributesType": "The name of the type of its ActivityAttributes.",
        "identifier": "A collapse ID, or the apns-id of a push without one.",
        "named": "Whether a call created it, and not a push to an unknown token.",
        "since": "At this time or later.",
        "has": "What it has: warnings, at least one.",
        "sounded": "Whether the user heard it.",
        "text": "Text in the payload, whatever its case.",
        "until": "At this time or earlier.",
        "Match.headers": "By lower-case name, what a header field must be.",
        "Match.payload": "By JSON pointer, what a place in the payload must be.",
        "FaultMatch.headers": "By lower-case name, what a header field must be.",
        "FaultMatch.payload": "By JSON pointer, what a place in the payload must be.",
        "MatcherOperator.contains": "A string that contains this, or an array that has it as an element.",
        "MatcherOperator.exists": "Whether the field is there.",
        "MatcherOperator.gte": "A value that is not below this.",
        "MatcherOperator.lte": "A value that is not above this.",
        "MatcherOperator.not": "A matcher that does not hold.",
        "MatcherOperator.prefix": "A string that begins with this.",

        // Expectations.
        "Expectation.match": "Which pushes count; without it all.",
        "ExpectationCount.exactly": "The exact number of pushes, in place of min and max.",
        "ExpectationCount.max": "The largest number of pushes; without it there is no limit.",
        "ExpectationCount.min": "The smallest number of pushes.",
        "ExpectationResult.items": "The pushes that match, oldest first.",
        "ExpectationResult.met": "Whether the expectation is met.",
        "actual": "What the push has there.",
        "expected": "What was expected there.",

        // Devices.
        "fleet": "The ID with which count made it; empty for none.",
        "Arrival.deliveredAt": "When it arrived, by the device's clock.",
        "FocusObject.name": "The name of the Focus.",

        // Apps.
        "endedAt": "When it ended; null until then.",
        "NewRegistration.since": "Since when it has its token; only in fixtures.",
        "state": "Its state.",
        "takes": "How long it runs, by the clock.",
        "Category.actions": "Its actions, in the order of their buttons.",
        "CategoryActions.destructive": "Whether it removes something, and is red.",
        "CategoryActions.foreground": "Whether it opens the app.",
        "CategoryActions.id": "The action's ID.",
        "CategoryActions.textInput": "Whether the user types a text for it.",
        "CategoryActions.textInputPlaceholder": "What the empty text field shows.",
        "CategoryActions.title": "The text of the button.",
        "SoundObject.duration": "How long it is; longer than 30 s can't be played.",
        "SoundObject.name": "The name of the file.",

        // Permissions.

        // The screen.
        "attachments": "The attachments that it shows.",
        "badges": "By topic, the number on the app's icon.",
        "relevanceScore": "The score by which it is sorted, the highest first.",
        "threadId": "The thread-id of the payload.",
        "Screen.at": "The time of the screen, by the device's clock.",
        "ScreenHeld.until": "When the summary comes.",
        "NotificationGroup.count": "How many notifications it has.",
        "ScreenNotification.actions": "The actions that it offers.",
        "ScreenNotification.banner": "The banner over the screen; null without one.",
        "ScreenNotificationBanner.actions": "The actions that the banner offers.",
        "ScreenNotification.body": "The text; null for none.",
        "ScreenNotification.category": "The category of the payload.",
        "ScreenNotification.interruptionLevel": "How urgent it is.",
        "ScreenNotification.mutableContent": "What the app's service extension did with it.",
        "ScreenNotification.shownAt": "When it appeared, by the device's clock.",
        "ScreenNotification.subtitle": "The second line; null for none.",
        "ScreenNotification.updatedAt": "When a newer push replaced its content; null if none has.",
        "ScreenNotificationSound.critical": "Whether it is heard although the device is muted.",
        "ScreenNotificationSound.name": "The name of the sound.",
        "ScreenNotificationSound.volume": "The volume of a critical sound, from 0 to 1.",
        "PlayedSound.sound": "What was heard.",
        "AppResponse.text": "What the user typed; null for nothing.",
        "ShownAction.authenticationRequired": "Whether the device must be unlocked for it.",
        "ShownAction.destructive": "Whether it removes something, and is red.",
        "ShownAction.foreground": "Whether it opens the app.",
        "ShownAction.id": "The action's ID.",
        "ShownAction.textInput": "Whether the user types a text for it.",
        "ShownAction.textInputButtonTitle": "The button beside the text field; null for the system's.",
        "ShownAction.textInputPlaceholder": "What the empty text field shows; null for nothing.",
        "ShownAction.title": "The text of the button.",
        "Wake.result": "What the app answered; null until then.",

        // Live Activities and channels.
        "attributes": "What stays the same while it runs.",
        "bundleId": "The app's bundle ID.",
        "contentState": "What it shows.",
        "staleDate": "When its content is out of date.",
        "startedAt": "When it started.",
        "LiveActivityHistory.at": "When it changed, by the device's clock.",
        "LiveActivityHistory.event": "What the push or the app did.",
        "NewLiveActivityPushType.channel": "The ID of the channel to follow.",
        "StartedActivities.refused": "Where it could not be started.",
        "StartedActivities.started": "What was started.",
        "StartedActivitiesRefusals.reason": "Why it can't be started there.",
        "StartedActivitiesRefused.devices": "How many devices.",
        "StartedActivitiesStarted.activities": "How many activities.",

        // Fault rules.
        "action": "What happens when the rule fires.",
        "activeFrom": "When the rule begins to act, by the clock; null for at once.",
        "activeUntil": "When the rule stops acting, by the clock; null for never.",
        "createdAt": "When it was created, by the clock.",
        "enabled": "Whether the rule acts.",
        "every": "Of the matching requests after skip, each one at this distance is taken.",
        "match": "Which requests or connections the rule is for; without it all requests.",
        "probability": "How likely a request that is taken makes the rule fire.",
        "skip": "How many matching requests are passed over first.",
        "FaultAction.delay": "How long the answer is held back.",
        "FaultDelayObject.clock": "The clock that measures the delay.",
        "FaultDelayObject.normal": "The mean and the standard deviation of a normal distribution.",
        "FaultDelayObject.uniform": "The shortest and the longest delay.",
        "Fault.name": "What the rule is for.",
        "FaultChange.name": "What the rule is for.",
        "NewFault.name": "What the rule is for.",
        "FaultRateOver.by": "What is counted separately.",
        "FaultRateOver.count": "How many requests pass before the rule acts.",
        "FaultRateOver.per": "In which time.",
        "MagicToken.does": "What it provokes, in a sentence.",
        "MagicToken.token": "The device token.",

        // Scenarios.
        "description": "What the scenario is about.",
        "name": "The name.",
        "steps": "Its steps in order.",
        "stepsDone": "How many steps are done.",
        "ScenarioNext.after": "What the step waits for, as in the scenario.",
        "ScenarioNext.at": "When the step is due, by the clock; null if it waits for pushes.",
        "ScenarioNext.pushesLeft": "For how many pushes the step waits; null if it waits for a time.",
        "ScenarioNext.step": "The index of the step, from 0.",
        "ScenarioSteps.add": "The rules that it adds.",
        "ScenarioSteps.remove": "The IDs of the rules that it removes.",
        "ScenarioStepsAfter.pushes": "How many pushes must have arrived since the start.",

        // Clocks.
        "by": "How far, a duration.",
        "coalesced": "How many stored pushes newer ones replaced meanwhile.",
        "delivered": "How many pushes were delivered because of it.",
        "expired": "How many pushes expired because of it.",
        "mode": "How the clock runs: with the system's, ahead of it, or not at all.",
        "now": "The clock's time.",

        // Trust.
        "issuedAt": "When it was issued.",
        "notAfter": "The end of its validity.",
        "notBefore": "The beginning of its validity.",
        "password": "The password of pkcs12.",
        "related": "The topic-specific key of the same team and environment that may share a connection with it.",
        "revokedAt": "When it was revoked; null if it is valid.",
        "topics": "The topics that it is for.",
        "Key.environment": "The environments in which it is valid.",
        "AddedKey.environment": "The environments in which it is valid.",
        "Certificate.environment": "The environments in which it is valid.",
        "IssuedCertificate.environment": "The environments in which it is valid.",

        // Connections.
        "alpn": "The application protocol that TLS agreed on; null if the client offered none, or not h2.",
        "cipher": "The cipher suite.",
        "peer": "The client's address and port.",
        "pings": "How many PING frames came from the client.",
        "sni": "The host name that the client sent.",
        "streams": "Its HTTP/2 streams.",
        "tls": "The version of TLS; null without it.",
        "ConnectionStreams.limit": "How many may be open at a time.",
        "ConnectionStreams.open": "How many are open.",
        "ConnectionStreams.total": "How many there have been.",

        // The server.
        "allowed": "The values that are allowed, if they can be listed.",
        "changed": "How many of each kind were changed.",
        "counts": "What there is and was.",
        "devices": "How many devices.",
        "faults": "How many fault rules.",
        "items": "The items of this page.",
        "journal": "The size of the journal, and what was evicted from it.",
        "lastSequence": "The last sequence number that was given out.",
        "memory": "The memory that the process uses.",
        "only": "The parts to reset; without it all.",
        "ports": "The ports that are open.",
        "removed": "How many of each kind were removed.",
        "seed": "The seed of all random choices.",
        "timedOut": "Whether the call waited without success.",
        "title": "The kind of problem, in words.",
        "type": "The kind of problem.",
        "version": "The version of the program.",
        "ActivityEvent.activity": "The activity as it became.",
        "GapEvent.from": "The first number that is missing.",
        "GapEvent.to": "The last number that is missing.",
        "Probe.problem": "Why changes can't be kept, or how its clock is wrong; null if neither is so.",
        "Probe.status": "Whether it accepts pushes.",
        "Problem.status": "The HTTP status, as in the answer's head.",
        "Status.name": "Always mynah.",
        "StatusPorts.apns": "The ports for providers.",
        "StatusPorts.channels": "The ports of channel management.",
        "StatusPorts.cleartext": "The port without TLS; null for none.",
        "StatusPorts.control": "The port of this API; null until it is bound.",
        "StatusPorts.proxy": "The port of the proxy; null for none.",
    ]
}
