internal import APNsRules
internal import MynahCore

extension OpenAPIDocument {
    static let faultSchemas = #"""
              "FaultMatch": {
                "type": "object",
                "description": "As Match, with what is known of a request before it is answered; event says when the rule is asked.",
                "properties": {
                  "event": {"enum": ["accept", "handshake", "request", null], "description": "Without it, where the action belongs."},
                  "payload": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}},
                  "payloadIncludes": {"type": ["object", "array"]},
                  "headers": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}}
                },
                "additionalProperties": {"$ref": "#/components/schemas/Matcher"}
              },
              "FaultDelay": \#(FaultDelay.form.openAPIText),
              "FaultAction": \#(faultAction),
              "NewFault": \#(FaultDraft.schema.openAPI.encodedText),
              "Fault": {
                "type": "object",
                "required": \#(FaultDraft.schema.required),
                "properties": {
        \#(FaultDraft.schema.propertiesText),
                  "timedOut": {"type": "boolean", "description": "With wait alone."}
                }
              },
        \#(pageSchema(of: "Fault")),
              "MagicToken": {
                "type": "object",
                "required": ["token", "does", "status", "reason"],
                "properties": {"token": {"type": "string"}, "does": {"type": "string"}, "status": {"type": ["integer", "null"]}, "reason": {"type": ["string", "null"]}}
              },
        \#(pageSchema(of: "MagicToken")),
              "NewScenario": \#(newScenario),
              "Scenario": {
                "type": "object",
                "required": ["name", "description", "seed", "steps"],
                "properties": {
        \#(Scenario.schema.propertiesText),
                  "startedAt": {"type": "string", "format": "date-time", "description": "This and what follows: of one that runs."},
                  "stepsDone": {"type": "integer"},
                  "next": {
                    "type": ["object", "null"],
                    "description": "The next step and what it waits for; null when all are done.",
                    "required": ["step", "after", "at", "pushesLeft"],
                    "properties": {"step": {"type": "integer"}, "after": {}, "at": {"type": ["string", "null"], "format": "date-time"}, "pushesLeft": {"type": ["integer", "null"]}}
                  },
                  "rules": {"type": "array", "items": {"type": "string"}, "description": "Ids of the rules that it has added and that are there."},
                  "problem": {"type": ["string", "null"], "description": "Why a step could not be done."}
                }
              },
        \#(pageSchema(of: "Scenario"))
        """#

    /// The members of all types of actions in one object; which of them have a member stands before its description.
    private static var faultAction: String {
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
                let (form, other) = (members[index].form, members[index].summary)
                members[index] = Member(
                    member.name, form.united(with: member.form), "\(other) \(summary)", default: nil)
            }
        }
        let type = Member(
            "type", .choice(FaultActionType.self), "Each type takes its own of the other members.", isRequired: true)
        return Schema([type] + members).openAPI.encodedText
    }

    /// A scenario may be given by the name of a shipped one, without steps.
    private static var newScenario: String {
        let members = Scenario.schema.members.map { member in
            Member(member.name, member.form, member.summary, isRequired: member.name == "name")
        }
        return Schema(members).openAPI.encodedText
    }
}

extension Form {
    /// What either form takes.
    fileprivate func united(with other: Form) -> Form {
        switch (self, other) {
        case (.choice(let names), .choice(let more)): .choice(names + more.filter { !names.contains($0) })
        case (.duration, .bool), (.bool, .duration): .any()
        default: self
        }
    }
}
