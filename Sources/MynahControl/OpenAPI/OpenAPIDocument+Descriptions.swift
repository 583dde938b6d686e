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
        "DeviceChange", "AppSettings", "RegistrationSpecification", "Permissions", "FaultChange", "FaultAction",
        "ExpectationCount",
    ]

    /// By the member's name, or by `Component.name` where it means something else there.
    static let descriptions: [String: String] = [
        // Pushes.
        "apnsId": "The push's apns-id.",
        "at": "When it happened, by the clock of the server or of the device's scope.",
        "collapseId": "The push's apns-collapse-id.",
        "connection": "The number of the connection.",
        "device": "The device's ID.",
        "environment": "The environment of APNs.",
        "keyId": "The signing key's ID.",
        "priority": "The push's apns-priority.",
        "pushType": "The push's apns-push-type.",
        "push": "The push.",
        "reason": "APNs' reason of a refusal.",
        "scope": "The scope; null if it belongs to none.",
        "sequence": "The push's sequence number.",
        "status": "The HTTP status of the answer.",
        "team": "The ID of the team.",
        "teamId": "The ID of the team.",
        "token": "The device token, lower-case hexadecimal digits.",
        "topic": "The topic.",
        "warnings": "What is unusual without being refused, a sentence each.",

        // Filters.
        "channel": "The ID of the broadcast channel.",
        "payloadIncludes": "A JSON subset of the payload.",
        "attributesType": "The name of the type of its ActivityAttributes.",
        "identifier": "A collapse ID, or the apns-id of a push without one.",
        "named": "Whether a call created it, and not a push to an unknown token.",
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
        "FocusObject.name": "The name of the Focus.",

        // Apps.
        "endedAt": "When it ended; null until then.",
        "RegistrationSpecification.since": "Since when it has its token; only in fixtures.",
        "state": "Its state.",
        "takes": "How long it runs, by the clock.",
        "SoundObject.duration": "How long it is; longer than 30 s can't be played.",
        "SoundObject.name": "The name of the file.",

        // Permissions.

        // The screen.
        "badges": "By topic, the number on the app's icon.",
        "Screen.at": "The time of the screen, by the device's clock.",
        "ScreenHeld.until": "When the summary comes.",
        "NotificationGroup.count": "How many notifications it has.",
        "Wake.result": "What the app answered; null until then.",

        // Live Activities and channels.
        "attributes": "What stays the same while it runs.",
        "bundleId": "The app's bundle ID.",
        "contentState": "What it shows.",
        "staleDate": "When its content is out of date.",
        "LiveActivitySpecificationPushTypeObject.channel": "The ID of the channel to follow.",
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
        "FaultSpecification.name": "What the rule is for.",
        "FaultRateOver.by": "What is counted separately.",
        "FaultRateOver.count": "How many requests pass before the rule acts.",
        "FaultRateOver.per": "In which time.",

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

        // Clocks.
        "by": "How far, a duration.",
        "mode": "How the clock runs: with the system's, ahead of it, or not at all.",
        "now": "The clock's time.",

        // Trust.
        "password": "The password of pkcs12.",
        "topics": "The topics that it is for.",

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
        "StatusPorts.webPush": "The port of web pushes; null for none.",
        "StatusPorts.proxy": "The port of the proxy; null for none.",
    ]
}
